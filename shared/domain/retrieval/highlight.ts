import { memoizedByText } from "../../kernel/memoized.ts";
import { words } from "../../kernel/text/text.ts";
import type { Query } from "../../language/questions/query.ts";
import { indexedIn } from "../../language/words/keywords.ts";

/** Characters of context before the first match, and the total length of a highlight. */
const CONTEXT_LENGTH = 60;
const LENGTH = 240;
/** Characters of a long text searched for the first match at a time: most texts match near their beginning. */
const CHUNK_LENGTH = 2000;
/** Maximum characters without white space that are not cut. */
const MAX_RUN_LENGTH = 64;
/** Characters of the texts whose words are cached. */
const MAX_CACHED_TEXT = 200_000;

/** Returns a function that highlights the matches of a query in a text. */
export function highlighter(query: Query): (text: string) => string {
  const queryTerms = new Set(query.keywords.flatMap(({ forms }) => [...forms.keys()]));
  return (text) => highlight(text, queryTerms);
}

/**
 * Returns the part of a text around its first match with every matching word (by keyword search's rules) in `<em>`; the
 * text's beginning if no word matches. Cut at word boundaries, with `…` where text was left out. The text itself is not
 * escaped.
 */
function highlight(text: string, queryTerms: ReadonlySet<string>): string {
  const matches = matchesIn(text, queryTerms);
  let match = matches.next().value;
  const first = match?.start ?? 0;
  const from = first <= CONTEXT_LENGTH ? 0 : startOfWord(text, first - CONTEXT_LENGTH);
  const isWhole = text.length <= from + LENGTH;
  const to = isWhole ? text.length : endOfWord(text, from, from + LENGTH);
  let marked = "";
  let copied = from;
  for (; match !== undefined && match.start < to; match = matches.next().value) {
    const { start, end } = match;
    if (start < copied || end > to) continue;
    marked += `${text.slice(copied, start)}<em>${text.slice(start, end)}</em>`;
    copied = end;
  }
  return `${from > 0 ? "…" : ""}${marked}${text.slice(copied, to)}${isWhole ? "" : "…"}`;
}

/** The words of short texts, cached: searches find the same memories again and again. */
const indexedInShort = memoizedByText((text) => [...indexedIn(text)], MAX_CACHED_TEXT);

/** Yields the matches of a text in order; the text is analysed lazily. */
function* matchesIn(
  text: string,
  queryTerms: ReadonlySet<string>,
): Generator<{ start: number; end: number }, undefined> {
  for (let base = 0; base < text.length; ) {
    const space = text.indexOf(" ", base + CHUNK_LENGTH);
    const end = space === -1 || space > base + CHUNK_LENGTH + MAX_RUN_LENGTH ? base + CHUNK_LENGTH : space;
    const isWhole = base === 0 && end >= text.length;
    for (const found of isWhole ? indexedInShort(text) : indexedIn(text.slice(base, end))) {
      if (!found.terms.some((term) => queryTerms.has(term))) continue;
      yield { start: base + found.start, end: base + found.end };
    }
    base = end;
  }
}

/** Returns the start of the first word at or after a position. */
function startOfWord(text: string, position: number): number {
  const base = Math.max(0, position - MAX_RUN_LENGTH);
  const near = words(text.slice(base, position + LENGTH));
  return base + (near.find(({ start }) => base + start >= position)?.start ?? position - base);
}

/** Returns the end of the last word between two positions; the second position if there is no word. */
function endOfWord(text: string, from: number, position: number): number {
  const near = words(text.slice(from, position + MAX_RUN_LENGTH));
  return from + (near.findLast(({ end }) => from + end <= position)?.end ?? position - from);
}
