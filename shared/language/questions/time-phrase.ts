import { type Word, wordSet } from "../../kernel/text/text.ts";
import { Reader } from "../dates/expression.ts";
import { lexiconOf, sensesOf } from "../dates/lexicon.ts";
import { FOREIGN_GRAMMARS } from "../facts/foreign-lexicon.ts";
import type { Language } from "../languages/detect.ts";
import type { LanguagePack } from "../languages/pack.ts";
import { PACKS } from "../languages/packs.ts";
import { VERB_SLOTS } from "../slots/slots.ts";
import type { Query } from "./query.ts";

/** Maximum characters of a question; a longer text is not one. */
const MAX_QUESTION_LENGTH = 300;
const MAX_WORDS = 10;

/** In the order in which the senses of an ambiguous word are tried. */
const SIDES = ["before", "after", "since", "until"] as const;
export type Side = (typeof SIDES)[number];

/** The phrase of a question after "before", "after", "since" or "until": "before the move", "since I joined Acme". */
export interface TimePhrase {
  side: Side;
  language: Language;
  /** Position in the question, including the word for the side. */
  start: number;
  end: number;
  /** The words after the word for the side, up to the end of the clause. */
  words: Word[];
}

/** Prepositions that also express a direction: "nach Kiel" may say where to. */
const DIRECTIONS = new Set([
  ...VERB_SLOTS.flatMap(({ via }) => (via === "object" ? [] : via)),
  ...FOREIGN_GRAMMARS.flatMap(({ verbs }) => verbs.flatMap(({ via = "" }) => via.split(" "))),
]);
const STOPS = /[,;:.?!…()—。、？！，]/u;
const CAPITAL = /^\p{Lu}/u;

/**
 * Returns the first phrase of a question that says on which side of something its time is. Returns undefined if nothing
 * follows the word, or in languages that put the word after the phrase.
 */
export function timePhraseOf(question: Query): TimePhrase | undefined {
  return question.once(readTimePhrase);
}

function readTimePhrase(question: Query): TimePhrase | undefined {
  if (question.text.length > MAX_QUESTION_LENGTH) return undefined;
  // A short question has few words that indicate its language, so the languages with grammars are tried too.
  const languages = new Set([question.language, ...FOREIGN_GRAMMARS.map(({ language }) => language)]);
  for (const language of languages) {
    const phrase = phraseIn(question, language);
    if (phrase !== undefined) return phrase;
  }
  return undefined;
}

function phraseIn(question: Query, language: Language): TimePhrase | undefined {
  const lexicon = lexiconOf(language);
  if (lexicon.table.yearMark !== undefined) return undefined;
  const { tokens } = question;
  const reader = new Reader(tokens, sensesOf(tokens, lexicon), lexicon);
  for (const [index, token] of tokens.entries()) {
    const found = sideAt(reader, index);
    const next = tokens[index + (found?.length ?? 0)];
    if (found === undefined || next === undefined) continue;
    if (DIRECTIONS.has(token.lower) && CAPITAL.test(next.text)) continue;
    const clause = clauseFrom(question, next.start, language);
    const last = clause.at(-1);
    if (last !== undefined) return { side: found.side, language, start: token.start, end: last.end, words: clause };
  }
  return undefined;
}

function sideAt(reader: Reader, index: number): { side: Side; length: number } | undefined {
  const senses = SIDES.flatMap((side) => {
    const sense = reader.sense(index, side);
    return sense === undefined ? [] : [{ side, length: sense.length }];
  });
  const [first, ...others] = senses;
  return first && others.reduce((best, other) => (other.length > best.length ? other : best), first);
}

const INTERROGATIVES = new Map(
  Object.entries(PACKS).map(([language, { questions }]: [string, LanguagePack]) => [
    language,
    wordSet(questions?.interrogatives ?? ""),
  ]),
);

/**
 * Returns the words up to a punctuation mark, or to a question word that begins the main clause: "before I moved to
 * Kiel where did I work".
 */
function clauseFrom(question: Query, from: number, language: Language): Word[] {
  const rest = question.words.filter(({ start }) => start >= from);
  const end = rest.findIndex(
    ({ folded, start }, index) =>
      STOPS.test(question.text.slice(rest[index - 1]?.end ?? from, start)) ||
      (index > 0 && INTERROGATIVES.get(language)?.has(folded)),
  );
  return rest.slice(0, end === -1 ? undefined : end).slice(0, MAX_WORDS);
}
