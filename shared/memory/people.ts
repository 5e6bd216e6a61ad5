import { fromItem, toItem } from "../platform/item.ts";
import type { RecordKey, RecordQuery, RecordStore, Write } from "../platform/ports.ts";
import { normalizedName } from "./extraction/merging.ts";

export const PERSON_KIND = "person";

/** Most people that one look-up reads: about 100 bytes each, so a few read units. */
const MAX_PEOPLE = 500;

/** Whose memories know people: those of one user, all or what one agent stored of them. */
interface Circle {
  user: string;
  agent?: string;
}

/** Keys of an agent's people begin with the user, in JSON, so that no user's name is the start of another's. */
const placeIn = ({ user, agent }: Circle): string => (agent === undefined ? "" : JSON.stringify([user]));

export const peopleOfAgent = (org: string, agent: string): string => `${org}#${agent}#people`;

const collectionOf = (org: string, { user, agent }: Circle): string =>
  agent === undefined ? `${org}#people#${user}` : peopleOfAgent(org, agent);

/** One item a person, so that no item is written by every memory that names somebody. */
const personKey = (org: string, circle: Circle, name: string): RecordKey => ({
  pk: collectionOf(org, circle),
  sk: placeIn(circle) + (normalizedName(name) || name),
});

/** Names by which a circle's memories know people; those of memories that were just written follow within a second. */
export async function listPeople(records: RecordStore, org: string, circle: Circle): Promise<string[]> {
  const { items } = await records.query({ ...peopleIn(org, circle), limit: MAX_PEOPLE });
  return items.map((item) => fromItem<{ name: string }>(item).name);
}

/** The people whom a circle's memories know. */
export function peopleIn(org: string, circle: Circle): Pick<RecordQuery, "pk" | "sk"> {
  const place = placeIn(circle);
  return { pk: collectionOf(org, circle), ...(place !== "" && { sk: { beginsWith: place } }) };
}

/** Remembers a person whom a memory of the circle names, on a day (ISO date); repeating it changes nothing. */
export function putPerson(org: string, circle: Circle, name: string, mentioned_on: string): Write {
  const { user: user_id, agent: agent_id } = circle;
  return { put: toItem(personKey(org, circle, name), PERSON_KIND, { name, org, user_id, agent_id, mentioned_on }) };
}
