import type * as z from "zod";
import { dateOf } from "../../../kernel/clock.ts";
import { DAY_MS } from "../../../kernel/durations.ts";
import { setOf } from "../../../kernel/strings.ts";
import { asLine } from "../../../kernel/text/prompt-text.ts";
import { INSTRUCTION, USER } from "../../../language/slots/fact.ts";
import type { PlacedFact } from "../../memory/fact-reader.ts";
import { slotOf } from "../../memory/facts/records.ts";
import { MIN_CONFIDENCE } from "./confidence.ts";
import type { FactMemory, KnownFacts } from "./known-facts.ts";
import { isOwnWords } from "./own-words.ts";
import type * as wire from "./wire.ts";

/** The sections of a profile, in order. */
export const SECTIONS = ["identity", "preferences", "instructions", "plans", "people", "recent_changes"] as const;

export type SectionName = (typeof SECTIONS)[number];

export type ProfileLine = z.output<typeof wire.ProfileLine>;

export interface Profile extends z.output<typeof wire.Profile> {
  /** When the newest underlying statement was made; undefined if nothing is known. */
  updated_at: string | undefined;
}

const PREFERENCES = setOf("likes dislikes prefers diet allergic_to afraid_of eats drinks does_not_eat does_not_drink");
const PLANS = setOf("plan goal");
/** Attributes of the user that say nothing about who they are. */
const NOT_IDENTITY = setOf("note does status uses room desk bed line platform");
const PEOPLE =
  /^(?:partner|child|parent|sibling|relative|friend|flatmate|neighbour|colleague|boss|doctor|gp|dentist|therapist|supervisor|manager|teacher|contact)(?:$|_of )/;
/** Separates an attribute from the thing it is a property of: "port_of route-planner". */
const OF_THING = "_of ";
/** Maximum number of lines of a section. */
export const MAX_LINES = 20;
const RECENT_MS = 90 * DAY_MS;
const TITLES: Record<SectionName, string> = {
  identity: "Identity",
  preferences: "Preferences",
  instructions: "Instructions",
  plans: "Projects and plans",
  people: "People",
  recent_changes: "Recent changes",
};

/** The subject of a profile, if it is not the one user whose facts are known. */
export interface ProfileSubject {
  /** The name of an entity: only its facts are rendered, and all of them. */
  entity?: string;
  /** True if facts are of several users, who are named in the lines. */
  isOfMany?: boolean;
}

/** Returns what is known from users' own words, as of a moment: lines by sections, each with its facts. */
export function profileOf(known: KnownFacts<FactMemory>, now: number, subject: ProfileSubject = {}): Profile {
  const isIncluded = subject.entity === undefined ? isOfProfile : aboutEntity(subject.entity);
  const sectionFor = (fact: PlacedFact) => sectionOf(fact) ?? (subject.entity === undefined ? undefined : "identity");
  const statements = known.facts.filter((fact) => isIncluded(fact) && isFromOwnWords(fact, known));
  const held = statements.filter(({ status }) => status === "current" || status === "planned");
  const sections = SECTIONS.map((name) => ({
    name,
    lines: linesOf(
      name === "recent_changes" ? changesOf(held, now) : held.filter((fact) => sectionFor(fact) === name),
      {
        section: name,
        ...subject,
      },
    ),
  })).filter(({ lines }) => lines.length > 0);
  const text = sections.map(({ name, lines }) => [TITLES[name], ...lines.map((line) => `- ${line.text}`)].join("\n"));
  const updated_at = statements.map(({ observed_at }) => observed_at).reduce<string | undefined>(latest, undefined);
  return { sections, text: text.join("\n\n"), updated_at };
}

/** Returns the user's instructions to the assistant that are still valid. */
export function instructionsOf(known: KnownFacts): PlacedFact[] {
  return known.facts.filter(
    (fact) => sectionOf(fact) === "instructions" && fact.status === "current" && isFromOwnWords(fact, known),
  );
}

/** Returns the sentence of an instruction, or the value to which a person corrected it. */
export function wordsOf({ content, value, as_read }: Pick<PlacedFact, "content" | "value" | "as_read">): string {
  return as_read?.value === undefined || as_read.value === value ? content : value;
}

