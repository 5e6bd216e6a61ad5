/** Compares the facts extracted from the stories in ../shared/bench with the questions asked about them. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { placeFacts, statusAt } from "../../shared/domain/memory/facts/timeline/timeline.ts";
import { readFacts } from "../../shared/language/facts/read-facts.ts";
import { loadLemmatizer } from "../../shared/language/facts/verb-group.ts";
import type { Fact, Observation } from "../../shared/language/slots/fact.ts";
import { slotKey } from "../../shared/language/slots/slot-key.ts";
import { readPassage } from "../../shared/language/statements/passage.ts";
import { loadTagger } from "../../shared/language/statements/tagging.ts";
import { readingTask } from "../../shared/language/statements/tasks.ts";
import type { Sequence } from "./fact-sequences.ts";

const STORIES = fileURLToPath(new URL("../../../shared/bench/life", import.meta.url));

const CASES = fileURLToPath(new URL("../../../shared/bench/understanding/truth_cases.json", import.meta.url));

export interface Story {
  id: string;
  user: string;
  sessions: { at: string; turns: { id: string; speaker: string; text: string }[] }[];
  questions: Question[];
}

export interface Question {
  id: string;
  type: string;
  question: string;
  asked_at: string;
  as_of: string | null;
  /** The answer must contain one alternative of each group. */
  answer: string[][];
}

/** Returns the stories; undefined if they are absent. */
export function readStories(): Story[] | undefined {
  return ifPresent(() => {
    const files = readdirSync(STORIES).filter((file) => /^d\d+\.json$/.test(file));
    return files.sort().map((file) => JSON.parse(readFileSync(path.join(STORIES, file), "utf8")) as Story);
  });
}

/** Statements, the last of which is true now. */
export interface TruthCase {
  id: string;
  say: [string, string][];
  /** Words of the valid statement, and of the superseded one. */
  current: string;
  stale: string;
}

/** Returns the cases; undefined if they are absent. */
export function readCases(): TruthCase[] | undefined {
  return ifPresent(() => JSON.parse(readFileSync(CASES, "utf8")) as TruthCase[]);
}

function ifPresent<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** A statement with its speaker and time. */
export interface Said {
  id: string;
  speaker: string;
  text: string;
  at: string;
}

/** Returns the observations that a service makes of the statements. */
async function observe(said: Said[], userName?: string): Promise<Observation[]> {
  const [tag, lemmaOf] = await Promise.all([loadTagger(), loadLemmatizer()]);
  const observed: Observation[] = [];
  for (const { id, speaker, text, at } of said) {
    const passage = await readPassage({ content: text, occurred_at: at, metadata: { speaker } });
    const drafts = readFacts({ content: text, passage, tag, lemmaOf, userName });
    for (const [index, draft] of drafts.entries()) {
      observed.push({ ...draft, id: `${id}#${index}`, memory_id: id, observed_at: at });
    }
  }
  return observed;
}

export function observeStory(story: Story): Promise<Observation[]> {
  const said = story.sessions.flatMap(({ at, turns }) => turns.map((turn) => ({ ...turn, at })));
  return observe(said, story.user);
}

/** Returns the placed facts of each slot. */
export function factsOf(observations: Observation[], now: Date): Fact[][] {
  const slots = Map.groupBy(observations, ({ subject, attribute }) => slotKey(subject, attribute));
  return [...slots.values()].map((group) => placeFacts(group, now));
}

/** Question types that a fact answers by its value and its status. */
const BY_STATUS: Readonly<Record<string, (slot: Fact[], question: Question) => Fact[]>> = {
  current: (slot) => slot.filter(({ status }) => status === "current"),
  past: (slot) => slot.filter(({ status }) => status === "superseded" || status === "past"),
  as_of: (slot, { as_of }) => (as_of === null ? [] : statusAt(slot, new Date(as_of))),
};

export interface Verdict {
  question: Question;
  /** A fact that holds the answer with the right status. */
  answer?: Fact;
}

/** Returns which of a story's questions a fact answers. */
export async function judgeStory(story: Story): Promise<Verdict[]> {
  const observations = await observeStory(story);
  return story.questions.flatMap((question) => {
    const among = BY_STATUS[question.type];
    if (among === undefined) return [];
    const facts = factsOf(observations, new Date(question.asked_at)).flatMap((slot) => among(slot, question));
    const answer = facts.find((fact) => holds(fact, question.answer));
    return [{ question, ...(answer !== undefined && { answer }) }];
  });
}

function holds({ subject, attribute, value }: Fact, groups: string[][]): boolean {
  const said = `${subject} ${attribute}: ${value}`.toLowerCase();
  return groups.every((group) => group.some((word) => said.includes(word)));
}

/** Returns the facts of a user's statements, as of after the last one. */
export async function factsAtEnd(say: [string, string][]): Promise<Fact[]> {
  const said = say.map(([day, text], index) => ({
    id: `${day}-${index}`,
    speaker: "user",
    text,
    at: `${day}T09:00:00Z`,
  }));
  return factsOf(await observe(said), new Date(END)).flat();
}

/** Whether the current facts at the end of a sequence hold the expected value, and nothing that has ended. */
export async function holdsAtEnd({ say, now, gone, isPlanned = false }: Sequence): Promise<boolean> {
  const facts = await factsAtEnd(say);
  const told = facts.filter(({ attribute }) => !TELLS_AN_END.test(attribute));
  const holding = facts.filter(({ status }) => status === (isPlanned ? "planned" : "current"));
  const standing = told.filter(({ status }) => status === "current" || status === "planned");
  const isReadable = now === undefined || holding.some(({ value }) => value.toLowerCase().includes(now));
  const isLeft =
    gone !== undefined &&
    standing.some(({ value }) => holdsWord(value.toLowerCase(), gone) && !(now && value.toLowerCase().includes(now)));
  return isReadable && !isLeft;
}

const END = "2026-11-20T00:00:00Z";
/** Attributes of facts that state an end: "quit smoking". */
const TELLS_AN_END = /^(?:status_of|stop|give up|quit|not )/;

/** Whether the text contains the word as a whole word: "49" is in "49 euros", not in "149". */
function holdsWord(text: string, word: string): boolean {
  const index = text.indexOf(word);
  return index !== -1 && !/[a-z\d.]/.test(text[index - 1] ?? " ");
}

/** Processes a turn like a stored memory, with or without its facts. */
export async function extractWith({ text, at, speaker }: Said, { facts }: { facts: boolean }): Promise<void> {
  const passage = await readPassage({ content: text, occurred_at: at, metadata: { speaker } });
  await readingTask.builtIn({ passage, focus: passage.sentences, known: [], attempt: 1, related: [], facts: [] });
  if (!facts) return;
  const [tag, lemmaOf] = await Promise.all([loadTagger(), loadLemmatizer()]);
  readFacts({ content: text, passage, tag, lemmaOf });
}
