import type { Word } from "../../../kernel/text/text.ts";
import type { FunctionWords } from "./function-words.ts";
import type { Sentence } from "./passage.ts";

/** A gap that may join two words: whitespace, also after punctuation or around a dash; no quote, bracket or symbol. */
const PLAIN_GAP = /^[,;:.!?…]*\s+(?:[-–—]+\s+)?$/;
const PLAIN_OPENING = /^\s*$/;
const PLAIN_ENDING = /^[,;:.!?…]*\s*$/;
const STOP = /[.!?…]+|[;:]/;
const CAPITAL = /^\p{Lu}/u;
const ACRONYM = /^\p{Lu}{2,}$/u;
const UNBROKEN = /^[\p{L}\p{M}\p{N}'’ -]+$/u;
const OPENING = "“„«([{";
const CLOSING = "”»)]}";
const STRAIGHT_QUOTES = '"`';
/** Maximum number of function words inside a name, as in "Lord of the Rings". */
const MAX_LINK_LENGTH = 2;

/**
 * Returns the sentence without the given function words. Words stay if they belong to a name ("University of Bern"),
 * are acronyms (US, IT), are inside quotes or brackets, or touch other symbols.
 */
export function shorten(text: string, sentence: Sentence, unwanted: ReadonlySet<string>, functionWords: FunctionWords) {
  const { words } = sentence;
  const kept: Word[] = [];
  const dropped: Word[] = [];
  let short = "";
  let gap = text.slice(sentence.start, words[0]?.start ?? sentence.end);
  let depth = depthAfter(gap, 0);
  words.forEach((word, index) => {
    const after = text.slice(word.end, words[index + 1]?.start ?? sentence.end);
    if (depth === 0 && unwanted.has(word.folded) && isDroppable(text, sentence, index, functionWords)) {
      dropped.push(word);
      gap = short === "" ? gap : joinGaps(gap, after);
    } else {
      kept.push(word);
      // In scripts without spaces, words are pairs of characters, and each pair shares a character with the previous
      // one.
      short += gap + text.slice(Math.max(word.start, words[index - 1]?.end ?? 0), word.end);
      gap = after;
    }
    depth = depthAfter(after, depth);
  });
  return { text: short === "" && dropped.length > 0 ? "" : short + gap, kept, dropped };
}

/** The number of open quotes and brackets after a gap. A straight quote closes an open one; otherwise it opens one. */
function depthAfter(gap: string, before: number): number {
  let depth = before;
  for (const sign of gap) {
    if (OPENING.includes(sign)) depth++;
    else if (CLOSING.includes(sign)) depth = Math.max(0, depth - 1);
    else if (STRAIGHT_QUOTES.includes(sign)) depth = depth > 0 ? depth - 1 : 1;
  }
  return depth;
}

function isDroppable(text: string, sentence: Sentence, index: number, functionWords: FunctionWords): boolean {
  const { words, start, end } = sentence;
  const word = words[index];
  if (word === undefined || ACRONYM.test(text.slice(word.start, word.end))) return false;
  const previous = words[index - 1];
  const next = words[index + 1];
  const before = text.slice(previous?.end ?? start, word.start);
  const after = text.slice(word.end, next?.start ?? end);
  if (!(previous === undefined ? PLAIN_OPENING : PLAIN_GAP).test(before)) return false;
  if (!(next === undefined ? PLAIN_ENDING : PLAIN_GAP).test(after)) return false;
  return !linksNames(text, words, index, functionWords);
}

function linksNames(text: string, words: Word[], index: number, functionWords: FunctionWords): boolean {
  const left = neighbour(words, index, -1, functionWords);
  const right = neighbour(words, index, 1, functionWords);
  if (left === undefined || right === undefined) return false;
  const span = text.slice(left.start, right.end);
  return CAPITAL.test(span) && CAPITAL.test(text.slice(right.start)) && UNBROKEN.test(span);
}

/** The nearest word on that side that is not a function word, or undefined if `MAX_LINK_LENGTH` words have none. */
function neighbour(words: Word[], index: number, step: 1 | -1, functionWords: FunctionWords): Word | undefined {
  for (let distance = 1; distance <= MAX_LINK_LENGTH; distance++) {
    const word = words[index + step * distance];
    if (word !== undefined && !functionWords.has(word.folded)) return word;
  }
  return undefined;
}

/** Merges the gaps around a dropped word: keeps the stronger punctuation mark and the whitespace of the second gap. */
function joinGaps(before: string, after: string): string {
  const mark = STOP.exec(before)?.[0] ?? STOP.exec(after)?.[0] ?? (before.startsWith(",") ? "," : "");
  const blanks = after.slice(after.trimEnd().length);
  return mark + blanks;
}
