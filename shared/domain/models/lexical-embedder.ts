import { createSlices } from "../../kernel/slices.ts";
import { stem, termOf, words } from "../../kernel/text/text.ts";
import type { Embedder } from "../../ports/embedder.ts";
import { normalize } from "./vectors.ts";

const DIMENSIONS = 384;
const BACKGROUND = { mean: 0.028, deviation: 0.077 };
/** Lengths of the character n-grams that match inflections, compounds and misspellings; a word's ends count too. */
const GRAM_LENGTHS = [3, 4];
/** Initial states of the hash, one for each kind of feature, so that a word and an n-gram with the same letters differ. */
const WORD_SEED = 0x811c9dc5;
const GRAM_SEED = 0x01234567;

/**
 * Creates an embedder that needs no model: feature hashing (Weinberger et al. 2009) of stems and their character
 * n-grams. Equal texts give equal vectors on any machine. The cosine measures shared vocabulary, not meaning.
 */
export function createLexicalEmbedder(): Embedder {
  return {
    id: `built-in-1:${DIMENSIONS}`,
    isLexical: true,
    dimensions: DIMENSIONS,
    background: BACKGROUND,
    embed: embedTexts,
  };
}

async function embedTexts(texts: string[]): Promise<Float32Array[]> {
  const nextStep = createSlices({ org: undefined });
  const vectors: Float32Array[] = [];
  for (const text of texts) {
    vectors.push(embedText(text));
    await nextStep();
  }
  return vectors;
}

function embedText(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const [word, count] of countStems(text)) addWord(vector, word, 1 + Math.log(count));
  return normalize(vector);
}

/** Returns how often each stem occurs. Stop words count only in a text without other words. */
function countStems(text: string): Map<string, number> {
  const found = words(text).map(({ folded }) => folded);
  const terms = found.map(termOf).filter((term) => term !== undefined);
  const counts = new Map<string, number>();
  for (const term of terms.length > 0 ? terms : found.map(stem)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** Adds a word. Half of its energy is for the word itself; the other half is spread evenly over its n-grams. */
function addWord(vector: Float32Array, word: string, weight: number): void {
  const marked = `^${word}$`;
  addFeature(vector, hash(marked, WORD_SEED), weight);
  const gramCount = GRAM_LENGTHS.reduce((sum, length) => sum + Math.max(0, marked.length - length + 1), 0);
  const gramWeight = weight / Math.sqrt(gramCount);
  for (const length of GRAM_LENGTHS) {
    for (let start = 0; start + length <= marked.length; start++) {
      addFeature(vector, hash(marked, GRAM_SEED, start, start + length), gramWeight);
    }
  }
}

/** Adds a feature. One bit of its hash is the sign, so that features in the same dimension cancel out on average. */
function addFeature(vector: Float32Array, hashed: number, weight: number): void {
  const dimension = (hashed >>> 1) % vector.length;
  vector[dimension] = (vector[dimension] ?? 0) + (hashed & 1 ? weight : -weight);
}

/** Returns the FNV-1a hash of UTF-16 code units, with murmur3's finalizer because FNV's low bits are weak. */
function hash(text: string, seed: number, start = 0, end = text.length): number {
  let state = seed;
  for (let i = start; i < end; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}
