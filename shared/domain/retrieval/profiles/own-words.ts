import { isChunk } from "../../memory/chunk-ids.ts";
import { readLabel } from "../../memory/extraction/speakers.ts";
import type { Memory } from "../../memory/memory.ts";

/** Metadata fields that name the speaker, in the usual spellings. */
const SPEAKER_FIELDS = ["speaker", "role", "author", "from", "sender", "actor", "actor_id"];
const USER_ROLES = new Set(["user", "human"]);
/** Metadata fields of texts that the user did not write or say. */
const FOREIGN_FIELD =
  /^(?:source|tool|url|uri|link|file|document|email|mail|subject|message|thread|channel|connection|connector|provider|page|chunk)(?:$|_)/i;
const OWN_FIELDS = new Set(["message_index"]);
const FOREIGN_TYPE = /source|chunk|document|tool|function|e-?mail|web|page|file|assistant|system|quote|summary/i;

/** The beginning of a forwarded or quoted message; the words after it are somebody else's. */
const FORWARDED =
  /^\s*(?:>|-{2,}.*(?:forwarded|original) message|begin forwarded message|(?:from|to|subject|sent|date|cc|von|an|betreff|de|asunto|objet)\s*:|on .{1,200} wrote\s*:|(?:i |we )?got (?:this|a|an) (?:e-?mail|mail|message|letter))/imu;
const FENCE = /^\s*(?:```|~~~)/;
const QUOTES: readonly (readonly [string, string])[] = [
  ["“", "”"],
  ["„", "“"],
  ["«", "»"],
  ["‘", "’"],
  ["「", "」"],
  ['"', '"'],
  ["`", "`"],
];
/** A single quote opens after white space and closes before it; within a word it is an apostrophe. */
const SINGLE_QUOTED = /(?<![\p{L}\p{N}])'[^'\n]*(?:'(?=[\p{L}\p{N}])[^'\n]*)*'(?![\p{L}\p{N}])/gu;
/** Markup is pasted, not said. */
const MARKUP = /<[\p{L}!/?][^>]*>/u;
/** Words by which a sentence attributes what follows to a speaker. */
const REPORTED =
  /\b(?:says?|said|saying|told|tells|wrote|writes|written|reads?|asks?|asked|claims?|claimed|states?|stated|according to|quote|quoted|sagt|sagte|schrieb|dice|dijo|escribió|dit|écrit)\b/iu;

export interface Span {
  start: number;
  end: number;
}

type Spoken = Pick<Memory, "id" | "content" | "metadata" | "type">;

/**
 * Whether the user says a passage of a memory: the memory is the user's, and the passage is not quoted, forwarded or
 * reported. False in doubt, because accepted instructions are followed permanently.
 */
export function isOwnWords(memory: Spoken, span: Span): boolean {
  return isOfUser(memory) && !isQuoted(memory.content, span);
}

function isOfUser({ id, content, metadata, type = "" }: Spoken): boolean {
  if (isChunk(id) || !id.startsWith("mem_") || FOREIGN_TYPE.test(type)) return false;
  for (const [name, value] of Object.entries(metadata)) {
    if (value === null || value === false || OWN_FIELDS.has(name)) continue;
    if (SPEAKER_FIELDS.includes(name.toLowerCase()) && !isUser(value)) return false;
    if (FOREIGN_FIELD.test(name)) return false;
  }
  const [first = ""] = content.split("\n", 1);
  return readLabel(first) === undefined || isUser(readLabel(first)?.speaker ?? "");
}

function isUser(value: unknown): boolean {
  return typeof value === "string" && (USER_ROLES.has(value.toLowerCase()) || value === "the user");
}

function isQuoted(content: string, { start, end }: Span): boolean {
  const before = content.slice(0, start);
  const lineStart = before.lastIndexOf("\n") + 1;
  const sentence = content.slice(Math.max(lineStart, lastEndOfSentence(before)), end);
  if (REPORTED.test(sentence) || FORWARDED.test(before) || FORWARDED.test(content.slice(lineStart, end))) return true;
  if (MARKUP.test(before)) return true;
  if (before.split("\n").filter((line) => FENCE.test(line)).length % 2 === 1) return true;
  const line = content.slice(lineStart);
  const position = start - lineStart;
  if (readLabel(content.slice(lineStart, end)) !== undefined && lineStart > 0) return true;
  if (
    [...line.matchAll(SINGLE_QUOTED)].some(({ index, 0: text }) => index <= position && position < index + text.length)
  ) {
    return true;
  }
  return QUOTES.some(([open, close]) => isBetween(before, content.slice(start), open, close));
}

/** Whether a position is between an opening and a closing quote. */
function isBetween(before: string, after: string, open: string, close: string): boolean {
  if (open === close) return before.split(open).length % 2 === 0;
  return before.lastIndexOf(open) > before.lastIndexOf(close) && after.includes(close);
}

function lastEndOfSentence(before: string): number {
  return Math.max(...[". ", "! ", "? "].map((end) => before.lastIndexOf(end)));
}
