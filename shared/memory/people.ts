import { fromItem, toItem } from "../platform/item.ts";
import type { RecordKey, RecordStore, Write } from "../platform/ports.ts";
import { normalizedName } from "./extraction/merging.ts";

/** Most people that one look-up reads: about 100 bytes each, so a few read units. */
const MAX_PEOPLE = 500;

/** One item a person, so that no item is written by every memory that names somebody. */
const personKey = (org: string, user: string, name: string, agent?: string): RecordKey => ({
  pk: agent === undefined ? `${org}#people#${user}` : `${org}#${agent}#people#${user}`,
  sk: normalizedName(name) || name,
});

/** Names by which a user's memories, all or those that an agent stored, know people; those of memories that were just written follow within a second. */
export async function listPeople(records: RecordStore, org: string, user: string, agent?: string): Promise<string[]> {
  const { items } = await records.query({ pk: personKey(org, user, "", agent).pk, limit: MAX_PEOPLE });
  return items.map((item) => fromItem<{ name: string }>(item).name);
}

/** Remembers a person whom a memory of the user, that the agent stored if one is given, names; repeating it changes nothing. */
export function putPerson(org: string, user: string, name: string, agent?: string): Write {
  return { put: toItem(personKey(org, user, name, agent), "person", { name }) };
}
