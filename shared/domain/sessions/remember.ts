import { existing, ServiceError } from "../../kernel/errors.ts";
import { occurredMs } from "../../kernel/event-time.ts";
import { looksLike } from "../../kernel/ids.ts";
import { type Context, type OrgRuntime, onBehalfOf } from "../../runtime/context.ts";
import type { JobHandler } from "../../runtime/jobs/handler.ts";
import { type Conversation, PART_LENGTH, partsOf } from "../memory/conversation.ts";
import { BEGINNING, type ConversationCheckpoint, processPart } from "../memory/conversation-steps.ts";
import { withoutExcluded } from "../memory/guidelines.ts";
import { ownResult } from "../memory/memory-results.ts";
import { mergedCategories, readProjectSettings } from "../memory/project.ts";
import { findSession, readMessages } from "./records.ts";
import type { Session, SessionMessage } from "./session.ts";

/** The message to extract memories from; for an ended session all messages up to `last`, or all there are. */
export type RememberSessionInput = { session_id: string; position?: number; last?: number };

/** The current message, or the first and number of a group, with its progress. */
export type RememberSessionCheckpoint = { position: number; messages?: number; place: ConversationCheckpoint };

/** Preceding messages that help to read one: the question it answers, and its topic. */
const CONTEXT_MESSAGES = 2;
/** Maximum characters of each: its end, which contains the question. */
const CONTEXT_CHARACTERS = 1_000;
/** Messages of an ended session that are read together, with one model call. */
const MAX_GROUP = 20;
/** Relative times are resolved from the first message of a group. */
const MAX_GROUP_MS = 3_600_000;

/**
 * Extracts memories from a session's messages as `/v3/memories/add` does for a conversation: single messages as they
 * arrive, groups for an ended session. Each memory has the speaker and time of its message; preceding messages serve as
 * context. Ids derive from the message, so that a repeated step stores them once.
 */
export const rememberSession: JobHandler<"remember_session"> = {
  kind: "remember_session",

  async step(runtime, turn) {
    const { input, checkpoint } = turn.job;
    const { session_id } = input;
    const { position, place } = checkpoint;
    const found = await findSession({ ...runtime, viewer: undefined }, session_id);
    const session = existing(found, "session", session_id);
    // An earlier release started with a single message.
    const begun = isBeginning(place) ? undefined : (checkpoint.messages ?? 1);
    const end = input.position ?? input.last ?? session.message_count;
    const said = await messagesAt(runtime, session, { position, end }, input.position === undefined ? begun : 1);
    const messages = Math.max(1, said.messages.length);
    const reached =
      said.messages.length > 0 ? await rememberGroup(runtime, said, place, () => turn.isOver()) : undefined;
    if (reached) return { checkpoint: { position, messages, place: reached } };
    const next = position + messages;
    if (next > end) return { end: "completed" };
    return { checkpoint: { position: next, place: BEGINNING } };
  },

  isMoot: (error) => error instanceof ServiceError && error.code === "SESSION_NOT_FOUND",
};

function isBeginning({ part, found, stored }: ConversationCheckpoint): boolean {
  return part === 0 && found === null && stored === 0;
}

interface Said {
  session: Session;
  /** Messages read together, in order; empty if the message at the position was already processed. */
  messages: SessionMessage[];
  before: SessionMessage[];
}

/** The message at a position, those up to `end` that are read with it, and the preceding ones; `count` if known. */
async function messagesAt(
  runtime: OrgRuntime,
  session: Session,
  { position, end }: { position: number; end: number },
  count?: number,
): Promise<Said> {
  const read: SessionMessage[] = [];
  const to = Math.min(end, position + (count ?? MAX_GROUP) - 1);
  const range = { from: Math.max(1, position - CONTEXT_MESSAGES), to };
  for await (const batch of readMessages(runtime, session, range)) read.push(...batch);
  const own = read.filter((each) => each.position >= position);
  const before = read.filter((each) => each.position < position);
  return { session, before, messages: count === undefined ? groupOf(own) : own };
}

/** The first unprocessed messages that are read together: of one writer, within an hour and the length limit. */
function groupOf(messages: SessionMessage[]): SessionMessage[] {
  const [first] = messages;
  if (first === undefined || isDone(first)) return [];
  let length = 0;
  const end = messages.findIndex((each, place) => {
    length += each.role.length + each.content.length + SEPARATORS;
    const isLater = Math.abs(occurredMs(each) - occurredMs(first)) > MAX_GROUP_MS;
    return place > 0 && (isDone(each) || each.created_by !== first.created_by || isLater || length > PART_LENGTH);
  });
  return end === -1 ? messages : messages.slice(0, end);
}

/** Between a role and its text, and between two messages. */
const SEPARATORS = ": \n".length;

function isDone({ is_remembered, copy_of }: SessionMessage): boolean {
  return is_remembered === true || copy_of !== undefined;
}

/** Does a part of the work on messages; undefined once all of it is done. */
async function rememberGroup(runtime: OrgRuntime, said: Said, place: ConversationCheckpoint, isOver: () => boolean) {
  const { session, messages } = said;
  const [first] = messages;
  if (first === undefined) return undefined;
  const ctx = actingIn(runtime, session, first);
  const conversation = await conversationOf(ctx, said);
  const part = partsOf(conversation)[place.part];
  if (!part) return undefined;
  const work = {
    name: `${session.id}#${first.id}`,
    conversation,
    part,
    place,
    said_at: first.created_at,
    resultsOf: ownResult,
  };
  return (await processPart(ctx, work, isOver)).place;
}

/** The memories of an agent's session belong to that agent, so the same callers can read both. */
function actingIn(runtime: OrgRuntime, { agent_id }: Session, { created_by: id }: SessionMessage): Context {
  const kind = looksLike("user", id) ? ("user" as const) : ("api_key" as const);
  const principal = { kind, id, org: runtime.org, operator: false, plan: "free" as const, permissions: [] };
  const ctx: Context = { ...runtime, viewer: undefined, principal };
  return looksLike("agent", agent_id) ? onBehalfOf(ctx, agent_id) : ctx;
}

/** Messages with the project's extraction settings. */
async function conversationOf(ctx: Context, { session, messages: said, before: earlier }: Said): Promise<Conversation> {
  const { id: run, user_id, agent_id: agent } = session;
  const project = await readProjectSettings(ctx);
  const custom_categories = mergedCategories(project.custom_categories);
  const messages = said.map(({ role, content, created_at, occurred_at = created_at }) => ({
    role,
    content,
    occurred_at,
  }));
  const [first] = messages;
  const draft = { user_id, labels: { agent, run }, ...(first && { occurred_at: first.occurred_at }) };
  const before = earlier.map((each) => ({ role: each.role, content: each.content.slice(-CONTEXT_CHARACTERS) }));
  const conversation = { messages, before, draft, ...(custom_categories && { custom_categories }) };
  const { custom_instructions: instructions, agent_custom_instructions: assistants = instructions } = project;
  const guidelines = { own: { instructions }, assistants: { instructions: assistants } };
  return (await withoutExcluded(ctx, conversation, guidelines)).conversation;
}
