import { dateOf } from "../../kernel/clock.ts";
import type { Span } from "./spans.ts";

/** The heading above a user's instructions in a recalled block. */
export const INSTRUCTIONS_HEADING = "Instructions of the user";
/** The heading above what was counted from several memories. */
export const DERIVED_HEADING = "Derived from several memories";
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const TAG = /<memories(?: [^<>\n]{0,200})?>/g;
const END_TAG = "</memories>";
/** Quotation marks of mails and white space before a line. */
const HEADING = new RegExp(
  String.raw`^[>\s]*(?:${INSTRUCTIONS_HEADING}|${DERIVED_HEADING}|\d{1,2} (?:${MONTHS.join("|")}) \d{4})\s*$`,
);
const LABELLED = /^[>\s]*\[\d{1,3}\] \S/;

/** Returns the ranges of a text that the service itself wrote, in order: recalled blocks, bare or in their tag. */
export function recalledIn(text: string): Span[] {
  const spans: Span[] = [];
  let end = 0;
  for (const { index, 0: tag } of text.matchAll(TAG)) {
    if (index < end) continue;
    const closing = text.indexOf(END_TAG, index + tag.length);
    spans.push(...blocksIn(text, end, index));
    end = closing === -1 ? text.length : closing + END_TAG.length;
    spans.push({ start: index, end });
  }
  return [...spans, ...blocksIn(text, end, text.length)];
}

/** Returns the blocks between two positions: a heading with labelled lines right below it, and those that follow it. */
function blocksIn(text: string, from: number, to: number): Span[] {
  const spans: Span[] = [];
  let heading: number | undefined;
  let block: Span | undefined;
  for (let start = from; start < to; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 || newline >= to ? to : newline + 1;
    const line = text.slice(start, end);
    if (HEADING.test(line)) heading = start;
    else if (LABELLED.test(line) && (heading !== undefined || block !== undefined)) {
      if (block === undefined) {
        block = { start: heading ?? start, end };
        spans.push(block);
      }
      block.end = end;
      heading = undefined;
    } else {
      block = undefined;
      heading = undefined;
    }
    start = end;
  }
  return spans;
}

/** Returns the text with the recalled parts replaced by as many spaces, so that positions stay. */
export function withoutRecalled(text: string): string {
  let rest = "";
  let end = 0;
  for (const span of recalledIn(text)) {
    rest += text.slice(end, span.start) + text.slice(span.start, span.end).replace(/[^\n]/g, " ");
    end = span.end;
  }
  return rest + text.slice(end);
}

/** Returns the day of a moment as the heading of a block, in the moment's own time zone: `5 Mar 2026`. */
export function dayHeading(iso: string): string {
  const [year = 0, month = 0, day = 0] = dateOf(iso).split("-").map(Number);
  return `${day} ${MONTHS[month - 1]} ${year}`;
}
