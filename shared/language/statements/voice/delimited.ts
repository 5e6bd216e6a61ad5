import { alternatives } from "../../languages/lists.ts";
import { FIRST_PERSON, ORDERS, SECOND_PERSON, SPEECH } from "./lexicon.ts";

/** A range of a text that is somebody else's. */
export interface Foreign {
  start: number;
  end: number;
  speaker?: string | undefined;
}

const FENCE = /^[ \t]*(`{3,}|~{3,})/gm;
/** Markup, templates of chats and comments: what they enclose is pasted. */
const TAG = /<(?<name>[A-Za-z!|][\w:.|-]*)(?:\s[^<>]{0,300})?\/?>|<<(?<macro>[A-Z_]+)>>|<!--/g;
const VOID_TAGS = /^(?:br|hr|img|meta|link|input|wbr|b|i|u|em|strong)$/i;
/** A heading between rules ("-----BEGIN NOTE-----", "=== page 2 ===") or in brackets. */
const MARKER =
  /^[ \t]*(?:([-=_*#~+<>]{3,})[ \t]*(?=[^\n]*\p{L})([^\n]{1,80}?)[ \t]*[-=_*#~+<>]{3,}|\[{1,2}(?![ xX]?\])(?=[^\]\n]*\p{L})([^\]\n]{1,60})\]{1,2}(?!\())[ \t]*/gmu;
const QUOTE_CODES = /\[(quote|code|spoiler|cite|pre)\b[^\]\n]{0,60}\]/gi;
const BLOCK_BEGINNING = /\\begin\{(\w+)\}|^#\+begin_(\w+)|\{\{(?=\w)|\/\*/gim;
const BLOCK_ENDS: readonly (readonly [RegExp, (name: string) => string])[] = [
  [/^\\begin/, (name) => `\\end{${name}}`],
  [/^#\+/, (name) => `#+end_${name}`],
  [/^\{\{/, () => "}}"],
  [/^\/\*/, () => "*/"],
];
const MARKDOWN_LINK = /\[([^[\]\n]{12,2000})\]\([^)\s]{1,300}\)/g;

/** Returns the ranges that their delimiters mark as pasted: code, markup, data, quotations. In linear time. */
export function delimitedRanges(text: string): Foreign[] {
  const ranges: Foreign[] = [];
  const lower = text.toLowerCase();
  addFences(text, ranges);
  addTags(text, lower, ranges);
  addBlocks(text, lower, ranges);
  addData(text, ranges);
  for (const { index, 0: link } of text.matchAll(MARKDOWN_LINK))
    ranges.push({ start: index, end: index + link.length });
  return [...merged(ranges), ...quotations(text)];
}

/** Returns ranges in order of their starts, without overlaps. */
export function merged(ranges: Foreign[]): Foreign[] {
  const result: Foreign[] = [];
  for (const range of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = result.at(-1);
    if (last !== undefined && range.start < last.end) last.end = Math.max(last.end, range.end);
    else if (range.end > range.start) result.push({ ...range });
  }
  return result;
}

function addFences(text: string, ranges: Foreign[]): void {
  let opened: { start: number; mark: string } | undefined;
  for (const { index, 0: line, 1: mark = "" } of text.matchAll(FENCE)) {
    if (opened === undefined) opened = { start: index, mark };
    else if (mark.startsWith(opened.mark)) {
      ranges.push({ start: opened.start, end: index + line.length });
      opened = undefined;
    }
  }
  if (opened !== undefined) ranges.push({ start: opened.start, end: text.length });
}

/** Finds the end of a range; each closing text that is absent is searched for once. */
class Closings {
  readonly #text: string;
  readonly #absent = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
  }

  after(index: number, closing: string): number {
    if (index >= (this.#absent.get(closing) ?? Number.POSITIVE_INFINITY)) return -1;
    const found = this.#text.indexOf(closing, index);
    if (found === -1) this.#absent.set(closing, index);
    return found === -1 ? -1 : found + closing.length;
  }
}

function addTags(text: string, lower: string, ranges: Foreign[]): void {
  const closings = new Closings(lower);
  let from = 0;
  for (const { index, 0: tag, groups = {} } of text.matchAll(TAG)) {
    if (index < from || /[\w)\]]/.test(text.charAt(index - 1))) continue;
    const name = (groups.name ?? "").toLowerCase();
    if (VOID_TAGS.test(name)) continue;
    const closing = tag === "<!--" ? "-->" : name.startsWith("|") ? "<|im_end|>" : `</${name || "sys"}`;
    const end = tag.endsWith("/>") ? index + tag.length : closings.after(index, closing);
    if (end === -1 && !isAtLineStart(text, index)) continue;
    from = end === -1 ? text.length : Math.min(text.length, end + (text.charAt(end) === ">" ? 1 : 0));
    ranges.push({ start: index, end: from });
  }
}

