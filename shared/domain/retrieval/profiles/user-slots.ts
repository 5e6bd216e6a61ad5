import { dateOf } from "../../../kernel/clock.ts";
import { sha256 } from "../../../kernel/digest.ts";
import { inBatches } from "../../../kernel/parallel.ts";
import { compareTexts } from "../../../kernel/strings.ts";
import { USER } from "../../../language/slots/fact.ts";
import { fromItem, toItem } from "../../../ports/item.ts";
import type { RecordKey, RecordQuery, RecordStore, Write } from "../../../ports/record-store.ts";
import type { FactReference } from "../../memory/memory.ts";
import { sectionOf } from "./profile.ts";

const USER_SLOT_KIND = "user_slot";
const MAX_WRITES = 100;

const collectionOf = (org: string, user: string): string => `${org}#slots#${user}`;

/** Query for the slots of a user that a profile may show: one item each, so that memories do not write to the same item. */
export const slotsOfUser = (org: string, user: string): Pick<RecordQuery, "pk"> => ({ pk: collectionOf(org, user) });

/** Key of the record that says that a user's slots are listed; with another rule of what is listed, the number changes. */
const completeKey = (org: string, user: string): RecordKey => ({ pk: collectionOf(org, user), sk: "complete#1" });

/** Whether facts of a slot may be lines of a profile: any slot that has a plan, and those that have a section. */
function isOfProfile({ slot, is_plan }: FactReference): boolean {
  const split = slot.indexOf("|");
  const subject = slot.slice(0, split) || USER;
  return is_plan === true || sectionOf({ subject, attribute: slot.slice(split + 1) }) !== undefined;
}

/** Returns the writes that list the slots of a user's facts, by name. They can be repeated. */
export function listSlots(org: string, user: string, facts: FactReference[], today: string): Map<string, Write> {
  const mentioned_on = dateOf(today);
  const slots = new Set(facts.filter(isOfProfile).map(({ slot }) => slot));
  return new Map(
    [...slots].map((slot) => {
      const key = { pk: collectionOf(org, user), sk: `slot#${sha256(slot)}` };
      const index = { gsi1pk: key.pk, gsi1sk: `${mentioned_on}#${sha256(slot)}` };
      const write: Write = { put: toItem(key, USER_SLOT_KIND, { slot, mentioned_on }, index) };
      return [JSON.stringify(["slot", mentioned_on, org, user, slot]), write];
    }),
  );
}

/** Lists all slots of a user, so that `findSlots` returns them from then on. */
export async function storeSlots(
  records: RecordStore,
  org: string,
  user: string,
  facts: FactReference[],
  today: string,
): Promise<void> {
  const slots = [...listSlots(org, user, facts, today).values()];
  for (const batch of inBatches(slots, MAX_WRITES)) await records.write(...batch);
  await records.write({ put: toItem(completeKey(org, user), USER_SLOT_KIND, {}) });
}

/** Returns a user's slots of profiles, the `max` mentioned last, in order; undefined if they are not listed yet. One round trip. */
export async function findSlots(
  records: RecordStore,
  org: string,
  user: string,
  max: number,
): Promise<string[] | undefined> {
  const query = { index: "gsi1", pk: collectionOf(org, user), descending: true, limit: max } as const;
  const [complete, { items }] = await Promise.all([records.get(completeKey(org, user)), records.query(query)]);
  return complete && items.map((item) => fromItem<{ slot: string }>(item).slot).sort(compareTexts);
}
