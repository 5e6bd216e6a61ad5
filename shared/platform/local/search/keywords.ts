import { inverseDocumentFrequency } from "../../../retrieval/fusion.ts";
import { type Keyword, OTHER_FORMS, queryKeywords } from "../../../retrieval/keywords/keywords.ts";
import { MAX_SPELLINGS, misspelt, SPELLING_WEIGHT, spellingsOf } from "../../../retrieval/keywords/spellings.ts";
import type { Counts } from "./counts.ts";

/** A keyword of a query, and how many documents have it. */
export interface FoundKeyword {
  keyword: Keyword;
  documents: number;
}

/** The keywords of a query; those that hardly any document has take the spellings within one edit that documents have. */
export function findKeywords(counts: Counts, query: string): FoundKeyword[] {
  const keywords = queryKeywords(query);
  const found = keywords.map((keyword) => ({ keyword, documents: counts.holding(keyword) }));
  const rare = new Set(misspelt(keywords, { documents: counts.documents(), terms: found }));
  return found.map((one) => {
    if (!rare.has(one.keyword)) return one;
    const keyword = mend(counts, one.keyword);
    return { keyword, documents: counts.holding(keyword) };
  });
}

function mend(counts: Counts, keyword: Keyword): Keyword {
  const spellings = counts.held(keyword.mendable.flatMap(spellingsOf), MAX_SPELLINGS);
  const added = spellings.filter((form) => !keyword.forms.has(form));
  return { ...keyword, forms: new Map([...keyword.forms, ...added.map((form) => [form, SPELLING_WEIGHT] as const)]) };
}

/** A document that has some of the keywords. */
export interface KeywordMatch {
  doc: number;
  terms: string[];
  /** What those keywords count for that it has in another form. */
  weights: Map<string, number>;
  /** Its BM25, in which each keyword counts once, by the form that is there most often. */
  score: number;
}

/** Usual constants of BM25, which FTS5 and Lucene have too. */
const K1 = 1.2;
const B = 0.75;

/** What documents have of the keywords, by their index terms; their lengths are compared with each other's. */
export function matchesIn(
  rows: { doc: number; indexed: string }[],
  found: FoundKeyword[],
  documents: number,
): KeywordMatch[] {
  const lengths = rows.map(({ indexed }) => countWords(indexed));
  const mean = lengths.reduce((sum, length) => sum + length, 0) / rows.length;
  return rows.map(({ doc, indexed }, place) => {
    const damping = K1 * (1 - B + (B * (lengths[place] ?? 0)) / mean);
    const text = ` ${indexed} `;
    const match: KeywordMatch = { doc, terms: [], weights: new Map(), score: 0 };
    for (const { keyword, documents: holding } of found) {
      const own = [...keyword.forms].flatMap(([form, weight]) => {
        const times = countOf(text, ` ${form} `);
        return times === 0 ? [] : { weight, times };
      });
      if (own.length === 0) continue;
      const times = Math.max(...own.map((one) => one.times));
      match.terms.push(keyword.term);
      match.score += (inverseDocumentFrequency(documents, holding) * times * (K1 + 1)) / (times + damping);
      const weight = Math.max(...own.map((one) => one.weight));
      if (weight < 1) match.weights.set(keyword.term, weight);
    }
    return match;
  });
}

/** Terms that are words themselves, not other forms of them. */
function countWords(indexed: string): number {
  return 1 + countOf(indexed, " ") - OTHER_FORMS.reduce((sum, mark) => sum + countOf(`${indexed} `, `${mark} `), 0);
}

/** One space may end a part and begin the next. */
function countOf(text: string, part: string): number {
  const step = Math.max(1, part.length - 1);
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + step)) count++;
  return count;
}