const MAX_INDENT = 40;
function isAtLineStart(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - MAX_INDENT), index);
  return index <= MAX_INDENT ? /^\s*$|\n\s*$/.test(before) : /\n[^\S\n]*$/.test(before);
}

function addBlocks(text: string, lower: string, ranges: Foreign[]): void {
  const closings = new Closings(lower);
  for (const { index, 0: opening, 1: latex, 2: org } of text.matchAll(BLOCK_BEGINNING)) {
    const closing = BLOCK_ENDS.find(([pattern]) => pattern.test(opening.toLowerCase()))?.[1] ?? (() => "\n");
    const end = closings.after(index, closing((latex ?? org ?? "").toLowerCase()));
    ranges.push({ start: index, end: end === -1 ? text.length : end });
  }
  for (const { index, 1: name = "" } of text.matchAll(QUOTE_CODES)) {
    const end = closings.after(index, `[/${name.toLowerCase()}]`);
    ranges.push({ start: index, end: end === -1 ? text.length : end });
  }
}

/** A marker line with the range that it opens or closes. */
export interface Marker {
  start: number;
  /** The index after the marker. */
  end: number;
  title: string;
  isEnd: boolean;
  isBracketed: boolean;
}

const ENDS = alternatives(({ intros }) => intros?.ends);
const END_TITLE = new RegExp(String.raw`^(?:\/|(?:${ENDS})(?![\p{L}\p{N}_]))|(?<![\p{L}\p{N}_])(?:${ENDS})$`, "iu");

/** Returns the lines that mark where a pasted text begins and ends. */
export function markersIn(text: string): Marker[] {
  return Array.from(text.matchAll(MARKER), ({ index, 0: marker, 2: ruled, 3: bracketed }) => {
    const title = (ruled ?? bracketed ?? "").trim();
    const isEnd = END_TITLE.test(title);
    return {
      start: index,
      end: index + marker.length,
      title,
      isEnd,
      isBracketed: bracketed !== undefined && !/begin|start/i.test(title),
    };
  });
}

