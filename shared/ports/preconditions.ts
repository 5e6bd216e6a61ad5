import type { Mail } from "./mailer.ts";
import type { QueueMessage } from "./queue.ts";
import type { RecordKey, RecordQuery, Write } from "./record-store.ts";

/** Checks that every adapter makes; a violation is a programming error, so it throws a plain Error. */

const MAX_WRITES = 100;
/** Maximum number of items per query. */
export const MAX_QUERY_LIMIT = 1000;
const MAX_DELAY_SECONDS = 900;
const BLOB_KEY_SEGMENT = /^[A-Za-z0-9._-]+$/;
const INDEX_NAME = /^[a-z0-9]{1,64}$/;
const LINE_BREAK = /[\r\n]/;

/** Returns the key of the record that a write concerns. */
export function keyOf(write: Write): RecordKey {
  const { pk, sk } =
    "put" in write ? write.put : "update" in write ? write.update : "delete" in write ? write.delete : write.check;
  return { pk, sk };
}

/** Returns a text that identifies a key in maps and sets; JSON, because keys may contain any character. */
export function identityOf({ pk, sk }: RecordKey): string {
  return JSON.stringify([pk, sk]);
}

/** Checks the writes of one transaction: their number, and that each has its own key. */
export function requireSoundWrites(writes: Write[]): void {
  if (writes.length < 1 || writes.length > MAX_WRITES) {
    throw new Error(`an atomic write must have 1 to ${MAX_WRITES} changes, not ${writes.length}`);
  }
  if (new Set(writes.map((write) => identityOf(keyOf(write)))).size < writes.length) {
    throw new Error("an atomic write must not change the same key twice");
  }
}

/** Checks the limit of a query or of a page of a walk. */
export function requireQueryLimit({ limit }: Pick<RecordQuery, "limit">): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_QUERY_LIMIT) {
    throw new Error(`the limit of a query must be an integer from 1 to ${MAX_QUERY_LIMIT}, not ${limit}`);
  }
}

/** Checks a name that becomes part of index and folder names. */
export function requireIndexName(name: string): void {
  if (!INDEX_NAME.test(name)) throw new Error(`'${name}' cannot name an index`);
}

/** Checks a key of the blob store: names separated by `/`, none of which leads to another folder. */
export function requireBlobKey(key: string): void {
  const isSound = key.split("/").every((part) => BLOB_KEY_SEGMENT.test(part) && part !== "." && part !== "..");
  if (!isSound) throw new Error(`'${key}' is not a blob key`);
}

/** Checks that a queue can delay messages for that long. */
export function requireDelays(messages: QueueMessage[]): void {
  for (const { delaySeconds = 0 } of messages) {
    if (!Number.isInteger(delaySeconds) || delaySeconds < 0 || delaySeconds > MAX_DELAY_SECONDS) {
      throw new Error(
        `the delay of a message must be an integer from 0 to ${MAX_DELAY_SECONDS} s, not ${delaySeconds}`,
      );
    }
  }
}

/** Checks that recipient and subject have no line break, which would start another header. */
export function requireOneLineHeaders({ to, subject }: Mail): void {
  if (LINE_BREAK.test(to) || LINE_BREAK.test(subject))
    throw new Error("the recipient and the subject of a mail must not contain line breaks");
}