/** Returns the changes of profile facts by users' own words that are still valid, whenever they were stated. */
export function changesByOwnWords(known: KnownFacts<FactMemory>): PlacedFact[] {
  return known.facts.filter(
    (fact) =>
      fact.supersedes !== undefined &&
      (fact.status === "current" || fact.status === "planned") &&
      isOfProfile(fact) &&
      isFromOwnWords(fact, known),
  );
}

function isFromOwnWords(fact: PlacedFact, { memories }: KnownFacts<FactMemory>): boolean {
  const { memory_id, span, confidence, attribute, as_read } = fact;
  const memory = memories.get(memory_id);
  if (memory === undefined || confidence < MIN_CONFIDENCE) return false;
  // A correction makes no instruction: the user's words must state it.
  if (attribute === INSTRUCTION && (as_read?.attribute ?? INSTRUCTION) !== INSTRUCTION) return false;
  const { content } = memory;
  // A text too long for its record is a document rather than something that a user said.
  return content !== undefined && isOwnWords({ ...memory, content }, span);
}

/** Whether a fact may be a line of a profile, apart from whose words it is from. */
function isOfProfile({ subject, attribute, act }: Pick<PlacedFact, "subject" | "attribute" | "act">): boolean {
  return act === "plan" || sectionOf({ subject, attribute }) !== undefined;
}

/** Returns a predicate for the facts of an entity by its name, whether it or its owner is their subject. */
function aboutEntity(name: string): (fact: PlacedFact) => boolean {
  const beginning = slotOf({ subject: name, attribute: "" });
  const ending = slotOf({ subject: USER, attribute: `${OF_THING}${name}` });
  return (fact) => {
    const slot = slotOf(fact);
    return slot.startsWith(beginning) || slot.endsWith(ending.slice(ending.indexOf(OF_THING)));
  };
}

/** Returns the section that shows a fact; undefined if none does. */
export function sectionOf({
  subject,
  attribute,
  status,
}: Pick<PlacedFact, "subject" | "attribute"> & Partial<Pick<PlacedFact, "status">>): SectionName | undefined {
  if (attribute === INSTRUCTION) return subject === USER ? "instructions" : undefined;
  if (status === "planned") return "plans";
  if (PEOPLE.test(attribute)) return "people";
  if (subject !== USER) return undefined;
  if (PLANS.has(attribute)) return "plans";
  if (PREFERENCES.has(attribute) || attribute.startsWith("favourite")) return "preferences";
  return attribute.includes(OF_THING) || NOT_IDENTITY.has(attribute) ? undefined : "identity";
}

/** Returns the facts that superseded others recently. */
function changesOf(statements: PlacedFact[], now: number): PlacedFact[] {
  return statements
    .filter(({ supersedes, observed_at }) => supersedes !== undefined && now - Date.parse(observed_at) <= RECENT_MS)
    .filter(({ observed_at }) => Date.parse(observed_at) <= now);
}

/** Renders facts, newest first; facts with the same text are one line. */
function linesOf(facts: PlacedFact[], options: LineOptions): ProfileLine[] {
  const byText = Map.groupBy(
    facts.toSorted((one, other) => Date.parse(other.observed_at) - Date.parse(one.observed_at)),
    (fact) => lineText(fact, options),
  );
  return [...byText].slice(0, MAX_LINES).map(([text, group]) => ({ text, fact_ids: group.map(({ id }) => id) }));
}

interface LineOptions extends Pick<ProfileSubject, "isOfMany"> {
  section: SectionName;
}

function lineText(fact: PlacedFact, { section, isOfMany = false }: LineOptions): string {
  const { subject, attribute, value, content, valid_from, status, user_id } = fact;
  const user = isOfMany && user_id !== undefined ? `${user_id}: ` : "";
  const since = status === "planned" || section === "recent_changes" ? ` (${dateOf(valid_from)})` : "";
  if (attribute === INSTRUCTION) return asLine(`${user}${wordsOf(fact)}${since}`);
  if (section === "plans") return asLine(`${user}${content}${since}`);
  const whose = subject === USER ? "" : `${subject}: `;
  return asLine(`${user}${whose}${attribute.replaceAll("_", " ")}: ${value}${since}`);
}

function latest(one: string | undefined, other: string): string {
  return one === undefined || Date.parse(other) > Date.parse(one) ? other : one;
}
