import { indexedIn, queryKeywords } from "./keywords/keywords.ts";
import { words } from "./text.ts";

/** Characters of context kept before the first match and, in all, of a highlight. */
const LEAD = 60;
const LENGTH = 240;

/**
 * The part of a text around its first match with every word that matches (as keyword search has it) in `<em>`; the text's beginning where no
 * word matches. Cut at word ends, `…` where something was left out. The text itself is not escaped.
 */
export function highlight(text: string, query: string): string {
  const wanted = new Set(queryKeywords(query).flatMap(({ forms }) => [...forms.keys()]));
  const found = words(text);
  const matches = [...indexedIn(text)].filter(({ terms }) => terms.some((term) => wanted.has(term)));
  const first = matches[0]?.start ?? 0;
  const start = found.find((word) => word.start >= first - LEAD)?.start ?? 0;
  const from = first <= LEAD ? 0 : start;
  const to = found.findLast((word) => word.end <= from + LENGTH)?.end ?? Math.min(text.length, from + LENGTH);
  let marked = "";
  let at = from;
  for (const { start: wordStart, end } of matches) {
    if (wordStart < at || end > to) continue;
    marked += `${text.slice(at, wordStart)}<em>${text.slice(wordStart, end)}</em>`;
    at = end;
  }
  const isWhole = text.length <= from + LENGTH;
  return `${from > 0 ? "…" : ""}${marked}${text.slice(at, isWhole ? undefined : to)}${isWhole ? "" : "…"}`;
}
