import { USER } from "../facts/fact.ts";
import type { PlacedFact } from "../facts/reader.ts";
import { slotOf } from "../facts/records.ts";
import type { KnownFacts } from "./known-facts.ts";
import { isOwnWords } from "./own-words.ts";

/** Sections of a profile, in their order. */
export const SECTIONS = ["identity", "preferences", "instructions", "plans", "people", "recent_changes"] as const;

export type SectionName = (typeof SECTIONS)[number];

export interface ProfileLine {
  text: string;
  fact_ids: string[];
}

export interface Profile {
  sections: { name: SectionName; lines: ProfileLine[] }[];
  text: string;
  /** When what it rests on was last said; absent where nothing is known. */
  updated_at: string | undefined;
}

export const INSTRUCTION = "instruction";
const PREFERENCES = new Set(["likes", "dislikes", "prefers", "diet", "allergic_to", "afraid_of"]);
const IDENTITY = new Set(
  `name nickname birthday age born from lives_in location works_at works_as works_on works_in assigned_to studies studies_at speaks
   drives owns pet relationship_status email phone address timezone language takes responsible_for`.split(/\s+/),
);
const PEOPLE =
  /^(?:partner|child|parent|sibling|relative|friend|flatmate|neighbour|colleague|boss|doctor|dentist|therapist|supervisor|manager|teacher)(?:$|_of )/;
/** Before the thing that an attribute is a property of: "port_of route-planner". */
const OF_THING = "_of ";
const MAX_LINES = 20;
const RECENT_MS = 90 * 86_400_000;
const MIN_CONFIDENCE = 0.6;
const TITLES: Record<SectionName, string> = {
  identity: "Identity",
  preferences: "Preferences",
  instructions: "Instructions",
  plans: "Projects and plans",
  people: "People",
  recent_changes: "Recent changes",
};

/** What a profile is of, if it is not the one user whose facts are known. */
export interface ProfileSubject {
  /** The name of an entity: its facts alone are told, all of them. */
  entity?: string;
  /** Facts are of several users, who are named. */
  isOfMany?: boolean;
}

/** What is known by users' own words, as of a moment: lines by sections, each with its facts. */
export function profileOf(known: KnownFacts, now: number, subject: ProfileSubject = {}): Profile {
  const isMeant = subject.entity === undefined ? isOfProfile : aboutEntity(subject.entity);
  const sectionFor = (fact: PlacedFact) => sectionOf(fact) ?? (subject.entity === undefined ? undefined : "identity");
  const own = known.facts.filter((fact) => isMeant(fact) && isFromOwnWords(fact, known));
  const held = own.filter(({ status }) => status === "current" || status === "planned");
  const sections = SECTIONS.map((name) => ({
    name,
    lines: linesOf(name === "recent_changes" ? changesOf(own, now) : held.filter((fact) => sectionFor(fact) === name), {
      section: name,
      ...subject,
    }),
  })).filter(({ lines }) => lines.length > 0);
  const text = sections.map(({ name, lines }) => [TITLES[name], ...lines.map((line) => `- ${line.text}`)].join("\n"));
  const updated_at = own.map(({ observed_at }) => observed_at).reduce<string | undefined>(latest, undefined);
  return { sections, text: text.join("\n\n"), updated_at };
}

/** What the user asked the assistant to do, which still holds. */
export function instructionsOf(known: KnownFacts): PlacedFact[] {
  return known.facts.filter(
    (fact) => fact.attribute === INSTRUCTION && fact.status === "current" && isFromOwnWords(fact, known),
  );
}

function isFromOwnWords({ memory_id, span, confidence }: PlacedFact, { memories }: KnownFacts): boolean {
  const memory = memories.get(memory_id);
  if (memory === undefined || confidence < MIN_CONFIDENCE) return false;
  const { content } = memory;
  // A text too long for its record is a document rather than something that somebody said.
  return content !== undefined && isOwnWords({ ...memory, content }, span);
}

/** Whether a fact may be a line of a profile, once it is known whose words it is from. */
function isOfProfile({ subject, attribute, act }: Pick<PlacedFact, "subject" | "attribute" | "act">): boolean {
  return act === "plan" || sectionOf({ subject, attribute }) !== undefined;
}

/** Tells the facts of an entity by its name, whether it or its owner is their subject. */
function aboutEntity(name: string): (fact: PlacedFact) => boolean {
  const beginning = slotOf({ subject: name, attribute: "" });
  const ending = slotOf({ subject: USER, attribute: `${OF_THING}${name}` });
  return (fact) => {
    const slot = slotOf(fact);
    return (
      fact.attribute !== "" && (slot.startsWith(beginning) || slot.endsWith(ending.slice(ending.indexOf(OF_THING))))
    );
  };
}

function sectionOf({
  subject,
  attribute,
  status,
}: Pick<PlacedFact, "subject" | "attribute"> & Partial<Pick<PlacedFact, "status">>): SectionName | undefined {
  if (attribute === INSTRUCTION) return "instructions";
  if (status === "planned") return "plans";
  if (PEOPLE.test(attribute)) return "people";
  if (subject !== USER) return undefined;
  if (PREFERENCES.has(attribute) || attribute.startsWith("favourite")) return "preferences";
  return IDENTITY.has(attribute) ? "identity" : undefined;
}

/** What took the place of something else lately. */
function changesOf(own: PlacedFact[], now: number): PlacedFact[] {
  return own
    .filter(({ supersedes, observed_at }) => supersedes !== undefined && now - Date.parse(observed_at) <= RECENT_MS)
    .filter(({ observed_at }) => Date.parse(observed_at) <= now);
}

/** The newest first; what says the same is one line. */
function linesOf(facts: PlacedFact[], told: Telling): ProfileLine[] {
  const byText = Map.groupBy(
    facts.toSorted((one, other) => Date.parse(other.observed_at) - Date.parse(one.observed_at)),
    (fact) => tell(fact, told),
  );
  return [...byText].slice(0, MAX_LINES).map(([text, those]) => ({ text, fact_ids: those.map(({ id }) => id) }));
}

interface Telling extends Pick<ProfileSubject, "isOfMany"> {
  section: SectionName;
}

function tell(fact: PlacedFact, { section, isOfMany = false }: Telling): string {
  const { subject, attribute, value, content, valid_from, status, user_id } = fact;
  const user = isOfMany && user_id !== undefined ? `${user_id}: ` : "";
  const since = status === "planned" || section === "recent_changes" ? ` (${valid_from.slice(0, 10)})` : "";
  if (attribute === INSTRUCTION || attribute === "" || section === "plans")
    return onOneLine(`${user}${content}${since}`);
  const whose = subject === USER ? "" : `${subject}: `;
  return onOneLine(`${user}${whose}${attribute.replaceAll("_", " ")}: ${value}${since}`);
}

function onOneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

function latest(one: string | undefined, other: string): string {
  return one === undefined || Date.parse(other) > Date.parse(one) ? other : one;
}
