import { inverseDocumentFrequency } from "../../../domain/retrieval/ranking/fusion.ts";
import { type Keyword, OTHER_FORMS, queryKeywords } from "../../../language/words/keywords.ts";
import { MAX_SPELLINGS, misspelt, SPELLING_WEIGHT, spellingsOf } from "../../../language/words/spellings.ts";
import type { Counts } from "./counts.ts";

/** A keyword of a query with its number of documents. */
export interface FoundKeyword {
  keyword: Keyword;
  documents: number;
}

/** The keywords of a query in the forms that documents have; rare ones also match spellings within one edit. */
export function findKeywords(counts: Counts, query: string): FoundKeyword[] {
  const keywords = queryKeywords(query);
  const byTerm = counts.byTerm(keywords.flatMap(({ forms }) => [...forms.keys()]));
  const found = keywords.map((asked) => {
    const keyword = { ...asked, forms: new Map([...asked.forms].filter(([form]) => byTerm.has(form))) };
    return { keyword, documents: counts.holding(keyword, byTerm) };
  });
  const rare = new Set(misspelt(keywords, { documents: counts.documents(), terms: found }));
  return found.map((foundKeyword, index) => {
    const keyword = keywords[index];
    return keyword !== undefined && rare.has(keyword) ? addSpellings(counts, foundKeyword) : foundKeyword;
  });
}

function addSpellings(counts: Counts, { keyword, documents }: FoundKeyword): FoundKeyword {
  const byTerm = counts.byTerm(keyword.fuzzyForms.flatMap(spellingsOf));
  const added = [...byTerm.keys()].slice(0, MAX_SPELLINGS).filter((form) => !keyword.forms.has(form));
  if (added.length === 0) return { keyword, documents };
  const forms = new Map([...keyword.forms, ...added.map((form) => [form, SPELLING_WEIGHT] as const)]);
  return { keyword: { ...keyword, forms }, documents: counts.holding({ forms }, byTerm) };
}

/** A document with some of the keywords. */
export interface KeywordMatch {
  doc: number;
  terms: string[];
  /** The weights of keywords that it has in another form. */
  weights: Map<string, number>;
  /** Its BM25 score, in which each keyword counts once, by its most frequent form. */
  score: number;
}

/** The usual constants of BM25, as in FTS5 and Lucene. */
const K1 = 1.2;
const B = 0.75;

/** Matches of the keywords in documents, given their index terms; the mean length is that of `rows`. */
export function matchesIn(
  rows: { doc: number; indexed: string }[],
  found: FoundKeyword[],
  documents: number,
): KeywordMatch[] {
  const lengths = rows.map(({ indexed }) => countWords(indexed));
  const mean = lengths.reduce((sum, length) => sum + length, 0) / rows.length;
  const keywords = found.map(({ keyword, documents: holding }) => ({
    term: keyword.term,
    forms: [...keyword.forms],
    rarity: inverseDocumentFrequency(documents, holding),
  }));
  return rows.map(({ doc, indexed }, index) => {
    const damping = K1 * (1 - B + (B * (lengths[index] ?? 0)) / mean);
    const text = `${indexed} `;
    const match: KeywordMatch = { doc, terms: [], weights: new Map(), score: 0 };
    for (const { term, forms, rarity } of keywords) {
      const { times, weight } = countForms(text, forms);
      if (times === 0) continue;
      match.terms.push(term);
      match.score += (rarity * times * (K1 + 1)) / (times + damping);
      if (weight < 1) match.weights.set(term, weight);
    }
    return match;
  });
}

/** The count of the most frequent form, and the weight of the best form. */
function countForms(text: string, forms: [string, number][]): { times: number; weight: number } {
  let [times, best] = [0, 0];
  for (const [form, weight] of forms) {
    const count = countTerm(text, form);
    if (count === 0) continue;
    times = Math.max(times, count);
    best = Math.max(best, weight);
  }
  return { times, weight: best };
}

/** The number of terms that are words themselves, not other forms. */
function countWords(indexed: string): number {
  return 1 + countOf(indexed, " ") - OTHER_FORMS.reduce((sum, mark) => sum + countOf(`${indexed} `, `${mark} `), 0);
}

const SPACE = 32;

/** How often a text contains a term. Each term ends with a space; the space before it is checked only at a match. */
function countTerm(text: string, term: string): number {
  const part = `${term} `;
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    if (at === 0 || text.charCodeAt(at - 1) === SPACE) count++;
  }
  return count;
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++;
  return count;
}
