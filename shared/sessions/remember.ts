import { mergedCategories, readProjectSettings } from "../compat/project.ts";
import type { JobHandler } from "../jobs/handler.ts";
import { notFound, ServiceError } from "../kernel/errors.ts";
import { occurredMs } from "../kernel/event-time.ts";
import { looksLike } from "../kernel/ids.ts";
import { type Conversation, PART_LENGTH, partsOf } from "../memory/conversation.ts";
import { heedForReading } from "../memory/heeded.ts";
import { BEGINNING, type Place, rememberPart } from "../memory/reading-place.ts";
import { ownResult } from "../memory/remembered.ts";
import { type Context, type OrgHome, onBehalfOf } from "../platform/context.ts";
import { findSession, readMessages } from "./records.ts";
import type { Session, SessionMessage } from "./session.ts";

/** Which message of a session is to become memories; all of a session that has ended where there is no position. */
export type RememberSessionInput = { session_id: string; position?: number };

/** The message that is worked on, or the first of so many that are read together, and how far. */
export type RememberSessionCheckpoint = { position: number; messages?: number; place: Place };

/** Messages before one that help to read it: what it answers, and what that is about. */
const CONTEXT_MESSAGES = 2;
/** Of each of these messages its end, where the question is. */
const CONTEXT_CHARACTERS = 1_000;
/** Messages of a session that has ended which are read together: a model is asked once about them. */
const MAX_GROUP = 20;
/** What is said of times counts from the first of a group. */
const MAX_GROUP_MS = 3_600_000;

/**
 * Makes memories of a session's messages as `/v3/memories/add` does of a conversation: as they come one message at a time, of a
 * session that has ended in groups. Each memory has the speaker and the time of its message; the messages before are read
 * along. Their ids derive from the message: a step that is done twice stores them once.
 */
export const rememberSession: JobHandler<"remember_session"> = {
  kind: "remember_session",

  async step(home, turn) {
    const { input, checkpoint } = turn.job;
    const { session_id } = input;
    const { position, place } = checkpoint;
    const session = await findSession({ ...home, viewer: undefined }, session_id);
    if (!session) throw notFound("session", session_id);
    // What a release before began is one message.
    const begun = isBeginning(place) ? undefined : (checkpoint.messages ?? 1);
    const said = await messagesAt(home, session, position, input.position === undefined ? begun : 1);
    const messages = Math.max(1, said.messages.length);
    const reached = said.messages.length > 0 ? await rememberGroup(home, said, place, () => turn.isOver()) : undefined;
    if (reached) return { checkpoint: { position, messages, place: reached } };
    const next = position + messages;
    if (next > (input.position ?? session.message_count)) return { end: "completed" };
    return { checkpoint: { position: next, place: BEGINNING } };
  },

  isMoot: (error) => error instanceof ServiceError && error.code === "SESSION_NOT_FOUND",
};

function isBeginning({ part, found, stored }: Place): boolean {
  return part === 0 && found === null && stored === 0;
}

interface Said {
  session: Session;
  /** Read together, in order; none where the message at the position is remembered already. */
  messages: SessionMessage[];
  before: SessionMessage[];
}

/** The message at a position with those after it that are read together with it, and those right before it; `count` where that is known. */
async function messagesAt(home: OrgHome, session: Session, position: number, count?: number): Promise<Said> {
  const read: SessionMessage[] = [];
  const range = { from: Math.max(1, position - CONTEXT_MESSAGES), to: position + (count ?? MAX_GROUP) - 1 };
  for await (const batch of readMessages(home, session, range)) read.push(...batch);
  const own = read.filter((each) => each.position >= position);
  const before = read.filter((each) => each.position < position);
  return { session, before, messages: count === undefined ? groupOf(own) : own };
}

/**
 * The first messages that are read together: of one writer, said within an hour, as long as one reading takes. What was
 * remembered as it came, and a copy, whose original is remembered, are passed over.
 */
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

/** Between a role and what is said, and between two messages. */
const SEPARATORS = ": \n".length;

function isDone({ is_remembered, copy_of }: SessionMessage): boolean {
  return is_remembered === true || copy_of !== undefined;
}

/** Does a part of the work on messages; undefined once all of it is done. */
async function rememberGroup(
  home: OrgHome,
  said: Said,
  place: Place,
  isOver: () => boolean,
): Promise<Place | undefined> {
  const { session, messages } = said;
  const [first] = messages;
  if (first === undefined) return undefined;
  const ctx = actingIn(home, session, first);
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
  return (await rememberPart(ctx, work, isOver)).place;
}

/** The memories of an agent's session are that agent's: the same callers read both. */
function actingIn(home: OrgHome, { agent_id }: Session, { created_by: id }: SessionMessage): Context {
  const kind = looksLike("user", id) ? ("user" as const) : ("api_key" as const);
  const principal = { kind, id, org: home.org, operator: false, plan: "free" as const, permissions: [] };
  const ctx: Context = { ...home, viewer: undefined, principal };
  return looksLike("agent", agent_id) ? onBehalfOf(ctx, agent_id) : ctx;
}

/** Messages as the project's settings let them be read. */
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
  const wishes = { own: { instructions }, assistants: { instructions: assistants } };
  return (await heedForReading(ctx, conversation, wishes)).conversation;
}
