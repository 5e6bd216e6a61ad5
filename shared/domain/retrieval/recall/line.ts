import { asLine } from "../../../kernel/text/prompt-text.ts";
import type { SearchSource } from "../../../ports/search-index.ts";
import { speakerOf } from "../ranking/features.ts";
import type { Ranked } from "../ranking/fusion.ts";

/**
 * Why a memory is a line: the search found it; another line needs it as context; it supersedes a found memory, or
 * states what holds in a slot that the query asks about; or it is an instruction to the assistant.
 */
export type LineRole = "found" | "context" | "successor" | "instruction";

/** Returns the key of a line among a query's lines: a found memory that also instructs the assistant has two. */
export function keyOf({ id, role }: Pick<Line, "id" | "role">): string {
  return role === "instruction" ? `${id} ${role}` : id;
}

/** The fields of a memory that a line needs. */
export type LineDocument = Pick<
  SearchSource,
  "id" | "content" | "speaker" | "in_reply_to" | "metadata" | "occurred_at" | "created_at" | "session_id"
>;

/** A memory that is a candidate for a line of the block. */
export interface Line {
  id: string;
  role: LineRole;
  document: LineDocument;
  /** The search's score; a context line has the score of the line that it belongs to. */
  score: number;
  /** The search's hit; undefined for a line that the search did not find. */
  hit?: Ranked;
  /** One line of text, shortened if the memory is long. */
  text: string;
  /** The heading of its group: its day, or the heading of instructions. */
  heading: string;
  /** Sort key in the block: instructions first, then by time. */
  order: number;
  /** Its worth; comparable among the lines of one query. */
  worth: number;
  /** Tokens of the line including its label. */
  tokens: number;
  terms: ReadonlySet<string>;
}

/**
 * Returns the text on one line, after a label with what its fields say about it: who spoke, if not the user, and the
 * question that it answers. `assistant, asked "Which tea?": oolong`.
 */
export function onOneLine(document: LineDocument, content: string): string {
  const text = asLine(content);
  const { speaker = speakerOf(document) === ASSISTANT ? ASSISTANT : undefined, in_reply_to } = document;
  const isNamedInText = speaker !== undefined && text.toLowerCase().startsWith(`${speaker.toLowerCase()}:`);
  const asked = in_reply_to === undefined ? [] : [`asked "${asLine(in_reply_to)}"`];
  const label = [...(speaker === undefined || isNamedInText ? [] : [speaker]), ...asked].join(", ");
  return label === "" ? text : `${label}: ${text}`;
}

const ASSISTANT = "assistant";
