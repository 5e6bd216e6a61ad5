import type { SearchSource } from "../platform/ports.ts";
import type { Ranked } from "../retrieval/fusion.ts";
import { speakerOf } from "../retrieval/ranking/features.ts";

/** How a memory came to be a line: the search found it, or another line needs it to be understood. */
export type LineRole = "found" | "context";

/** A memory that may become a line of the block. */
export interface Line {
  id: string;
  role: LineRole;
  document: SearchSource;
  /** As the search scored it; a context line has the score of the line that it belongs to. */
  score: number;
  /** The search's hit; absent for a context line that the search did not find. */
  hit?: Ranked;
  /** One line of text, shortened where the memory is long. */
  text: string;
  /** The day that it is listed under. */
  day: string;
  /** When it happened, in epoch milliseconds. */
  at: number;
  /** How much it is worth; comparable among the lines of one query. */
  worth: number;
  /** Tokens of the line with its label. */
  tokens: number;
  terms: ReadonlySet<string>;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DATE = /^(\d{4})-(\d\d)-(\d\d)/;

/** The day of an event where it happened, as a heading: `5 Mar 2026`. */
export function dayOf({ occurred_at, created_at }: Pick<SearchSource, "occurred_at" | "created_at">): string {
  const [, year = "", month = "", day = ""] = DATE.exec(occurred_at ?? created_at) ?? [];
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${Number(year)}`;
}

/** White space and control characters, among them all that anybody ends a line with. */
const BLANKS = /[\s\p{Cc}]+/gu;

/** The text on one line, with the assistant named: nobody else's words may pass for the user's. */
export function onOneLine(document: SearchSource, content: string): string {
  const text = content.replace(BLANKS, " ").trim();
  return speakerOf(document) === "assistant" ? `assistant: ${text}` : text;
}
