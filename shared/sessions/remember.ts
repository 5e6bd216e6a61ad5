import { mergedCategories, readProjectSettings } from "../compat/project.ts";
import type { JobHandler } from "../jobs/handler.ts";
import { notFound, ServiceError } from "../kernel/errors.ts";
import { looksLike } from "../kernel/ids.ts";
import { type Conversation, partsOf } from "../memory/conversation.ts";
import { heedForReading } from "../memory/heeded.ts";
import { BEGINNING, type Place, rememberPart } from "../memory/reading-place.ts";
import { ownResult } from "../memory/remembered.ts";
import { type Context, type OrgHome, onBehalfOf } from "../platform/context.ts";
import { findSession, readMessages } from "./records.ts";
import type { Session, SessionMessage } from "./session.ts";

/** Which message of a session is to become memories; all of a session that has ended where there is no position. */
export type RememberSessionInput = { session_id: string; position?: number };

/** The message that is worked on, and how far. */
export type RememberSessionCheckpoint = { position: number; place: Place };

/** Messages before one that help to read it: what it answers, and what that is about. */
const CONTEXT_MESSAGES = 2;
/** Of each of these messages its end, where the question is. */
const CONTEXT_CHARACTERS = 1_000;

/**
 * Makes memories of a session's messages as `/v3/memories/add` does of a conversation, one message at a time, so that each
 * has the speaker and the time of its message; the messages before it are read along. Their ids derive from the message: a step that is done twice stores them once.
 */
export const rememberSession: JobHandler<"remember_session"> = {
  kind: "remember_session",

  async step(home, turn) {
    const { input, checkpoint } = turn.job;
    const { session_id } = input;
    const { position, place } = checkpoint;
    const session = await findSession({ ...home, viewer: undefined }, session_id);
    if (!session) throw notFound("session", session_id);
    const { message, before } = await messageAt(home, session, position);
    // What was remembered as it came, and a copy, whose original is remembered, are passed over where the session ends.
    const isDone = input.position === undefined && (message?.is_remembered || message?.copy_of !== undefined);
    const reached =
      message && !isDone
        ? await rememberMessage(home, { session, message, before }, place, () => turn.isOver())
        : undefined;
    if (reached) return { checkpoint: { position, place: reached } };
    if (position >= (input.position ?? session.message_count)) return { end: "completed" };
    return { checkpoint: { position: position + 1, place: BEGINNING } };
  },

  isMoot: (error) => error instanceof ServiceError && error.code === "SESSION_NOT_FOUND",
};

interface Said {
  session: Session;
  message: SessionMessage;
  before: SessionMessage[];
}

/** A message with those right before it, in order. */
async function messageAt(
  home: OrgHome,
  session: Session,
  position: number,
): Promise<Pick<Said, "before"> & Partial<Pick<Said, "message">>> {
  const messages: SessionMessage[] = [];
  const range = { from: Math.max(1, position - CONTEXT_MESSAGES), to: position };
  for await (const batch of readMessages(home, session, range)) messages.push(...batch);
  const message = messages.find((each) => each.position === position);
  return { ...(message && { message }), before: messages.filter((each) => each.position < position) };
}

/** Does a part of the work on a message; undefined once all of it is done. */
async function rememberMessage(
  home: OrgHome,
  said: Said,
  place: Place,
  isOver: () => boolean,
): Promise<Place | undefined> {
  const { session, message } = said;
  const ctx = actingIn(home, session, message);
  const conversation = await conversationOf(ctx, said);
  const part = partsOf(conversation)[place.part];
  if (!part) return undefined;
  const work = {
    name: `${session.id}#${message.id}`,
    conversation,
    part,
    place,
    said_at: message.created_at,
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

/** A message as the project's settings let it be read. */
async function conversationOf(ctx: Context, { session, message, before: earlier }: Said): Promise<Conversation> {
  const { id: run, user_id, agent_id: agent } = session;
  const { role, content, occurred_at, created_at } = message;
  const project = await readProjectSettings(ctx);
  const custom_categories = mergedCategories(project.custom_categories);
  // Nobody else's words may pass for the user's.
  const speaker = role === "user" ? {} : { metadata: { role } };
  const draft = { user_id, labels: { agent, run }, occurred_at: occurred_at ?? created_at, ...speaker };
  const before = earlier.map((each) => ({ role: each.role, content: each.content.slice(-CONTEXT_CHARACTERS) }));
  const said: Conversation = {
    ...{ messages: [{ role, content }], before, draft },
    ...(custom_categories && { custom_categories }),
  };
  const { custom_instructions: instructions, agent_custom_instructions: assistants = instructions } = project;
  const wishes = { own: { instructions }, assistants: { instructions: assistants } };
  return (await heedForReading(ctx, said, wishes)).conversation;
}
