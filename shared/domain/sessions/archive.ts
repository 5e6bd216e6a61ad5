import { timestamp } from "../../kernel/clock.ts";
import { inBatches, inParallel } from "../../kernel/parallel.ts";
import { tryWrite } from "../../ports/conflicts.ts";
import { ConditionFailedError } from "../../ports/errors.ts";
import { pagesOf } from "../../ports/pages.ts";
import type { StoredRecord, Write } from "../../ports/record-store.ts";
import type { Runtime } from "../../runtime/context.ts";
import { archiveContent, ContentMissingError, loadContent } from "../memory/content.ts";
import {
  ArchivedMessages,
  archivePrefix,
  lastMessageOf,
  MESSAGES_PER_BLOB,
  messageSortKey,
  putArchived,
  readArchive,
  type SessionName,
} from "./archived-messages.ts";
import { type DueChore, finishChore, listDue, putChore } from "./chores.ts";
import { collectionOf, sessionKey, toSession } from "./records.ts";
import type { Session } from "./session.ts";

type Owner = Pick<Runtime, "ports" | "clock" | "logger">;

/** Blobs written concurrently. The messages of all of them are in memory until they are written. */
const BLOBS_AT_ONCE = 4;
const CONCURRENCY = 8;
/** Records deleted per transaction: with the maximum content they stay below its 4 MB. */
const DELETED_AT_ONCE = 40;
const PAGE = 1000;
/** Time between moving messages and deleting their records, for requests that read the session before. */
const SETTLE_AFTER_MS = 60_000;
/** After this time a sweep starts no further chore. */
const RUN_MS = 60_000;

/** Returns the chore that moves the messages of a newly archived session; `now` is in epoch milliseconds. */
export function settling(session: Session, packed: boolean, now: number): DueChore {
  const { org, id: session_id, expire_at } = session;
  const due = timestamp(now + SETTLE_AFTER_MS);
  return { what: "settle", org, session_id, packed, ...(expire_at === undefined ? {} : { expire_at }), due };
}

/**
 * Moves an archived session's messages to the blob store, until all are moved or the deadline (epoch milliseconds) is
 * reached: blobs first, then the position up to which messages are read from them. Safe to crash, repeat and run in
 * parallel: a key always holds the same messages. Returns the number of messages once all are moved, otherwise why not.
 */
export async function moveMessages(
  owner: Owner,
  { org, id }: SessionName,
  packed: boolean,
  deadline: number,
): Promise<number | "unfinished" | "gone" | "restored"> {
  while (true) {
    const record = await owner.ports.records.get(sessionKey(org, id));
    if (!record) return "gone";
    const session = toSession(record);
    if (session.status !== "archived") return "restored";
    const moved = session.archived_messages ?? 0;
    if (moved >= session.message_count) return moved;
    if (owner.clock() >= deadline) return "unfinished";
    // A blob that is not full is stored again with later messages under another key.
    const before = moved - (moved % MESSAGES_PER_BLOB);
    const messages = await readRecords(owner, session, before + 1, BLOBS_AT_ONCE * MESSAGES_PER_BLOB);
    await putBlobs(owner, session, before / MESSAGES_PER_BLOB, messages, packed);
    await markMoved(owner, session, before + messages.length);
  }
}

async function readRecords(owner: Owner, session: Session, from: number, count: number): Promise<StoredRecord[]> {
  const { org, id, message_count } = session;
  const to = Math.min(from + count - 1, message_count);
  const sk = { atLeast: messageSortKey(from), atMost: messageSortKey(to) };
  const messages = new ArchivedMessages(owner, session);
  const { items } = await messages.query({ pk: collectionOf(org, id), sk, limit: count });
  if (items.length === to - from + 1) return items;
  throw new Error(`session ${id} lacks messages between ${from} and ${to}`);
}

/** Stores messages in successive blobs, of which `first` is the first. If `packed`, gzips them and long contents. */
async function putBlobs(owner: Owner, session: Session, first: number, messages: StoredRecord[], packed: boolean) {
  const blobs = inBatches(messages, MESSAGES_PER_BLOB);
  await inParallel(blobs, BLOBS_AT_ONCE, (batch, index) => putArchived(owner, session, first + index, batch, packed));
  const unmoved = messages.slice((session.archived_messages ?? 0) - first * MESSAGES_PER_BLOB);
  const long = packed ? unmoved.flatMap(longContentOf) : [];
  await inParallel(long, CONCURRENCY, async (key) => {
    await archiveContent(owner, key, await loadContent(owner, { content_blob: key }), packed);
  });
}

/** Returns the key of the separate blob of a long message, if it has one. */
function longContentOf({ content_blob }: StoredRecord): string[] {
  return typeof content_blob === "string" ? [content_blob] : [];
}

async function markMoved(owner: Owner, session: Session, archived_messages: number): Promise<void> {
  const before = session.archived_messages ?? { absent: true };
  const condition = { status: "archived", archived_messages: before };
  // If refused, another process moves the same messages, or the session was deleted: the state is read again.
  await tryWrite(owner, { update: sessionKey(session.org, session.id), set: { archived_messages }, condition });
}