/** JSON, also as part of a text: objects and arrays whose keys or entries are in quotation marks. */
function addData(text: string, ranges: Foreign[]): void {
  let from = 0;
  for (const { index } of text.matchAll(/[{[](?=\s*["{[])/g)) {
    if (index < from) continue;
    from = endOfData(text, index);
    ranges.push({ start: index, end: from });
  }
}

function endOfData(text: string, start: number): number {
  let depth = 0;
  let isString = false;
  for (let index = start; index < text.length; index++) {
    const character = text.charAt(index);
    if (isString) {
      if (character === "\\") index++;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth === 0) return index + 1;
  }
  return text.length;
}

/** Opening quotation marks with their closing ones. */
const QUOTES = new Map([
  ["“", "”"],
  ["„", "“”"],
  ["«", "»"],
  ["»", "«"],
  ["‹", "›"],
  ["›", "‹"],
  ["‘", "’"],
  ["‚", "‘’"],
  ["「", "」"],
  ["『", "』"],
  ["《", "》"],
  ["〝", "〞〟"],
  ["”", "”"],
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
]);
/** Marks that are also apostrophes, or of code: without a closing one they quote nothing. */
const AMBIGUOUS = /['‘’`‚›»”]/;
const APOSTROPHE = /['’"`]/;
const OPENING = /[“„«»‹›‘‚「『《〝”"'`]/g;
const MAX_MENTION_WORDS = 10;
const MAX_ORDER_WORDS = 2;
/** "When I say 'short', …": the user's own words, mentioned. */
const SAYS_ONESELF = /(?<!\p{L})(?:when|if|whenever)(?: i| you) (?:say|write|type|ask|use|read|see)[\s:,]*$/iu;
const MAX_LEAD = 40;

/** Returns the quotations: what is between quotation marks, unless it is only mentioned ("sign with 'Tam'"). */
function quotations(text: string): Foreign[] {
  const ranges: Foreign[] = [];
  let from = 0;
  let paragraphEnd = 0;
  const closed = new Map<string, number>();
  for (const { index, 0: mark } of text.matchAll(OPENING)) {
    if (index < from || !isOpening(text, index) || index < (closed.get(mark) ?? 0)) continue;
    if (index >= paragraphEnd) paragraphEnd = endOfParagraph(text, index);
    const end = closingAfter(text, index, QUOTES.get(mark) ?? mark, paragraphEnd);
    if (end === -1) {
      closed.set(mark, paragraphEnd);
      if (AMBIGUOUS.test(mark)) continue;
      from = endOfUnclosed(text, mark, paragraphEnd);
      ranges.push({ start: index, end: from });
      continue;
    }
    from = end;
    if (!isMention(text, index, end)) ranges.push({ start: index, end });
  }
  return ranges;
}

/** Returns the quotation with which a range begins, also one that is only a mention elsewhere. */
export function quotationAt(text: string, start: number, limit: number): Foreign | undefined {
  const index = start + text.slice(start, limit).search(/\S/);
  const mark = text.charAt(index);
  const end = QUOTES.has(mark) ? closingAfter(text, index, QUOTES.get(mark) ?? mark, limit) : -1;
  return end === -1 ? undefined : { start: index, end };
}

function isOpening(text: string, index: number): boolean {
  const before = text.charAt(index - 1);
  const after = text.charAt(index + 1);
  const isUnspaced = /[「『《〝“„]/.test(text.charAt(index));
  return (
    (isUnspaced || !/[\p{L}\p{N}.!?]/u.test(before)) &&
    (!/\s/.test(after) || text.charAt(index) === "«") &&
    after !== ""
  );
}

function endOfParagraph(text: string, index: number): number {
  const end = text.slice(index).search(/\n[ \t]*\n/);
  return end === -1 ? text.length : index + end;
}

/** Returns the index after the closing mark; -1 if there is none before `limit`. */
function closingAfter(text: string, index: number, marks: string, limit: number): number {
  for (let end = index + 1; end < limit; end++) {
    const mark = text.charAt(end);
    const isWithinWord = APOSTROPHE.test(mark) && /[\p{L}\p{N}]/u.test(text.charAt(end + 1));
    if (marks.includes(mark) && !isWithinWord) return end + 1;
  }
  return -1;
}

/** Returns the end of a quotation without a closing mark: each further paragraph may open it again. */
function endOfUnclosed(text: string, mark: string, paragraphEnd: number): number {
  let end = paragraphEnd;
  while (end < text.length) {
    const next = end + (text.slice(end).match(/^\s+/)?.[0].length ?? 0);
    if (text.charAt(next) !== mark) return end;
    end = endOfParagraph(text, next);
  }
  return end;
}

/** "call me 'Max'", "I read “The Long Way”": a name or a title within the user's own sentence. */
function isMention(text: string, start: number, end: number): boolean {
  const said = text.slice(start + 1, end - 1).trim();
  const words = said.split(/\s+/).length;
  const before = text.slice(Math.max(0, start - MAX_LEAD), start);
  if (SAYS_ONESELF.test(before)) return true;
  if (/[.!?](?:\s|$)|[。！？\n]/.test(said) || words > MAX_MENTION_WORDS || isUnspacedText(said)) return false;
  const isSaid = /[:：,]\s*$/u.test(before.slice(-3)) && SPEECH.test(before);
  if (FIRST_PERSON.test(said) || SECOND_PERSON.test(said) || ORDERS.test(said))
    return words <= MAX_ORDER_WORDS && !isSaid;
  return !isSaid || words <= MAX_ORDER_WORDS;
}

function isUnspacedText(said: string): boolean {
  return said.length > 4 && /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(said);
}
