import { analyse, type Word, words } from "../../../kernel/text/text.ts";
import { USER } from "../facts/fact.ts";
import { type Meaning, meaningsAt } from "./slot-words.ts";
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

interface Heard {
  word: Word;
  isCapital: boolean;
  meanings: Meaning[];
}

const CAPITAL = /^\p{Lu}[\p{L}\d]/u;
const FROM = new Set(["from", "von", "vom", "aus", "de"]);
/**
 * Prepositions of languages with the verb at the end: a verb after one belongs to the main clause, "vor Kiel gewohnt".
 */
const BEFORE_NOUNS = /^(?:vor|nach|voor|na)\s/iu;
/** Slots whose value a name alone may refer to: "before Kiel". */
const SLOTS_OF_NAMES = ["lives_in", "location", "works_at", "studies_at", "partner"];

/** Returns the event by which a question states its time; undefined if it names none that facts can describe. */
export function askedEventOf(question: string): AskedEvent | undefined {
  const phrase = timePhraseOf(question);
  if (phrase === undefined) return undefined;
  const heard = hear(question, phrase);
  const [first, ...rest] = heard;
  const end = heard.at(-1)?.word.end ?? phrase.start;
  const hasSubject = first !== undefined && isName(first) && rest.some(({ meanings }) => meanings.length > 0);
  const predicate = hasSubject ? rest : heard;
  const named = predicate.filter(isName);
  const reached = named.filter((one) => !FROM.has(heard[heard.indexOf(one) - 1]?.word.folded ?? ""));
  const names = (reached.length > 0 ? reached : named).flatMap(({ word }) => analyse(word.folded));
  const said = predicate.flatMap(({ meanings }, place) => meanings.filter((one) => isSaid(one, predicate, place)));
  const isNameAlone = said.length === 0 && names.length > 0 && heard.every((one) => isName(one) || isEmpty(one));
  if (said.length === 0 && !isNameAlone) return undefined;
  const isLeft = named.length > 0 && reached.length === 0;
  return {
    side: phrase.side,
    subject: hasSubject ? nameOf(question, first.word) : USER,
    attributes: [
      ...new Set(isNameAlone ? slotsAround(question, { ...phrase, end }) : said.map(({ attribute }) => attribute)),
    ],
    effect: isLeft ? "end" : isNameAlone ? "state" : effectOf(said, names),
    names,
    said: question.slice(phrase.start, end),
  };
}

function hear(question: string, { start, words: own, language }: TimePhrase): Heard[] {
  const heard = own.map((word, place) => ({
    word,
    isCapital: CAPITAL.test(question.slice(word.start, word.end)),
    meanings: meaningsAt(own, place, language),
  }));
  if (!BEFORE_NOUNS.test(question.slice(start))) return heard;
  const verb = heard.findIndex(({ meanings }) => meanings.some(({ effect }) => effect !== "change"));
  return verb === -1 ? heard : heard.slice(0, verb);
}

function isName({ isCapital, meanings }: Heard): boolean {
  return isCapital && meanings.length === 0;
}

/** Whether keyword search ignores the word. */
function isEmpty({ word }: Heard): boolean {
  return analyse(word.folded).length === 0;
}

/** Whether the surrounding words allow a word this meaning. */
function isSaid({ via, needsName }: Meaning, predicate: Heard[], place: number): boolean {
  const isLast = predicate.slice(place + 1).every(isEmpty);
  if (predicate.some(isName) || (isLast && predicate.slice(0, place).every(isEmpty))) return true;
  if (needsName === undefined) return via === undefined || predicate.some(({ word }) => via.includes(word.folded));
  return needsName instanceof RegExp && predicate.some(({ word }) => needsName.test(word.folded));
}

/** A verb is more specific than a noun; a noun with a name is about the beginning of that value. */
function effectOf(said: Meaning[], names: string[]): Meaning["effect"] {
  const verb = said.find(({ effect }) => effect !== "change");
  return verb?.effect ?? (names.length > 0 ? "start" : "change");
}

/**
 * Returns the slots, among those that take names as values, that the rest of a question asks about; all of them if it
 * asks about none.
 */
function slotsAround(question: string, { start, end, language }: TimePhrase): string[] {
  const rest = words(question).filter((word) => word.end <= start || word.start >= end);
  const asked = new Set(
    rest.flatMap((_, place) => meaningsAt(rest, place, language).map(({ attribute }) => attribute)),
  );
  const named = SLOTS_OF_NAMES.filter((slot) => asked.has(slot));
  return named.length > 0 ? named : SLOTS_OF_NAMES;
}

function nameOf(question: string, { start, end }: Word): string {
  return question.slice(start, end).replace(/['’]s?$/u, "");
}
