import { analyse, spaced, type Word, words } from "../../kernel/text/text.ts";
import { allPhrases } from "../../language/languages/lists.ts";
import { PACKS } from "../../language/languages/packs.ts";
import type { Query } from "../../language/questions/query.ts";
import type { Embedder } from "../../ports/embedder.ts";
import type { SearchAnswer } from "../../ports/search-index.ts";
import { speakerOf } from "./ranking/features.ts";
import { capitalizedOf } from "./ranking/names.ts";
import { readingOpening } from "./ranking/opening.ts";

/** Number of characters of a text that are searched for an introduction. */
const OPENING_LENGTH = 100;

/** A word whose only capital is its first letter: neither an acronym nor a code. */
const PLAIN_NAME = /^\p{Lu}[\p{Ll}\p{M}'’]+$/u;

/** The vectors of a query. */
export interface QueryVectors {
  vector: Float32Array | undefined;
  /** For queries with single-word names: the query without them, with the mean of both vectors. */
  unnamed?: { names: ReadonlySet<string>; text: string; vector: Float32Array };
}

/**
 * Embeds a query with one call of the embedder. Everything that people say is near to any question that names them,
 * because their texts name them too. So the vector for that case is the mean of the query's vector and the vector
 * without the names, which keyword search and the ranking's subject feature match. The lexical embedder compares words
 * and gets the unchanged query.
 */
export async function embedQuestion(
  embedder: Pick<Embedder, "embed" | "isLexical">,
  query: Query,
  signal?: AbortSignal,
): Promise<QueryVectors> {
  const rest = embedder.isLexical ? undefined : withoutNames(query);
  const texts = rest === undefined ? [query.text] : [query.text, rest.text];
  const [vector, restVector] = await embedder.embed(texts, { purpose: "query", ...(signal && { signal }) });
  if (rest === undefined || vector === undefined || restVector === undefined) return { vector };
  return { vector, unnamed: { ...rest, vector: meanOf(vector, restVector) } };
}

/** Whether somebody of one of these names said any of the hits. */
export function isSaidBy(names: ReadonlySet<string>, { semantic, keyword }: SearchAnswer): boolean {
  return [...semantic, ...keyword].some(({ document }) => {
    const speaker = speakerOf(document);
    return speaker !== undefined && words(speaker).some(({ folded }) => names.has(folded));
  });
}

/** Phrases right before the speaker's own name. */
const INTRODUCTIONS = allPhrases(({ recall }) => recall?.introductions).map((phrase) => spaced(phrase));

/** Returns the words by which somebody introduces himself at a text's beginning, folded. */
const introducedIn = readingOpening(OPENING_LENGTH, (opening): string[] => {
  const text = spaced(opening);
  const found: string[] = [];
  for (const phrase of INTRODUCTIONS) {
    for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
      const start = at + phrase.length;
      found.push(text.slice(start, text.indexOf(" ", start)));
    }
  }
  return found;
});

/** Whether hits state that the user has all these names: "My name is Mara." */
export function areOwnNames(names: ReadonlySet<string>, { semantic, keyword }: SearchAnswer): boolean {
  const introduced = new Set([...semantic, ...keyword].flatMap(({ document }) => introducedIn(document.content)));
  return [...names].every((name) => introduced.has(name));
}

/**
 * Returns the query without its names; undefined if it has no such name or nothing else, or is in German, where all
 * nouns have capitals.
 */
export function withoutNames(query: Query): { text: string; names: ReadonlySet<string> } | undefined {
  if (PACKS[query.language].capitalNouns) return undefined;
  const { text: asked, words: all } = query;
  const capitalized = capitalizedOf(query);
  const isName = ({ folded, start, end }: Word) => capitalized.has(folded) && /^\p{Lu}/u.test(asked.slice(start, end));
  const isAdjacent = (one: Word | undefined, other: Word | undefined) =>
    one !== undefined && other !== undefined && asked.slice(one.end, other.start).trim() === "";
  const names = all.filter((word, index) => {
    const adjacent = [
      isAdjacent(all[index - 1], word) ? all[index - 1] : undefined,
      isAdjacent(word, all[index + 1]) ? all[index + 1] : undefined,
    ];
    const isAlone = adjacent.every((other) => other === undefined || !isName(other));
    return isName(word) && isAlone && PLAIN_NAME.test(asked.slice(word.start, word.end));
  });
  if (names.length === 0) return undefined;
  const ends = [0, ...names.map(({ end }) => end)];
  const parts = ends.map((end, index) => asked.slice(end, names[index]?.start));
  const text = parts.join("").replace(/\s+/gu, " ").trim();
  return analyse(text).length === 0 ? undefined : { text, names: new Set(names.map(({ folded }) => folded)) };
}

/** Returns the mean of two vectors of length 1, scaled to that length. */
function meanOf(one: Float32Array, other: Float32Array): Float32Array {
  const sum = one.map((value, index) => value + (other[index] ?? 0));
  const length = Math.hypot(...sum);
  return length === 0 ? one : sum.map((value) => value / length);
}
