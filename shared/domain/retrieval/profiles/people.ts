import { setOf } from "../../../kernel/strings.ts";
import { normalizedName } from "../../../kernel/text/normalized-name.ts";
import { USER } from "../../../language/slots/fact.ts";
import { KIN } from "../../../language/slots/slots.ts";
import type { PlacedFact } from "../../memory/fact-reader.ts";

/** What somebody is to another. */
const RELATION =
  /^(?:partner|child|parent|sibling|relative|friend|flatmate|neighbour|colleague|boss|doctor|gp|dentist|therapist|supervisor|manager|teacher|contact|pet)(?:$|_of )/;
/** What a line of a person tells. */
const DETAILS =
  setOf(`age birthday lives_in works_as works_at studies studies_at allergic_to diet from nationality lives_with
  works_in works_on relationship_status condition takes does_not_take eats does_not_eat drinks does_not_drink likes dislikes prefers
  afraid_of owns drives phone_model uses plays speaks learns gym member_of habit size`);
/** Maximum details of a person, the latest ones, and characters of a line at which no further one is added. */
const MAX_DETAILS = 6;
const MAX_LINE = 240;

type Attributed = Pick<PlacedFact, "subject" | "attribute">;

export function isRelation({ attribute }: Pick<Attributed, "attribute">): boolean {
  return RELATION.test(attribute);
}

/** Whether a fact may be a detail of a person or animal. */
export function isDetail({ subject, attribute }: Attributed): boolean {
  return subject !== USER && DETAILS.has(attribute);
}

/** The facts of one line, the latest first, and its words if it tells details of a person. */
export interface PersonLine {
  facts: [PlacedFact, ...PlacedFact[]];
  text?: string;
}

interface Person {
  name: string;
  relations: string[];
  facts: PlacedFact[];
}

/**
 * Groups facts about people, given latest first: one line for each person with details, and one for each other relation.
 * Details of a subject who is nobody of the user's are left out: it may be a thing, or another speaker. `former`: the
 * names of people and animals whom the user no longer has.
 */
export function linesOfPeople(facts: readonly PlacedFact[], former: ReadonlySet<string>): PersonLine[] {
  const people = new Map<string, Person>();
  for (const fact of facts) if (fact.subject === USER && isRelation(fact)) addRelation(people, fact);
  const details = facts.filter((fact) => !(fact.subject === USER && isRelation(fact)));
  const known = [...people];
  for (const [key, own] of Map.groupBy(details, ({ subject }) => normalizedName(subject))) {
    const [first] = own;
    const person = personNamed(known, key);
    if (person !== undefined) person.facts.push(...own);
    else if (first !== undefined && !former.has(key) && (KIN.has(key) || own.some(isRelation)))
      people.set(key, { name: first.subject, relations: [], facts: own });
  }
  return [...people.values()].flatMap(linesOf).sort((one, other) => saidAt(other) - saidAt(one));
}

/** Returns the keys of names, as `former` of `linesOfPeople` has them. */
export function keysOfNames(facts: readonly PlacedFact[]): Set<string> {
  return new Set(facts.map(({ value }) => normalizedName(namedIn(value).name)));
}

function addRelation(people: Map<string, Person>, fact: PlacedFact): void {
  const { name, noun } = namedIn(fact.value);
  const key = normalizedName(name);
  const relation = noun ?? nounIn(fact) ?? fact.attribute.replaceAll("_", " ");
  const person = people.get(key) ?? { name, relations: [], facts: [] };
  if (!person.relations.includes(relation)) person.relations.push(relation);
  person.facts.push(fact);
  people.set(key, person);
}

/** "Jana (sister)" names a sister. */
function namedIn(value: string): { name: string; noun?: string } {
  const [, name, noun] = /^(.+) \(([\p{L} -]+)\)$/u.exec(value) ?? [];
  return name === undefined || noun === undefined ? { name: value } : { name, noun };
}

/** Returns the noun by which a statement calls the relation: "sister" for a sibling. */
function nounIn({ content, attribute }: PlacedFact): string | undefined {
  const words = content.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.find((word) => KIN.get(word) === attribute);
}

/** Returns the person of a name or a part of it, or the only one whom a noun fits. */
function personNamed(people: readonly [string, Person][], key: string): Person | undefined {
  const named = people.find(([name]) => name === key) ?? people.find(([name]) => sharesName(name, key));
  if (named !== undefined) return named[1];
  const slot = KIN.get(key);
  const fitting = people.filter(([, { facts }]) => slot !== undefined && facts.some((each) => each.attribute === slot));
  return fitting.length === 1 ? fitting[0]?.[1] : undefined;
}

function sharesName(one: string, other: string): boolean {
  const [shorter, longer] = [one.split(" "), other.split(" ")].sort((a, b) => a.length - b.length);
  return shorter?.every((part) => part !== "" && longer?.includes(part)) ?? false;
}

function linesOf({ name, relations, facts }: Person): PersonLine[] {
  const details = facts.filter((fact) => fact.subject !== USER);
  const own = facts.filter((fact) => fact.subject === USER);
  if (details.length === 0) return own.map((fact) => ({ facts: [fact] }));
  const told = new Map<string, PlacedFact>();
  for (const fact of details) if (!told.has(wordsOf(fact))) told.set(wordsOf(fact), fact);
  let text = relations.length === 0 ? `${name}:` : `${name} (${relations.join(", ")}):`;
  const shown: PlacedFact[] = [];
  for (const [words, fact] of [...told].slice(0, MAX_DETAILS)) {
    if (shown.length > 0 && text.length + words.length > MAX_LINE) break;
    text += `${shown.length === 0 ? "" : ","} ${words}`;
    shown.push(fact);
  }
  const [first, ...rest] = [...own, ...shown].sort(
    (one, other) => saidAt({ facts: [other] }) - saidAt({ facts: [one] }),
  );
  return first === undefined ? [] : [{ facts: [first, ...rest], text }];
}

function wordsOf({ attribute, value, status, valid_from }: PlacedFact): string {
  const words = attribute === "diet" ? value : `${attribute.replaceAll("_", " ")} ${value}`;
  return status === "planned" ? `${words} (from ${valid_from.slice(0, "2026-11-23".length)})` : words;
}

function saidAt({ facts: [first] }: PersonLine): number {
  return Date.parse(first.observed_at);
}