/** Runs due chores of sessions; the next run retries failed and slow ones. Returns the number of finished chores. */
export async function sweepSessions(owner: Owner): Promise<number> {
  const { records } = owner.ports;
  const deadline = owner.clock() + RUN_MS;
  let done = 0;
  for await (const chore of listDue(records, timestamp(owner.clock()))) {
    if (owner.clock() >= deadline) break;
    try {
      const next = await runChore(owner, chore, deadline);
      if (next === "unfinished") continue;
      await records.write(finishChore(chore), ...next.map(putChore));
      done++;
    } catch (error) {
      // Another run of the sweep finished it.
      if (error instanceof ConditionFailedError) continue;
      owner.logger.error("SESSION_CHORE_FAILED", { what: chore.what, due: chore.due, error });
    }
  }
  return done;
}

/** Runs a chore. Returns its follow-up chores, or "unfinished" if it must run again. */
async function runChore(owner: Owner, chore: DueChore, deadline: number): Promise<DueChore[] | "unfinished"> {
  if (chore.what === "drop") await owner.ports.blobs.delete(chore.blob);
  else if (chore.what === "purge") await purgeExpired(owner, chore);
  else return settleArchive(owner, chore, deadline);
  return [];
}

/** Moves an archived session's messages in one run; a later run deletes the records of the moved messages. */
async function settleArchive(owner: Owner, chore: Extract<DueChore, { what: "settle" }>, deadline: number) {
  const { org, session_id, packed, expire_at } = chore;
  const name = { org, id: session_id };
  const record = await owner.ports.records.get(sessionKey(org, session_id));
  const session = record && toSession(record);
  if (session && !isSettledBy(session, chore)) return [];
  const purges: DueChore[] = expire_at === undefined ? [] : [{ what: "purge", org, session_id, due: expire_at }];
  if (!session) await eraseSession(owner, name);
  if (!session || purges.some(({ due }) => due <= timestamp(owner.clock()))) return purges;
  const moved = await moveMessages(owner, name, packed, deadline);
  // The session's record has the current state for the next run.
  if (typeof moved === "string") return "unfinished";
  if (moved !== (session.archived_messages ?? 0))
    return [{ ...chore, due: timestamp(owner.clock() + SETTLE_AFTER_MS) }];
  await removeRecords(owner, name, { atLeast: messageSortKey(1), atMost: messageSortKey(moved) });
  await removeReplaced(owner, name, moved);
  return purges;
}

/** Whether the archiving that created this chore is still in effect; a later archiving has its own chore. */
function isSettledBy({ status, archived_at = "" }: Session, { due }: DueChore): boolean {
  return status === "archived" && Date.parse(archived_at) + SETTLE_AFTER_MS <= Date.parse(due);
}

/** Deletes blobs whose messages were stored again in a blob with more messages. */
async function removeReplaced(owner: Owner, session: SessionName, moved: number): Promise<void> {
  for await (const key of archivesOf(owner, session)) {
    if ((lastMessageOf(key) ?? moved) < moved) await owner.ports.blobs.delete(key);
  }
}

/** Deletes an expired session: its own record first, so that nobody can restore it afterwards. */
async function purgeExpired(owner: Owner, { org, session_id: id, due }: Extract<DueChore, { what: "purge" }>) {
  const record = await owner.ports.records.get(sessionKey(org, id));
  if (record) {
    const { expire_at, version } = toSession(record);
    if (expire_at === undefined || expire_at > due) return;
    await owner.ports.records.write({ delete: sessionKey(org, id), condition: { version } });
  }
  await eraseSession(owner, { org, id });
}

/** Deletes a session with all its data; blobs before the records that name them, so that a retry still finds them. */
export async function eraseSession(owner: Owner, session: SessionName): Promise<void> {
  for await (const key of archivesOf(owner, session)) await purgeBlob(owner, key);
  await removeRecords(owner, session);
}

async function purgeBlob(owner: Owner, key: string): Promise<void> {
  try {
    const records = await readArchive(owner, key);
    for (const content of records.flatMap(longContentOf)) await owner.ports.blobs.delete(content);
  } catch (error) {
    if (!(error instanceof ContentMissingError)) throw error;
  }
  await owner.ports.blobs.delete(key);
}

/** Yields the keys of the blobs with a session's messages. */
async function* archivesOf(owner: Owner, session: SessionName): AsyncGenerator<string, void> {
  const prefix = archivePrefix(session);
  const list = (after?: string) =>
    owner.ports.blobs.list({ prefix, limit: PAGE, ...(after !== undefined && { after }) });
  for await (const { blobs } of pagesOf(list)) for (const { key } of blobs) yield key;
}

/** Deletes a session's records in a key range, or without a range all of them and the blobs that they refer to. */
async function removeRecords(owner: Owner, { org, id }: SessionName, range?: { atLeast: string; atMost: string }) {
  const { records, blobs } = owner.ports;
  while (true) {
    const { items } = await records.query({ pk: collectionOf(org, id), sk: range, limit: PAGE });
    if (items.length === 0) return;
    if (range === undefined) await inParallel(items.flatMap(longContentOf), CONCURRENCY, (key) => blobs.delete(key));
    const deletions = items.map(({ pk, sk }): Write => ({ delete: { pk, sk } }));
    await inParallel(inBatches(deletions, DELETED_AT_ONCE), BLOBS_AT_ONCE, (batch) => records.write(...batch));
  }
}
