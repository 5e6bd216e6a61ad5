import { timestamp } from "../kernel/clock.ts";
import { inBatches, inParallel } from "../kernel/parallel.ts";
import { archiveContent, ContentMissing, loadContent } from "../memory/content.ts";
import type { Home } from "../platform/context.ts";
import { ConditionFailed } from "../platform/errors.ts";
import { queryPages } from "../platform/pages.ts";
import type { StoredRecord, Write } from "../platform/ports.ts";
import { archiveKey, blobsFor, MESSAGES_A_BLOB, messagePlace, putArchived, readArchived } from "./archived-messages.ts";
import { type Chore, type DueChore, finishChore, listDue, putChore } from "./chores.ts";
import { collectionOf, sessionKey, toSession } from "./records.ts";
import type { Session } from "./session.ts";

type Owner = Pick<Home, "ports" | "clock" | "logger">;

/** Blobs that are written at a time; their messages are in memory until then. */
const BLOBS_AT_ONCE = 4;
const CONCURRENCY = 8;
/** Records that one transaction deletes: with content of the greatest length they stay below its 4 MB. */
const DELETED_AT_ONCE = 40;
const PAGE = 1000;
const MESSAGES = { beginsWith: "message#" };
/**
 * From the archiving of a session to the removal of its messages' records. A request that read the session before must
 * still find them, and none takes so long.
 */
const SETTLE_AFTER_MS = 60_000;
/** One run of the sweep begins no chore later than this. */
const RUN_MS = 60_000;

/** What is to be done about a session that was archived just now. */
export function settling(session: Session, packed: boolean, now: number): DueChore {
  const { org, id: session_id, message_count: messages, expire_at } = session;
  const due = timestamp(now + SETTLE_AFTER_MS);
  return { what: "settle", org, session_id, messages, packed, ...(expire_at === undefined ? {} : { expire_at }), due };
}

/**
 * Moves an archived session's messages to the blob store, until all are there or the deadline (epoch milliseconds) has
 * come: blobs first, then what says up to which message they are read from there. Crashing, repeating it and doing it
 * twice at once do no harm: a blob is the same whoever writes it. Answers how many there are once all are there.
 */
export async function moveMessages(
  owner: Owner,
  { org, id }: Pick<Session, "org" | "id">,
  packed: boolean,
  deadline: number,
): Promise<number | "gone" | "unfinished"> {
  while (true) {
    const record = await owner.ports.records.get(sessionKey(org, id));
    if (!record) return "gone";
    const session = toSession(record);
    const moved = session.archived_messages ?? 0;
    if (moved >= session.message_count) return moved;
    if (owner.clock() >= deadline) return "unfinished";
    const messages = await takeRecords(owner, session, moved + 1, BLOBS_AT_ONCE * MESSAGES_A_BLOB);
    await putBlobs(owner, session, moved / MESSAGES_A_BLOB, messages, packed);
    await noteMoved(owner, session, moved + messages.length);
  }
}

async function takeRecords(owner: Owner, session: Session, from: number, count: number): Promise<StoredRecord[]> {
  const { org, id, message_count } = session;
  const to = Math.min(from + count - 1, message_count);
  const sk = { atLeast: messagePlace(from), atMost: messagePlace(to) };
  const taken: StoredRecord[] = [];
  const query = { pk: collectionOf(org, id), sk, limit: PAGE };
  for await (const items of queryPages(owner.ports.records, query)) taken.push(...items);
  if (taken.length === to - from + 1) return taken;
  throw new Error(`session ${id} lacks messages between ${from} and ${to}`);
}

async function putBlobs(
  owner: Owner,
  session: Session,
  first: number,
  messages: StoredRecord[],
  packed: boolean,
): Promise<void> {
  const blobs = inBatches(messages, MESSAGES_A_BLOB);
  await inParallel(blobs, BLOBS_AT_ONCE, (own, place) => putArchived(owner, session, first + place, own, packed));
  const long = packed ? messages.flatMap(longContentOf) : [];
  await inParallel(long, CONCURRENCY, async (key) => {
    await archiveContent(owner, key, await loadContent(owner, { content_blob: key }), packed);
  });
}

/** The blob that a long message has for itself. */
function longContentOf({ content_blob }: StoredRecord): string[] {
  return typeof content_blob === "string" ? [content_blob] : [];
}

