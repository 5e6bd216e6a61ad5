import { fromItem, getObject, toItem } from "../../ports/item.ts";
import type { RecordKey, Write } from "../../ports/record-store.ts";
import type { OrgReader } from "../../runtime/context.ts";
import { padded } from "./archived-messages.ts";
import { collectionOf, keyIn, sessionKey, ttlOf } from "./records.ts";
import type { Session } from "./session.ts";
import type { ConversationState } from "./state.ts";
import type { Segment } from "./summary.ts";

const segmentKey = (org: string, id: string, from: number): RecordKey => keyIn(org, id, `segment#${padded(from)}`);
const stateKey = (org: string, id: string): RecordKey => keyIn(org, id, "state");

const MAX_SEGMENTS = 1000;

/** Returns the segments of a session's summary in order. */
export async function readSegments({ ports, org }: OrgReader, id: string): Promise<Segment[]> {
  const query = { pk: collectionOf(org, id), sk: { beginsWith: "segment#" }, limit: MAX_SEGMENTS };
  const { items } = await ports.records.query(query);
  return items.map(fromItem<Segment>);
}

/** The counters of a session after a compaction. */
export type Folded = Pick<Session, "folded_messages" | "folded_tokens" | "summary_tokens">;

/** Returns all writes that move messages into the summary; refused if the summary changed since `before` was read. */
export function replaceSegments(
  before: Session,
  segments: { before: Segment[]; after: Segment[] },
  folded: Folded,
): Write[] {
  const { org, id, folded_messages, summary_tokens } = before;
  const kept = new Set(segments.after.map(({ from }) => from));
  const removed = segments.before.filter(({ from }) => !kept.has(from));
  const added = segments.after.filter((segment) => !segments.before.includes(segment));
  return [
    { update: sessionKey(org, id), set: { ...folded }, condition: { folded_messages, summary_tokens } },
    ...removed.map(({ from }): Write => ({ delete: segmentKey(org, id, from) })),
    ...added.map((segment) => putSegment(before, segment)),
  ];
}

/** Returns the write of one segment of the summary, for a session whose counters already include it. */
export function putSegment(session: Session, segment: Segment): Write {
  const { org, id } = session;
  const index = { ttl: ttlOf(session) };
  return { put: toItem(segmentKey(org, id, segment.from), "session_segment", segment, index) };
}

/** The state of a conversation up to a message. */
export interface KnownState {
  through: number;
  state: ConversationState;
  /** A short summary of the messages while none is compacted. */
  gist?: Segment;
}

/** Returns undefined if nobody has queried the state of the session yet. */
export function findState({ ports, org }: OrgReader, id: string): Promise<KnownState | undefined> {
  return getObject(ports.records, stateKey(org, id));
}

/** Returns the write that removes the state's expiry, which an earlier release set while the session was archived. */
export function keepState({ org, id }: Session): Write {
  return { update: stateKey(org, id), remove: ["ttl"], condition: "present" };
}

/** Returns the write that stores the state; refused if it was extended since `before`. It expires with its session. */
export function replaceState(session: Session, before: KnownState | undefined, after: KnownState): Write {
  const { org, id } = session;
  return {
    put: toItem(stateKey(org, id), "session_state", after),
    condition: before ? { through: before.through } : "absent",
  };
}
