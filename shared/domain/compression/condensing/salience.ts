import { LRUCache } from "lru-cache";
import { setOf } from "../../../kernel/strings.ts";
import { type Word, words } from "../../../kernel/text/text.ts";
import { allWords } from "../../../language/languages/lists.ts";
import { type FunctionWords, functionWordsOf } from "./function-words.ts";
import type { Line } from "./passage.ts";
import { type TokenCounter, VOCABULARY_SIZE } from "./tokens.ts";

/** Weight of each distinct term of a text, by the key that `termOf` returns. */
export type TermWeights = ReadonlyMap<string, number>;

/** Ids below this are letters, syllables and the most common words, which carry almost no information. */
const UNINFORMATIVE_IDS = 512;
const MIN_INFORMATION = 1;
const MAX_INFORMATION = Math.log2(VOCABULARY_SIZE / UNINFORMATIVE_IDS);
/** Names and numbers cannot be guessed from their context. */
const UNGUESSABLE_FACTOR = 2;
/** The maximum weight of a name. */
const VITAL_WEIGHT = UNGUESSABLE_FACTOR * MAX_INFORMATION;
const NUMBER = /\p{N}/u;
const CAPITAL = /^\p{Lu}/u;

/**
 * Returns the weight of each term of a text. A content word weighs its information by Zipf's law, bits = log2(rank),
 * with the rank estimated from the word's id in the vocabulary; words of several tokens weigh most. Names (capitals
 * inside a sentence, or in a label) and numbers weigh double, function words almost nothing.
 */
export function weighTerms(
  text: string,
  lines: Line[],
  tokens: TokenCounter,
  functionWords: FunctionWords = functionWordsOf(
    lines.flatMap(({ label, sentences }) => [label, ...sentences].flatMap((unit) => unit.words)),
  ),
): TermWeights {
  const weights = new Map<string, number>();
  const cache = informationCacheOf(tokens);
  const informationIn = (folded: string) =>
    folded.length > MAX_CACHED_LENGTH ? informationOf(folded, tokens) : cache.memo(folded);
  for (const line of lines) {
    for (const unit of [line.label, ...line.sentences]) {
      unit.words.forEach(({ folded, start }, index) => {
        const inside = index > 0 || unit === line.label;
        const named = inside && CAPITAL.test(text.charAt(start));
        const term = termOf({ folded, start });
        weights.set(term, Math.max(weights.get(term) ?? 0, weightOf(folded, { named, functionWords }, informationIn)));
      });
    }
  }
  return weights;
}

const MAX_CACHED_WORDS = 10_000;
/** Longer words are rare and would take much memory. */
const MAX_CACHED_LENGTH = 24;
const informationCaches = new WeakMap<TokenCounter, LRUCache<string, number>>();

/** Returns the information of words in a vocabulary, computed once while it is in use. */
function informationCacheOf(tokens: TokenCounter): LRUCache<string, number> {
  const known = informationCaches.get(tokens);
  if (known !== undefined) return known;
  const memoMethod = (folded: string) => informationOf(folded, tokens);
  const cache = new LRUCache<string, number>({ max: MAX_CACHED_WORDS, memoMethod });
  informationCaches.set(tokens, cache);
  return cache;
}

/** The share of the terms' total weight, 0..1, whose terms occur in the recovered text; 1 if there are no terms. */
export function retentionOf(weights: TermWeights, recovered: string): number {
  const present = new Map<string, number>();
  for (const { folded } of words(recovered)) present.set(folded, (present.get(folded) ?? 0) + 1);
  let total = 0;
  let retained = 0;
  for (const [term, weight] of weights) {
    total += weight;
    const [folded = "", index] = term.split("@");
    const left = present.get(folded) ?? 0;
    if (left > 0) retained += weight;
    if (index !== undefined) present.set(folded, left - 1);
  }
  return total === 0 ? 1 : retained / total;
}

function weightOf(
  folded: string,
  { named, functionWords }: { named: boolean; functionWords: FunctionWords },
  information: (folded: string) => number,
): number {
  if (isVital(folded)) return VITAL_WEIGHT;
  const asFunctionWord = functionWords.get(folded);
  if (asFunctionWord !== undefined) return asFunctionWord;
  return information(folded) * (named || NUMBER.test(folded) ? UNGUESSABLE_FACTOR : 1);
}

function informationOf(folded: string, tokens: TokenCounter): number {
  const [id, ...more] = tokens.encode(` ${folded}`);
  if (id === undefined || more.length > 0) return MAX_INFORMATION;
  return Math.max(MIN_INFORMATION, Math.log2(id / UNINFORMATIVE_IDS));
}

/** Words whose loss would change the meaning, in the form of `words`: lower case, without apostrophes. */
const VITAL = setOf(allWords(({ salience }) => salience?.vital));

/** Whether each mention of a word has its own meaning: one "not" cannot replace another. */
function isVital(folded: string): boolean {
  return VITAL.has(folded);
}

/** Returns the term that a word counts as; each occurrence of a vital word is a term of its own. */
export function termOf({ folded, start }: Pick<Word, "folded" | "start">): string {
  return isVital(folded) ? `${folded}@${start}` : folded;
}
