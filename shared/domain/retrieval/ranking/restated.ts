import { DAY_MS } from "../../../kernel/durations.ts";
import { occurredMs } from "../../../kernel/event-time.ts";
import { logit } from "../../../kernel/math.ts";
import { analyse, countShared, wordSet, words } from "../../../kernel/text/text.ts";
import { languageOf } from "../../../language/languages/detect.ts";
import { allWords } from "../../../language/languages/lists.ts";
import { PACKS } from "../../../language/languages/packs.ts";
import type { Query } from "../../../language/questions/query.ts";
import { isPolar, type QuestionTime } from "../../../language/questions/question-time.ts";
import { timePhraseOf } from "../../../language/questions/time-phrase.ts";
import { asksAssistant, speakerOf, termsRead } from "./features.ts";
import type { Ranked } from "./fusion.ts";
import { capitalizedIn } from "./names.ts";
import { readingOpening } from "./opening.ts";

/** Number of best hits whose texts are compared, and characters of each. */
const MAX_COMPARED = 8;
const COMPARED_LENGTH = 1000;
/** Maximum distance from the best hit, in log odds: a hit beyond it does not answer the query as well. */
const MAX_DISTANCE = 1.5;
/** Scores above it say the same: the query's own words. */
const SATURATED = 0.95;
/**
 * Weights of a newer text's likeness to an older one, by logistic regression on the pairs of test/fixtures/mentions.json
 * for development and on life stories: cosine of all terms, cosine of the terms that the query does not have, and
 * whether the newer text has another value of the same kind, or none.
 */
const LIKENESS = { terms: 7.6, otherTerms: 3.8, value: 1.3, intercept: -3.3 };
/** Added where the question itself asks for what holds at a moment: "now", "these days", or `as_of`. */
const ASKED_FOR_LATEST = 1;

/** Words by which a text denies or cancels something. */
const DENIALS = wordSet(allWords(({ recall }) => recall?.denials));

interface Statement {
  id: string;
  day: number;
  isNear: boolean;
  isByAssistant: boolean;
  denies: boolean;
  terms: ReadonlySet<string>;
  /** The terms that the query has, and those that it does not have. */
  askedTerms: ReadonlySet<string>;
  otherTerms: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
  names: ReadonlySet<string>;
}

/** Whether one of two statements about the same thing is rather what the question asks for. */
type Prefers = (one: Statement, other: Statement) => boolean;

/**
 * Returns which of the best hits replaces another one, by the id of the other: it says the same thing anew, and rather
 * what the question asks for. A text that only mentions the topic shares the query's words with the other, but no
 * others, and has no value of its kind.
 */
export function restatementsAmong(hits: Ranked[], query: Query, time: QuestionTime): Map<string, string> {
  const leniency = time === "now" ? ASKED_FOR_LATEST : 0;
  const asksForOutcome = isPolar(query);
  const replaces = (one: Statement, other: Statement) =>
    saysAnew(one, other, leniency) || (asksForOutcome && denies(one, other));
  const asked = query.terms;
  const best = Math.max(0, ...hits.map(({ score }) => score));
  const statements = hits.slice(0, MAX_COMPARED).map((hit) => readStatement(hit, asked, best));
  const prefers = preferenceOf(query, time);
  const restated = statements.flatMap((other): [string, string][] => {
    const preferred = statements
      .filter((one) => one.isNear && prefers(one, other) && replaces(one, other))
      .toSorted((one, another) => one.day - another.day)
      .at(-1);
    return preferred === undefined ? [] : [[other.id, preferred.id]];
  });
  return new Map(restated);
}

/**
 * A question for what was said asks for the assistant's words. One that asks for yes or no is answered by a denial, one
 * with "before" by what came before the event that it names, all others by the latest statement.
 */
function preferenceOf(query: Query, time: QuestionTime): Prefers {
  if (asksAssistant(query)) return (one, other) => one.isByAssistant && !other.isByAssistant;
  if (time === "before") {
    const named = eventOf(query);
    return (one, other) => one.day < other.day && countShared(named, one.terms) < countShared(named, other.terms);
  }
  // What the assistant repeats or supposes does not replace what the user said.
  const isLater: Prefers = (one, other) => one.day > other.day && (other.isByAssistant || !one.isByAssistant);
  if (!isPolar(query)) return isLater;
  return (one, other) => isLater(one, other) || (one.day === other.day && one.denies && !other.denies);
}