async function noteMoved(owner: Owner, session: Session, archived_messages: number): Promise<void> {
  const before = session.archived_messages ?? { absent: true };
  const condition = { status: "archived", archived_messages: before };
  try {
    await owner.ports.records.write({
      update: sessionKey(session.org, session.id),
      set: { archived_messages },
      condition,
    });
  } catch (error) {
    // Somebody else moves the same messages, or the session is gone: what is left to do is read anew.
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

// ---------------------------------------------------------------- the sweep's part

/** Does what is due about sessions. A chore that fails or takes too long comes again with the next run. Answers how many were done. */
export async function sweepSessions(owner: Owner): Promise<number> {
  const { records } = owner.ports;
  const deadline = owner.clock() + RUN_MS;
  let done = 0;
  for await (const chore of listDue(records, timestamp(owner.clock()))) {
    if (owner.clock() >= deadline) break;
    try {
      const next = await carryOut(owner, chore, deadline);
      if (next === "unfinished") continue;
      await records.write(finishChore(chore), ...next.map(putChore));
      done++;
    } catch (error) {
      // Another run of the sweep did it as well.
      if (error instanceof ConditionFailed) continue;
      owner.logger.error("SESSION_CHORE_FAILED", { what: chore.what, due: chore.due, error });
    }
  }
  return done;
}

/** What follows, once it is done. */
async function carryOut(owner: Owner, chore: Chore, deadline: number): Promise<DueChore[] | "unfinished"> {
  if (chore.what === "drop") await owner.ports.blobs.delete(chore.blob);
  else if (chore.what === "purge") await purge(owner, chore);
  else return settle(owner, chore, deadline);
  return [];
}

async function settle(
  owner: Owner,
  { org, session_id, messages, packed, expire_at }: Extract<Chore, { what: "settle" }>,
  deadline: number,
): Promise<DueChore[] | "unfinished"> {
  const session = { org, id: session_id };
  const moved = await moveMessages(owner, session, packed, deadline);
  if (moved === "unfinished") return moved;
  if (moved !== "gone") await removeRecords(owner, session, MESSAGES);
  // Messages may have come in between the count that was noted and the archiving, but never a blob full of them.
  const most = moved === "gone" ? messages + MESSAGES_A_BLOB : moved;
  return expire_at === undefined ? [] : [{ what: "purge", org, session_id, messages: most, due: expire_at }];
}

/** Removes a session with all that belongs to it, archived or not. */
export function eraseSession(owner: Owner, { org, id, message_count }: Session): Promise<void> {
  // A message may be added meanwhile, but never a blob full of them.
  return purge(owner, { org, session_id: id, messages: message_count + MESSAGES_A_BLOB });
}

/** Blobs go before the records and lines that name them are gone, so that what is begun again still finds them. */
async function purge(
  owner: Owner,
  { org, session_id: id, messages }: Pick<Extract<Chore, { what: "purge" }>, "org" | "session_id" | "messages">,
): Promise<void> {
  const blobs = Array.from({ length: blobsFor(messages) }, (_, blob) => blob);
  await inParallel(blobs, CONCURRENCY, (blob) => purgeBlob(owner, { org, id }, blob));
  await removeRecords(owner, { org, id });
}

async function purgeBlob(owner: Owner, session: Pick<Session, "org" | "id">, blob: number): Promise<void> {
  try {
    const records = await readArchived(owner, session, blob);
    for (const key of records.flatMap(longContentOf)) await owner.ports.blobs.delete(key);
  } catch (error) {
    if (!(error instanceof ContentMissing)) throw error;
  }
  await owner.ports.blobs.delete(archiveKey(session, blob));
}

/** Removes records of a session's collection: some, whose content lives on in the archive, or all with all they name. */
async function removeRecords(
  owner: Owner,
  { org, id }: Pick<Session, "org" | "id">,
  range?: { beginsWith: string },
): Promise<void> {
  const { records, blobs } = owner.ports;
  while (true) {
    const { items } = await records.query({ pk: collectionOf(org, id), sk: range, limit: PAGE });
    if (items.length === 0) return;
    if (range === undefined) await inParallel(items.flatMap(longContentOf), CONCURRENCY, (key) => blobs.delete(key));
    const deletions = items.map(({ pk, sk }): Write => ({ delete: { pk, sk } }));
    await inParallel(inBatches(deletions, DELETED_AT_ONCE), BLOBS_AT_ONCE, (batch) => records.write(...batch));
  }
}
