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
import { REMEMBER_SESSION_JOB } from "./job-kinds.ts";
import { readMessages } from "./message-records.ts";
import { findSession } from "./records.ts";
import type { Session, SessionMessage } from "./session.ts";

/** The position of the message to extract memories from. For an ended session: all messages up to `last`, or all. */
export type RememberSessionInput = { session_id: string; position?: number; last?: number };

/** Position of the current message or of the first one of a group, the number of messages, and the progress in them. */
export type RememberSessionCheckpoint = { position: number; messages?: number; place: ConversationCheckpoint };

/** Number of preceding messages that give a message context: the question it answers, and its topic. */
const CONTEXT_MESSAGES = 2;
/** Maximum characters of a preceding message; its end is read, because it contains the question. */
const CONTEXT_CHARACTERS = 1_000;
/** Maximum messages of an ended session that are read together, with one model call. */
const MAX_GROUP = 20;
/** Maximum time span of a group: relative times are resolved from the time of its first message. */
const MAX_GROUP_MS = 3_600_000;

/**
 * Extracts memories from a session's messages as `/v3/memories/add` does for a conversation: single messages as they
 * arrive, groups for an ended session. Each memory has the speaker and time of its message; preceding messages serve as
 * context. Ids derive from the message, so that a repeated step stores them once.
 */
export const rememberSession: JobHandler<"remember_session"> = {
  job: REMEMBER_SESSION_JOB,

  async step(runtime, turn) {
    const { input, checkpoint } = turn.job;
    const { session_id } = input;
    const { position, place } = checkpoint;
    const found = await findSession({ ...runtime, viewer: undefined }, session_id);
    const session = existing(found, "session", session_id);
    // An earlier release started with a single message.
    const begun = isBeginning(place) ? undefined : (checkpoint.messages ?? 1);
    const end = input.position ?? input.last ?? session.message_count;
    const group = await messagesAt(runtime, session, { position, end }, input.position === undefined ? begun : 1);
    const messages = Math.max(1, group.messages.length);
    const reached =
      group.messages.length > 0 ? await rememberGroup(runtime, group, place, () => turn.isOver()) : undefined;
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

interface MessageGroup {
  session: Session;
  /** Messages read together, in order; empty if the message at the position was already processed. */
  messages: SessionMessage[];
  before: SessionMessage[];
}

/** Returns the group of the message at a position: up to `end`, or `count` messages if their number is known. */
async function messagesAt(
  runtime: OrgRuntime,
  session: Session,
  { position, end }: { position: number; end: number },
  count?: number,
): Promise<MessageGroup> {
  const read: SessionMessage[] = [];
  const to = Math.min(end, position + (count ?? MAX_GROUP) - 1);
  const range = { from: Math.max(1, position - CONTEXT_MESSAGES), to };
  for await (const batch of readMessages(runtime, session, range)) read.push(...batch);
  const following = read.filter((message) => message.position >= position);
  const before = read.filter((message) => message.position < position);
  return { session, before, messages: count === undefined ? groupOf(following) : following };
}

/**
 * Returns the first messages that are read together: unprocessed, of one writer, within an hour and the length limit.
 */
function groupOf(messages: SessionMessage[]): SessionMessage[] {
  const [first] = messages;
  if (first === undefined || isDone(first)) return [];
  let length = 0;
  const end = messages.findIndex((message, index) => {
    length += message.role.length + message.content.length + SEPARATORS;
    const isLater = Math.abs(occurredMs(message) - occurredMs(first)) > MAX_GROUP_MS;
    const isOfOther = message.created_by !== first.created_by;
    return index > 0 && (isDone(message) || isOfOther || isLater || length > PART_LENGTH);
  });
  return end === -1 ? messages : messages.slice(0, end);
}

/** Number of characters between a role and its text, and between two messages. */
const SEPARATORS = ": \n".length;

function isDone({ is_remembered, copy_of }: SessionMessage): boolean {
  return is_remembered === true || copy_of !== undefined;
}

/** Processes a part of a group and returns the progress; undefined if the whole group is done. */
async function rememberGroup(
  runtime: OrgRuntime,
  group: MessageGroup,
  place: ConversationCheckpoint,
  isOver: () => boolean,
) {
  const { session, messages } = group;
  const [first] = messages;
  if (first === undefined) return undefined;
  const ctx = actingIn(runtime, session, first);
  const conversation = await conversationOf(ctx, group);
  const part = partsOf(conversation)[place.part];
  if (!part) return undefined;
  const work = {
    name: `${session.id}#${first.id}`,
    origin: { door: "sessions" as const, derived_from: session.id },
    conversation,
    part,
    checkpoint: place,
    said_at: first.created_at,
    resultsOf: ownResult,
  };
  return (await processPart(ctx, work, isOver)).checkpoint;
}

/**
 * Returns the context of the message's writer. The memories of an agent's session belong to that agent, so that the
 * same callers can read both.
 */
function actingIn(runtime: OrgRuntime, { agent_id }: Session, { created_by: id }: SessionMessage): Context {
  const kind = looksLike("user", id) ? ("user" as const) : ("api_key" as const);
  const principal = { kind, id, org: runtime.org, operator: false, plan: "free" as const, permissions: [] };
  const ctx: Context = { ...runtime, viewer: undefined, principal };
  return looksLike("agent", agent_id) ? onBehalfOf(ctx, agent_id) : ctx;
}

/** Returns the group as a conversation with the project's extraction settings. */
async function conversationOf(
  ctx: Context,
  { session, messages: said, before: earlier }: MessageGroup,
): Promise<Conversation> {
  const { id: run, user_id, agent_id: agent } = session;
  const project = await readProjectSettings(ctx);
  const custom_categories = mergedCategories(project.custom_categories);
  const messages = said.map(({ role, content, sent, created_at, occurred_at = created_at }) => ({
    role,
    content,
    occurred_at,
    ...(sent && { secrets: sent.secrets }),
  }));
  const [first] = messages;
  const draft = { user_id, labels: { agent, run }, ...(first && { occurred_at: first.occurred_at }) };
  const before = earlier.map(({ role, content }) => ({ role, content: content.slice(-CONTEXT_CHARACTERS) }));
  const conversation = { messages, before, draft, ...(custom_categories && { custom_categories }) };
  const { custom_instructions: instructions, agent_custom_instructions: assistants = instructions } = project;
  const guidelines = { own: { instructions }, assistants: { instructions: assistants } };
  return (await withoutExcluded(ctx, conversation, guidelines)).conversation;
}
