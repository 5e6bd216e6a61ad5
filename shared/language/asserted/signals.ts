import { memoized } from "../../kernel/memoized.ts";
import { setOf } from "../../kernel/strings.ts";
import { STOP_WORDS } from "../../kernel/text/english.ts";
import { bareWord, exactForm, foldAccents } from "../../kernel/text/fold.ts";
import { stem, type Word, words } from "../../kernel/text/text.ts";
import { alternatives } from "../languages/lists.ts";
import { findSecrets } from "../secrets/find-secrets.ts";
import { isQuestion } from "../statements/moods.ts";
import { withoutRecalled } from "../statements/recalled.ts";
import { OwnVoice } from "../statements/voice/voices.ts";
import { sentenceSegments } from "../words/segments.ts";
import { type Stemming, stemmingOfDocument, stemsOf } from "../words/stems.ts";
import { CONDITIONS, DENIALS, GENERIC, PLANS } from "./generic-words.ts";
import { type Quantity, quantitiesIn } from "./quantities.ts";

/** A content word of a sentence. */
export interface Term {
  stem: string;
  /** As written. */
  text: string;
  /** Its number among the words of its sentence. */
  position: number;
  /** Whether it has a capital letter and does not open its sentence. */
  isCapitalised: boolean;
}

/** One sentence of the user. */
export interface Signal {
  /** All of its content words. */
  mentioned: Term[];
  /** Those of what it asserts: none of a question or a condition, and none of clauses that deny or only plan something. */
  terms: Term[];
  quantities: Quantity[];
}

/** Maximum characters read of a memory, sentences read of it, and words of a sentence. */
const MAX_CHARACTERS = 4_000;
const MAX_SENTENCES = 40;
const MAX_WORDS = 40;
const MIN_LETTERS = 3;
const MAX_LANGUAGES = 32;
/** Scripts without spaces have no words that could recur, only pairs of characters. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
/** A pronoun, article or preposition without its vowel before a word: "j'ai", "l'escalade". */
const ELISION = new RegExp(`^(?:${alternatives(({ assertions }) => assertions?.elisions)})['’](?=\\p{L}{2})`, "iu");
const CLAUSE_END = /[,;:()–—]|\s-\s/u;
const QUOTED = /["“”„«»][^"“”„«»\n]{1,400}["“”„«»]/gu;

/** Detects the languages in which a user's texts are compared. */
export function languagesOf(texts: string[]): Stemming {
  return stemmingOfDocument(texts.flatMap((text) => words(text.slice(0, 200)).map(({ folded }) => folded)));
}

/** Yields the sentences of a text in the user's own voice, with blanks for quotations and secrets. Linear in the text. */
export function* ownSentencesOf(content: string): Generator<string> {
  const read = content.slice(0, MAX_CHARACTERS);
  const text = withoutSecrets(withoutQuotes(withoutRecalled(read)));
  const voice = new OwnVoice(read);
  for (const { segment, index } of sentenceSegments(text)) {
    const start = index + segment.length - segment.trimStart().length;
    if (voice.foreignAt(start) === undefined) yield segment;
  }
}

/** Returns the content words of a text in the user's own voice. */
export function signalsOf(content: string, languages: Stemming): Signal[] {
  const signals: Signal[] = [];
  for (const segment of ownSentencesOf(content)) {
    if (signals.length >= MAX_SENTENCES) break;
    const found = words(segment).slice(0, MAX_WORDS);
    const isAsserted = !isQuestion(segment) && !found.some(({ folded }) => CONDITIONS.has(foldAccents(folded)));
    const asserted = new Set(isAsserted ? positionsAsserted(segment, found) : []);
    const mentioned = found.flatMap((word, position) => termOf(segment, word, position, languages) ?? []);
    const terms = mentioned.filter(({ position }) => asserted.has(position));
    if (mentioned.length > 0) signals.push({ mentioned, terms, quantities: isAsserted ? quantitiesIn(segment) : [] });
  }
  return signals;
}

/** Returns the positions of a sentence's words without those of clauses that deny or only plan something. */
function positionsAsserted(text: string, found: Word[]): number[] {
  const clauses: number[][] = [[]];
  for (const [position, word] of found.entries()) {
    if (CLAUSE_END.test(text.slice(found[position - 1]?.end ?? 0, word.start))) clauses.push([]);
    clauses.at(-1)?.push(position);
  }
  const isAsserted = (position: number) => !isUnasserted(foldAccents(found[position]?.folded ?? ""));
  return clauses.filter((clause) => clause.every(isAsserted)).flat();
}

function isUnasserted(word: string): boolean {
  return DENIALS.has(word) || PLANS.has(word);
}

/** Replaces keys, passwords and the like by as many spaces. */
function withoutSecrets(text: string): string {
  return findSecrets(text).reduce(
    (rest, { start, end }) => rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end),
    text,
  );
}

/** Replaces quotations by as many spaces, so that positions stay. */
function withoutQuotes(text: string): string {
  return text.replace(QUOTED, (quoted) => " ".repeat(quoted.length));
}

function termOf(text: string, { folded, start, end }: Word, position: number, languages: Stemming): Term | undefined {
  const word = text.slice(start, end);
  const elided = ELISION.exec(word)?.[0].length ?? 0;
  const written = bareWord(word.slice(elided));
  const plain = elided === 0 ? foldAccents(folded) : foldAccents(exactForm(written));
  if (plain.length < MIN_LETTERS || !/^\p{L}+$/u.test(plain) || UNSPACED.test(plain)) return undefined;
  if (STOP_WORDS.has(plain) || GENERIC.has(plain) || isFunctionWord(exactForm(written), languages)) return undefined;
  const isCapitalised = position > 0 && /^\p{Lu}/u.test(written);
  return { stem: stemOf(plain, languages), text: written, position, isCapitalised };
}

const functionWordsOf = memoized((words: string) => setOf(words), MAX_LANGUAGES);

function isFunctionWord(word: string, { latin }: Stemming): boolean {
  return latin.some(({ functionWords }) => functionWordsOf(functionWords).has(word));
}

/** Returns one stem of a word, in the first language of the texts. */
export function stemOf(folded: string, languages: Stemming): string {
  return stemsOf(folded, languages)[0] ?? stem(folded);
}
