import { setOf } from "../../kernel/strings.ts";
import { analyse, type Word } from "../../kernel/text/text.ts";
import { allWords, alternatives } from "../languages/lists.ts";
import { USER } from "../slots/fact.ts";
import type { Query } from "./query.ts";
import { attributesIn, type Meaning, meaningsAt } from "./slot-words.ts";
import { type Side, type TimePhrase, timePhraseOf } from "./time-phrase.ts";

/** An event in somebody's life by which a question states its time: "before the move", "since I left Acme". */
export interface AskedEvent {
  side: Side;
  /** USER, or the person that the question names: "since Anna moved". */
  subject: string;
  /** The single-valued slots that it may be about. */
  attributes: string[];
  /** What the event does: a value begins, ends or holds; or any change. */
  effect: Meaning["effect"];
  /** Terms of names, one of which the value must contain; empty if the event has no name. */
  names: string[];
  /** The event's words in the question, including the word for the side. */
  said: string;
}

interface ParsedWord {
  word: Word;
  isCapital: boolean;
  meanings: Meaning[];
}

const CAPITAL = /^\p{Lu}[\p{L}\d]/u;
const FROM = setOf(allWords(({ questions }) => questions?.from));
/**
 * Prepositions of languages with the verb at the end: a verb after one belongs to the main clause, "vor Kiel gewohnt".
 */
const BEFORE_NOUNS = new RegExp(String.raw`^(?:${alternatives(({ questions }) => questions?.beforeNouns)})\s`, "iu");
/** Slots whose value a name alone may refer to: "before Kiel". */
const SLOTS_OF_NAMES = ["lives_in", "location", "works_at", "studies_at", "partner"];

/** Returns the event by which a question states its time; undefined if it names none that facts can describe. */
export function askedEventOf(question: Query): AskedEvent | undefined {
  const phrase = timePhraseOf(question);
  if (phrase === undefined) return undefined;
  const parsed = parsePhrase(question, phrase);
  const [first, ...rest] = parsed;
  const end = parsed.at(-1)?.word.end ?? phrase.start;
  const hasSubject = first !== undefined && isName(first) && rest.some(({ meanings }) => meanings.length > 0);
  const predicate = hasSubject ? rest : parsed;
  const named = predicate.filter(isName);
  const targets = named.filter((entry) => !FROM.has(parsed[parsed.indexOf(entry) - 1]?.word.folded ?? ""));
  const names = (targets.length > 0 ? targets : named).flatMap(({ word }) => analyse(word.folded));
  const fitting = predicate.flatMap(({ meanings }, index) =>
    meanings.filter((meaning) => allowsMeaning(meaning, predicate, index)),
  );
  const isNameAlone =
    fitting.length === 0 && names.length > 0 && parsed.every((entry) => isName(entry) || isStopWord(entry));
  if (fitting.length === 0 && !isNameAlone) return undefined;
  const isEnd = named.length > 0 && targets.length === 0;
  return {
    side: phrase.side,
    subject: hasSubject ? nameOf(question, first.word) : USER,
    attributes: [
      ...new Set(isNameAlone ? slotsAround(question, { ...phrase, end }) : fitting.map(({ attribute }) => attribute)),
    ],
    effect: isEnd ? "end" : isNameAlone ? "state" : effectOf(fitting, names),
    names,
    said: question.text.slice(phrase.start, end),
  };
}

function parsePhrase(question: Query, { start, words: phraseWords, language }: TimePhrase): ParsedWord[] {
  const parsed = phraseWords.map((word, index) => ({
    word,
    isCapital: CAPITAL.test(question.text.slice(word.start, word.end)),
    meanings: meaningsAt(phraseWords, index, language),
  }));
  if (!BEFORE_NOUNS.test(question.text.slice(start))) return parsed;
  const verb = parsed.findIndex(({ meanings }) => meanings.some(({ effect }) => effect !== "change"));
  return verb === -1 ? parsed : parsed.slice(0, verb);
}

function isName({ isCapital, meanings }: ParsedWord): boolean {
  return isCapital && meanings.length === 0;
}

/** Whether keyword search ignores the word. */
function isStopWord({ word }: ParsedWord): boolean {
  return analyse(word.folded).length === 0;
}

/** Whether the word at `index` can have this meaning, by the other words. */
function allowsMeaning({ via, needsName }: Meaning, predicate: ParsedWord[], index: number): boolean {
  const isLast = predicate.slice(index + 1).every(isStopWord);
  if (predicate.some(isName) || (isLast && predicate.slice(0, index).every(isStopWord))) return true;
  if (needsName === undefined) return via === undefined || predicate.some(({ word }) => via.includes(word.folded));
  return needsName instanceof RegExp && predicate.some(({ word }) => needsName.test(word.folded));
}

/** Returns the effect of a verb if there is one. A noun with a name is about the beginning of that value. */
function effectOf(said: Meaning[], names: string[]): Meaning["effect"] {
  const verb = said.find(({ effect }) => effect !== "change");
  return verb?.effect ?? (names.length > 0 ? "start" : "change");
}

/**
 * Returns the slots, among those that take names as values, that the rest of a question asks about; all of them if it
 * asks about none.
 */
function slotsAround(question: Query, { start, end, language }: TimePhrase): string[] {
  const rest = question.words.filter((word) => word.end <= start || word.start >= end);
  const asked = attributesIn(rest, language);
  const named = SLOTS_OF_NAMES.filter((slot) => asked.has(slot));
  return named.length > 0 ? named : SLOTS_OF_NAMES;
}

function nameOf(question: Query, { start, end }: Word): string {
  return question.text.slice(start, end).replace(/['’]s?$/u, "");
}
