import type { SearchSource } from "../platform/ports.ts";
import type { Ranked } from "../retrieval/fusion.ts";
import { speakerOf } from "../retrieval/ranking/features.ts";

/**
 * How a memory came to be a line: the search found it, another line needs it to be understood, it says what holds instead of
 * what was found, or it tells the assistant what to do.
 */
export type LineRole = "found" | "context" | "successor" | "instruction";

/** What a line needs to know of its memory. */
export type LineDocument = Pick<
  SearchSource,
  "id" | "content" | "metadata" | "occurred_at" | "created_at" | "session_id"
>;

/** A memory that may become a line of the block. */
export interface Line {
  id: string;
  role: LineRole;
  document: LineDocument;
  /** As the search scored it; a context line has the score of the line that it belongs to. */
  score: number;
  /** The search's hit; absent for a context line that the search did not find. */
  hit?: Ranked;
  /** One line of text, shortened where the memory is long. */
  text: string;
  /** What it is listed under: its day, or that it is an instruction. */
  heading: string;
  /** Its place in the block: instructions first, then when it happened. */
  order: number;
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
export function onOneLine(document: LineDocument, content: string): string {
  const text = content.replace(BLANKS, " ").trim();
  return speakerOf(document) === "assistant" ? `assistant: ${text}` : text;
}
