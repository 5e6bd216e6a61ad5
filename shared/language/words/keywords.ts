import { memoized } from "../../kernel/memoized.ts";
import { setOf } from "../../kernel/strings.ts";
import { STOP_WORDS } from "../../kernel/text/english.ts";
import { foldAccents } from "../../kernel/text/fold.ts";
import { stem } from "../../kernel/text/text.ts";
import { type Chunk, chunksOf, type Piece } from "./chunks.ts";
import { isFuzzy } from "./spellings.ts";
import { type Stemming, stemmingOfDocument, stemmingOfQuery, stemsOf } from "./stems.ts";

/**
 * Keyword search for every engine: a document is indexed under the `indexTerms` of its content, and each `Keyword` of a
 * query is looked up under its forms. Both are computed here, so engines only split terms at spaces.
 */

/** Suffixes of stems and of forms without accents; of two characters, so that one edit never changes a term's kind. */
const STEM = "~~";
const FOLDED = "^^";
/** Suffixes of terms that are not words themselves. */
export const OTHER_FORMS = [STEM, FOLDED];
/** The weights of a word's other forms; the word itself has weight 1. */
const FOLDED_WEIGHT = 0.97;
const STEM_WEIGHT = 0.95;
/** Maximum number of keywords of a query, and of all their forms together, because the engine looks up each form. */
const MAX_KEYWORDS = 64;
const MAX_FORMS = 512;

/** A word of a query with all forms that match it. */
export interface Keyword {
  /** Identifies the keyword; words with the same stem are one keyword. */
  term: string;
  /** Its words in the query, in lower case. */
  words: string[];
  /** The index terms that find its documents, each with its weight, 0..1. */
  forms: Map<string, number>;
  /** The forms whose typing errors are corrected (within one edit), if few documents contain the keyword. */
  fuzzyForms: string[];
}

/** A range of a text with the terms that it is indexed under. */
interface Indexed {
  start: number;
  end: number;
  terms: string[];
}

/** Returns the terms that a text is indexed under, in order, with repetitions. */
export function indexTerms(text: string): string[] {
  return [...indexedIn(text)].flatMap(({ terms }) => terms);
}

/** Yields the words of a text in order, each before its parts, with the terms that they are indexed under. */
export function* indexedIn(text: string): Generator<Indexed> {
  const chunks = [...chunksOf(text)];
  const languages = stemmingOfDocument(chunks.flatMap(wordsOf));
  const indexed = ({ word, start, end }: Piece): Indexed[] =>
    isStopWord(word) ? [] : [{ start, end, terms: formsIn(word, languages) }];
  for (const chunk of chunks) {
    if ("indexed" in chunk) yield { start: chunk.start, end: chunk.end, terms: chunk.indexed };
    else if ("characters" in chunk) yield* charactersIndexed(chunk.characters);
    else {
      for (const { word, start, end } of chunk.wholes) yield { start, end, terms: [word] };
      for (const piece of chunk.pieces) {
        yield* indexed(piece);
        for (const part of piece.parts) yield* indexed(part);
      }
    }
  }
}

/** Queries whose keywords are cached: a request looks them up, looks up its parts, and highlights them. */
const MAX_CACHED_QUERIES = 200;

/** Returns the keywords of a query in order, at most MAX_KEYWORDS. */
export const queryKeywords: (text: string) => readonly Keyword[] = memoized(readKeywords, MAX_CACHED_QUERIES);

function readKeywords(text: string): Keyword[] {
  const chunks = [...chunksOf(text)];
  const words = chunks.flatMap(wordsOf);
  const languages = stemmingOfQuery(words);
  const dropped = functionWordsOf(words, languages);
  const keywords = new Map<string, Keyword>();
  const add = (term: string, word: string, forms: Iterable<[string, number]>, fuzzyForms: string[] = []) => {
    const keyword: Keyword = keywords.get(term) ?? { term, words: [], forms: new Map(), fuzzyForms };
    if (!keyword.words.includes(word)) keyword.words.push(word);
    for (const [form, weight] of forms) keyword.forms.set(form, Math.max(weight, keyword.forms.get(form) ?? 0));
    keywords.set(term, keyword);
  };
  for (const chunk of chunks) {
    if (keywords.size >= MAX_KEYWORDS) break;
    if ("asked" in chunk) {
      const [exact = ""] = chunk.asked;
      add(
        exact,
        exact,
        chunk.asked.map((form, index) => [form, index === 0 ? 1 : FOLDED_WEIGHT]),
      );
    } else if ("characters" in chunk) {
      for (const pair of pairsOf(chunk.characters)) add(pair.word, pair.word, [[pair.word, 1]]);
    } else {
      for (const { word, wholes, isName } of askedIn(chunk)) {
        if (isStopWord(word) || dropped.has(word)) continue;
        add(
          stem(foldAccents(word)),
          word,
          formsOf(word, wholes, languages),
          isName ? [] : fuzzyFormsOf(word, languages),
        );
      }
    }
  }
  return bounded([...keywords.values()].slice(0, MAX_KEYWORDS));
}

