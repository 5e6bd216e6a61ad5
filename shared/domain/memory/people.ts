import { normalizedName } from "../../kernel/text/normalized-name.ts";
import { fromItem, toItem } from "../../ports/item.ts";
import type { RecordKey, RecordQuery, RecordStore, Write } from "../../ports/record-store.ts";

export const PERSON_KIND = "person";

/** Maximum number of people per lookup: about 100 bytes each, so a few read units. */
const MAX_PEOPLE = 500;

/** A scope of known people: one user's memories, all or those of one agent. */
interface PeopleScope {
  user: string;
  agent?: string;
}

/** Keys of an agent's people start with the user in JSON, so that no user's name is the prefix of another's. */
const sortKeyPrefix = ({ user, agent }: PeopleScope): string => (agent === undefined ? "" : JSON.stringify([user]));

export const peopleOfAgent = (org: string, agent: string): string => `${org}#${agent}#people`;

const collectionOf = (org: string, { user, agent }: PeopleScope): string =>
  agent === undefined ? `${org}#people#${user}` : peopleOfAgent(org, agent);

/** One item per person, so that memories do not write to the same item. */
const personKey = (org: string, scope: PeopleScope, name: string): RecordKey => ({
  pk: collectionOf(org, scope),
  sk: sortKeyPrefix(scope) + (normalizedName(name) || name),
});

/** Returns the names of the people in a scope's memories; those of new memories follow within a second. */
export async function listPeople(records: RecordStore, org: string, scope: PeopleScope): Promise<string[]> {
  const { items } = await records.query({ ...peopleIn(org, scope), limit: MAX_PEOPLE });
  return items.map((item) => fromItem<{ name: string }>(item).name);
}

/** Query for the people in a scope's memories. */
export function peopleIn(org: string, scope: PeopleScope): Pick<RecordQuery, "pk" | "sk"> {
  const prefix = sortKeyPrefix(scope);
  return { pk: collectionOf(org, scope), ...(prefix !== "" && { sk: { beginsWith: prefix } }) };
}

/** Returns the write for a person whom a memory of the scope mentions on a day (ISO date). It can be repeated. */
export function putPerson(org: string, scope: PeopleScope, name: string, mentioned_on: string): Write {
  const { user: user_id, agent: agent_id } = scope;
  return { put: toItem(personKey(org, scope, name), PERSON_KIND, { name, org, user_id, agent_id, mentioned_on }) };
}
