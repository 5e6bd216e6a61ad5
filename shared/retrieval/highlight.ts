import { indexedIn, queryKeywords } from "./keywords/keywords.ts";
import { words } from "./text.ts";

/** Characters of context kept before the first match and, in all, of a highlight. */
const LEAD = 60;
const LENGTH = 240;
/** Characters of a long text that are searched for the first match at a time: most texts match near their beginning. */
const STRETCH = 2000;
/** Longest run without a blank that is not cut. */
const LONGEST_RUN = 64;

/** Marks what matches a query in any number of texts. */
export function highlighter(query: string): (text: string) => string {
  const wanted = new Set(queryKeywords(query).flatMap(({ forms }) => [...forms.keys()]));
  return (text) => highlight(text, wanted);
}

/**
 * The part of a text around its first match with every word that matches (as keyword search has it) in `<em>`; the text's beginning where no
 * word matches. Cut at word ends, `…` where something was left out. The text itself is not escaped.
 */
function highlight(text: string, wanted: ReadonlySet<string>): string {
  const matches = matchesIn(text, wanted);
  let match = matches.next().value;
  const first = match?.start ?? 0;
  const from = first <= LEAD ? 0 : startOfWord(text, first - LEAD);
  const isWhole = text.length <= from + LENGTH;
  const to = isWhole ? text.length : endOfWord(text, from, from + LENGTH);
  let marked = "";
  let at = from;
  for (; match !== undefined && match.start < to; match = matches.next().value) {
    const { start, end } = match;
    if (start < at || end > to) continue;
    marked += `${text.slice(at, start)}<em>${text.slice(start, end)}</em>`;
    at = end;
  }
  return `${from > 0 ? "…" : ""}${marked}${text.slice(at, to)}${isWhole ? "" : "…"}`;
}

/** The matches of a text in order, which is analysed as far as they are asked for. */
function* matchesIn(text: string, wanted: ReadonlySet<string>): Generator<{ start: number; end: number }, undefined> {
  for (let base = 0; base < text.length; ) {
    const blank = text.indexOf(" ", base + STRETCH);
    const end = blank === -1 || blank > base + STRETCH + LONGEST_RUN ? base + STRETCH : blank;
    for (const found of indexedIn(text.slice(base, end))) {
      if (!found.terms.some((term) => wanted.has(term))) continue;
      yield { start: base + found.start, end: base + found.end };
    }
    base = end;
  }
}

/** Where the first word begins at or behind a place. */
function startOfWord(text: string, place: number): number {
  const base = Math.max(0, place - LONGEST_RUN);
  const near = words(text.slice(base, place + LENGTH));
  return base + (near.find(({ start }) => base + start >= place)?.start ?? place - base);
}

/** Where the last word between two places ends; the second one where there is none. */
function endOfWord(text: string, from: number, place: number): number {
  const near = words(text.slice(from, place + LONGEST_RUN));
  return from + (near.findLast(({ end }) => from + end <= place)?.end ?? place - from);
}