/** Returns the terms of the event that a question names after "before". */
function eventOf(query: Query): ReadonlySet<string> {
  const phrase = timePhraseOf(query);
  return new Set(phrase?.side === "before" ? phrase.words.flatMap(({ folded }) => analyse(folded)) : []);
}

/** Factor on a leader's score that bounds the score of the hit behind it. */
const BELOW = 1 - 1e-6;

/**
 * Returns the hits with each right behind its leader: the memory that replaces what it says. A leader answers at least
 * as well as what it replaces, so its score is at least that of the hit, which is capped below it. All other hits keep
 * their score and order.
 */
export function leadersFirst<Hit extends Ranked>(hits: Hit[], leaderOf: (hit: Hit) => Hit | undefined): Hit[] {
  const placed = new Map<string, Hit>();
  const rank = (hit: Hit, minScore: number, behind: ReadonlySet<string>): Hit => {
    const known = placed.get(hit.id);
    if (known !== undefined) return known;
    const own = Math.max(hit.score, minScore);
    const leader = leaderOf(hit);
    const isCycle = leader !== undefined && (leader.id === hit.id || behind.has(leader.id));
    const ahead = leader === undefined || isCycle ? undefined : rank(leader, own, new Set([...behind, hit.id]));
    const score = ahead === undefined ? own : Math.min(own, BELOW * ahead.score);
    const judged = { ...hit, score };
    placed.set(hit.id, judged);
    return judged;
  };
  for (const hit of hits) rank(hit, 0, new Set());
  return [...placed.values()];
}

function readStatement({ id, score, document }: Ranked, asked: ReadonlySet<string>, best: number): Statement {
  const terms = termsRead(document.content);
  return {
    id,
    day: Math.floor(occurredMs(document) / DAY_MS),
    isNear: logit(Math.min(best, SATURATED)) - logit(score) <= MAX_DISTANCE,
    isByAssistant: speakerOf(document) === "assistant",
    terms,
    askedTerms: new Set([...terms].filter((term) => asked.has(term))),
    otherTerms: new Set([...terms].filter((term) => !asked.has(term))),
    ...readValues(document.content),
  };
}

const readValues = readingOpening(COMPARED_LENGTH, (opening): Pick<Statement, "denies" | "numbers" | "names"> => {
  const folded = words(opening).map((word) => word.folded);
  return {
    denies: folded.some((word) => DENIALS.has(word)),
    numbers: new Set(folded.filter((word) => /\p{N}/u.test(word))),
    names: PACKS[languageOf(opening)].capitalNouns ? new Set() : capitalizedIn(opening),
  };
});

/** Whether a text denies or cancels what another one is about: "Lisbon is off". */
function denies(one: Statement, other: Statement): boolean {
  return one.denies && !other.denies && countShared(one.terms, other.terms) > 0;
}

function saysAnew(newer: Statement, older: Statement, leniency: number): boolean {
  if (older.askedTerms.size > 0 && countShared(older.askedTerms, newer.askedTerms) === 0) return false;
  const likeness =
    LIKENESS.terms * cosineOf(newer.terms, older.terms) +
    LIKENESS.otherTerms * cosineOf(newer.otherTerms, older.otherTerms);
  return likeness + LIKENESS.value * compareValues(newer, older) + LIKENESS.intercept + leniency > 0;
}

/**
 * Compares the values of two statements: their numbers or, if the older one has none, their names. Returns 1 if the newer
 * one has another value, -1 if it has none, otherwise 0.
 */
function compareValues(newer: Statement, older: Statement): number {
  const [own, former] = older.numbers.size > 0 ? [newer.numbers, older.numbers] : [newer.names, older.names];
  if (former.size === 0) return 0;
  if (own.size === 0) return -1;
  return [...own].some((value) => !former.has(value)) ? 1 : 0;
}

/** Returns the cosine of two sets: the shared terms by the geometric mean of both sizes; 0 if one is empty. */
function cosineOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return countShared(one, other) / Math.max(1, Math.sqrt(one.size * other.size));
}
