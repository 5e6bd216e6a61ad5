import { fromItem, toItem } from "../../ports/item.ts";
import type { RecordKey, RecordQuery, RecordStore, Write } from "../../ports/ports.ts";
import { normalizedName } from "./extraction/merging.ts";

export const PERSON_KIND = "person";

/** Maximum number of people per lookup: about 100 bytes each, so a few read units. */
const MAX_PEOPLE = 500;

/** A scope of known people: one user's memories, all or those of one agent. */
interface Circle {
  user: string;
  agent?: string;
}

/** Keys of an agent's people start with the user in JSON, so that no user's name is the prefix of another's. */
const placeIn = ({ user, agent }: Circle): string => (agent === undefined ? "" : JSON.stringify([user]));

export const peopleOfAgent = (org: string, agent: string): string => `${org}#${agent}#people`;

const collectionOf = (org: string, { user, agent }: Circle): string =>
  agent === undefined ? `${org}#people#${user}` : peopleOfAgent(org, agent);

/** One item per person, so that memories do not write to the same item. */
const personKey = (org: string, circle: Circle, name: string): RecordKey => ({
  pk: collectionOf(org, circle),
  sk: placeIn(circle) + (normalizedName(name) || name),
});

/** Names of the people in a scope's memories; those of new memories follow within a second. */
export async function listPeople(records: RecordStore, org: string, circle: Circle): Promise<string[]> {
  const { items } = await records.query({ ...peopleIn(org, circle), limit: MAX_PEOPLE });
  return items.map((item) => fromItem<{ name: string }>(item).name);
}

/** The people in a scope's memories. */
export function peopleIn(org: string, circle: Circle): Pick<RecordQuery, "pk" | "sk"> {
  const place = placeIn(circle);
  return { pk: collectionOf(org, circle), ...(place !== "" && { sk: { beginsWith: place } }) };
}

/** Stores a person mentioned by a memory of the scope, on a day (ISO date); repeating it changes nothing. */
export function putPerson(org: string, circle: Circle, name: string, mentioned_on: string): Write {
  const { user: user_id, agent: agent_id } = circle;
  return { put: toItem(personKey(org, circle, name), PERSON_KIND, { name, org, user_id, agent_id, mentioned_on }) };
}
