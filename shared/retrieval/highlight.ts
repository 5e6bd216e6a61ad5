import { indexedIn, queryKeywords } from "./keywords/keywords.ts";
import { words } from "./text.ts";

/** Characters of context kept before the first match and, in all, of a highlight. */
const LEAD = 60;
const LENGTH = 240;
/** Characters of a long text that are searched for the first match at a time: most texts match near their beginning. */
const STRETCH = 2000;
/** Longest run without a blank that is not cut. */
const LONGEST_RUN = 64;

/**
 * The part of a text around its first match with every word that matches (as keyword search has it) in `<em>`; the text's beginning where no
 * word matches. Cut at word ends, `…` where something was left out. The text itself is not escaped.
 */
export function highlight(text: string, query: string): string {
  const wanted = new Set(queryKeywords(query).flatMap(({ forms }) => [...forms.keys()]));
  const first = firstMatch(text, wanted);
  const from = first <= LEAD ? 0 : startOfWord(text, first - LEAD);
  const isWhole = text.length <= from + LENGTH;
  const to = isWhole ? text.length : endOfWord(text, from, from + LENGTH);
  const shown = text.slice(from, to);
  let marked = "";
  let at = 0;
  for (const { start, end } of matchesIn(shown, wanted)) {
    if (start < at) continue;
    marked += `${shown.slice(at, start)}<em>${shown.slice(start, end)}</em>`;
    at = end;
  }
  return `${from > 0 ? "…" : ""}${marked}${shown.slice(at)}${isWhole ? "" : "…"}`;
}

function matchesIn(text: string, wanted: ReadonlySet<string>) {
  return [...indexedIn(text)].filter(({ terms }) => terms.some((term) => wanted.has(term)));
}

/** Where the first match begins; 0 where nothing matches. */
function firstMatch(text: string, wanted: ReadonlySet<string>): number {
  for (let start = 0; start < text.length; ) {
    const blank = text.indexOf(" ", start + STRETCH);
    const end = blank === -1 || blank > start + STRETCH + LONGEST_RUN ? start + STRETCH : blank;
    const [match] = matchesIn(text.slice(start, end), wanted);
    if (match) return start + match.start;
    start = end;
  }
  return 0;
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
