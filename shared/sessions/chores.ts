import { fromItem, toItem } from "../platform/item.ts";
import { AFTER_ANY_ID } from "../platform/listing.ts";
import { queryPages } from "../platform/pages.ts";
import type { RecordKey, RecordStore, Write } from "../platform/ports.ts";

/** Something that is to be done about a session later, by the sweep, whatever becomes of the request that noted it. */
export type Chore =
  /** An archived session: its messages to the blob store, as far as they are not there, then their records away. */
  | { what: "settle"; org: string; session_id: string; messages: number; packed: boolean; expire_at?: string }
  /** All that there is of a session is to go. */
  | { what: "purge"; org: string; session_id: string; messages: number }
  /** A file that was put there to be fetched once. */
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

export function putChore(chore: DueChore): Write {
  return { put: toItem(choreKey(chore), "session_chore", chore) };
}

/** Refused when the chore is not there any more, because it was done. */
export function finishChore(chore: DueChore): Write {
  return { delete: choreKey(chore), condition: "present" };
}

/** What is due by an instant (ISO), the longest overdue first. */
export async function* listDue(records: RecordStore, by: string): AsyncGenerator<DueChore, void> {
  const query = { pk: LIST, sk: { atMost: by + AFTER_ANY_ID }, limit: PAGE };
  for await (const items of queryPages(records, query)) yield* items.map((item) => fromItem<DueChore>(item));
}