/** Limits the forms of a long query: each keyword keeps its first forms, which have the highest weights. */
function bounded(keywords: Keyword[]): Keyword[] {
  const maxForms = Math.floor(MAX_FORMS / Math.max(1, keywords.length));
  return keywords.map((keyword) => ({ ...keyword, forms: new Map([...keyword.forms].slice(0, maxForms)) }));
}

/** Returns the word and its stem, both without accents; the stem also finds words with accents. */
function fuzzyFormsOf(word: string, languages: Stemming): string[] {
  const folded = foldAccents(word);
  if (!isFuzzy(folded)) return [];
  const [stem = ""] = stemsOf(folded, languages);
  return [folded, ...(isFuzzy(stem) ? [`${stem}${STEM}`] : [])];
}

type CompoundChunk = Extract<Chunk, { pieces: unknown }>;

interface AskedWord {
  word: string;
  /** Joined spellings that contain the word and also match it. */
  wholes: string[];
  /** Whether it is a name and not a plain word; names are not corrected. */
  isName: boolean;
}

/** Returns the words of a compound that a query looks up. */
function askedIn({ wholes, pieces }: CompoundChunk): AskedWord[] {
  const isPiece = ({ word }: Piece) => word.length > 1 && !isStopWord(word);
  const content = pieces.length > 1 ? pieces.filter(isPiece) : pieces;
  if (content.length === 0) return wholes.slice(0, 1).map(({ word }) => ({ word, wholes: [], isName: true }));
  return content.flatMap(({ word, start, end, parts, isName }) => {
    const contentParts = parts.filter(isPiece);
    const joined = wholes.flatMap((whole) => (whole.start <= start && whole.end >= end ? whole.word : []));
    // Parts are looked up only if there are two with content: not those of YouTube, because "you" is a stop word.
    if (contentParts.length < 2) return [{ word, wholes: joined, isName }];
    return contentParts.map((part) => ({ word: part.word, wholes: [...joined, word], isName: true }));
  });
}

function formsOf(word: string, wholes: string[], languages: Stemming): [string, number][] {
  const folded = foldAccents(word);
  const stems = stemsOf(word, languages).flatMap((stem): [string, number][] => [
    [stem, STEM_WEIGHT],
    [`${stem}${STEM}`, STEM_WEIGHT],
  ]);
  return [
    ...wholes.map((whole): [string, number] => [whole, 1]),
    [word, wholes.length === 0 ? 1 : FOLDED_WEIGHT],
    [folded, FOLDED_WEIGHT],
    [`${folded}${FOLDED}`, FOLDED_WEIGHT],
    ...stems,
  ];
}

/** Returns the terms that a word of a document is indexed under: the word, its form without accents, and its stems. */
function formsIn(word: string, languages: Stemming): string[] {
  const terms = [word];
  const folded = foldAccents(word);
  if (folded !== word) terms.push(`${folded}${FOLDED}`);
  for (const stem of stemsOf(word, languages)) if (stem !== word) terms.push(`${stem}${STEM}`);
  return terms;
}

function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

const functionWordsIn = memoized(setOf, MAX_CACHED_QUERIES);

/** Returns the function words of the query's language; none if the query has no other words. */
function functionWordsOf(words: string[], { certain }: Stemming): ReadonlySet<string> {
  const functionWords = functionWordsIn(certain?.functionWords ?? "");
  return words.every((word) => functionWords.has(word) || isStopWord(word)) ? new Set() : functionWords;
}

function wordsOf(chunk: Chunk): string[] {
  return "pieces" in chunk ? chunk.pieces.map(({ word }) => word) : [];
}

/** Yields each character, so that a query of one character finds it, and each pair of adjacent characters. */
function* charactersIndexed(characters: Piece[]): Generator<Indexed> {
  for (const [index, { word, start, end }] of characters.entries()) {
    yield { start, end, terms: [word] };
    const next = characters[index + 1];
    if (next !== undefined) yield { start, end: next.end, terms: [`${word}${next.word}`] };
  }
}

/** Returns the pairs of adjacent characters, or the only character. */
function pairsOf(characters: Piece[]): Pick<Piece, "word">[] {
  if (characters.length === 1) return characters;
  return characters.slice(1).map(({ word }, index) => ({ word: `${characters[index]?.word}${word}` }));
}
