import { type Keyword, queryKeywords } from "../../../retrieval/keywords/keywords.ts";
import { MAX_SPELLINGS, misspelt, SPELLING_WEIGHT, spellingsOf } from "../../../retrieval/keywords/spellings.ts";
import type { Counts, Holding } from "./counts.ts";

/** A keyword of a query, with what the index has of it. */
export interface FoundKeyword extends Holding {
  keyword: Keyword;
}

/** The keywords of a query; those that hardly any document has take the spellings within one edit that documents have. */
export function findKeywords(counts: Counts, text: string): FoundKeyword[] {
  const keywords = queryKeywords(text);
  const found = keywords.map((keyword) => ({ keyword, ...counts.holding(keyword) }));
  const rare = new Set(misspelt(keywords, { documents: counts.documents(), terms: found }));
  return found.map((one) => {
    const { keyword } = one;
    const mended = rare.has(keyword) ? mend(counts, keyword) : keyword;
    return mended === keyword ? one : { keyword: mended, ...counts.holding(mended) };
  });
}

function mend(counts: Counts, keyword: Keyword): Keyword {
  const spellings = counts.mostHeld(keyword.mendable.flatMap(spellingsOf), MAX_SPELLINGS * keyword.mendable.length);
  const others = spellings.filter(([term]) => !keyword.forms.has(term));
  if (others.length === 0) return keyword;
  const added = others.map(([term]): [string, number] => [term, SPELLING_WEIGHT]);
  return { ...keyword, forms: new Map([...keyword.forms, ...added]) };
}

/** What of the keywords an indexed text has, and what those count for that it has in another form. */
export function heldIn(indexed: string, found: FoundKeyword[]): { terms: string[]; weights: Map<string, number> } {
  const text = ` ${indexed} `;
  const terms: string[] = [];
  const weights = new Map<string, number>();
  for (const { keyword, forms } of found) {
    const held = forms.filter((form) => text.includes(` ${form} `)).map((form) => keyword.forms.get(form) ?? 0);
    if (held.length === 0) continue;
    terms.push(keyword.term);
    const weight = Math.max(...held);
    if (weight < 1) weights.set(keyword.term, weight);
  }
  return { terms, weights };
}
