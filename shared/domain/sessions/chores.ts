import { fromItem, toItem } from "../../ports/item.ts";
import { AFTER_ANY_ID } from "../../ports/listing.ts";
import { queryPages } from "../../ports/pages.ts";
import type { RecordKey, RecordStore, Write } from "../../ports/record-store.ts";

/** Work on a session that the sweep does later. */
export type Chore =
  /** For an archived session: move its messages to the blob store, then delete their records. */
  | { what: "settle"; org: string; session_id: string; packed: boolean; expire_at?: string }
  /** Delete all data of a session, unless it exists and has not expired. */
  | { what: "purge"; org: string; session_id: string }
  /** Delete a temporary download file. */
  | { what: "drop"; blob: string };

export type DueChore = Chore & {
  /** ISO */
  due: string;
};

const LIST = "session-chores";
const PAGE = 100;

function choreKey(chore: DueChore): RecordKey {
  const about = chore.what === "drop" ? chore.blob : `${chore.org}#${chore.session_id}`;
  return { pk: LIST, sk: `${chore.due}#${chore.what}#${about}` };
}

/** The write of a chore; repeating it changes nothing. */
export function putChore(chore: DueChore): Write {
  return { put: toItem(choreKey(chore), "session_chore", chore) };
}

/** Refused if the chore was already done. */
export function finishChore(chore: DueChore): Write {
  return { delete: choreKey(chore), condition: "present" };
}

/** Chores due by an instant (ISO 8601), longest overdue first. */
export async function* listDue(records: RecordStore, by: string): AsyncGenerator<DueChore, void> {
  const query = { pk: LIST, sk: { atMost: by + AFTER_ANY_ID }, limit: PAGE };
  for await (const items of queryPages(records, query)) yield* items.map((item) => fromItem<DueChore>(item));
}
