import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { isFields } from "./edits.ts";

type Fields = Record<string, unknown>;

/** How an agent writes its transcripts. docs/agents.md cites the source of each format. */
export interface Transcript {
  /** A line without all of these has no words of the user; most lines are thus skipped unparsed. */
  marks: string[];
  /** The user's words in an entry; neither results of tools nor what the agent added. */
  wordsIn(entry: Fields): string | undefined;
  /** Whether the agent's turn ends with this entry. */
  endsTurn?(entry: Fields): boolean;
}

/** Text that the agent or a service put into a user's message. */
const NOT_SAID = /^\s*<(?:command-|local-command|system-reminder|memories|task-)/;
/** What OpenClaw puts before a message: metadata of the channel, and the time in brackets. */
const METADATA = /[^\n]{1,100}\(untrusted metadata\):\s*```json\n[^`]*```\s*/y;
const TIME = /^\[[^\]\n]{1,100}\]\s/;

export const CLAUDE_CODE: Transcript = {
  marks: ['"user"'],
  wordsIn({ type, isMeta, isSidechain, message }) {
    const isSaid = type === "user" && isMeta !== true && isSidechain !== true;
    return isSaid && isFields(message) ? said(message.content) : undefined;
  },
};

export const CODEX: Transcript = {
  marks: ['"user_message"', '"task_complete"'],
  wordsIn: ({ type, payload }) =>
    type === "event_msg" && isFields(payload) && payload.type === "user_message" ? said(payload.message) : undefined,
  endsTurn: ({ payload }) => isFields(payload) && payload.type === "task_complete",
};

export const CURSOR: Transcript = {
  marks: ['"user"'],
  wordsIn: ({ role, message }) => (role === "user" && isFields(message) ? queryIn(said(message.content)) : undefined),
};

export const OPENCLAW: Transcript = {
  marks: ['"user"'],
  wordsIn: ({ type, message }) =>
    type === "message" && isFields(message) && message.role === "user"
      ? withoutEnvelope(said(message.content))
      : undefined,
};

/** The messages that the user wrote, read as a stream; of the last turn alone if it is asked for. */
export async function* wordsOf(file: string, format: Transcript, turn: "all" | "last" = "all"): AsyncGenerator<string> {
  let words: string[] = [];
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (!format.marks.some((mark) => line.includes(mark))) continue;
    const entry = parsed(line);
    const found = format.wordsIn(entry);
    if (found !== undefined && found.trim() !== "") {
      if (turn === "all") yield found;
      else words.push(found);
    }
    if (format.endsTurn?.(entry)) words = [];
  }
  yield* words;
}

/** The user's words in the content of a message, whose parts may be of several types. */
export function said(content: unknown): string {
  const parts = typeof content === "string" ? [content] : Array.isArray(content) ? content.map(textOf) : [];
  return parts.filter((part) => part.trim() !== "" && !NOT_SAID.test(part)).join("\n");
}

function textOf(part: unknown): string {
  return isFields(part) && part.type === "text" && typeof part.text === "string" ? part.text : "";
}

/** Cursor puts the user's words into a tag, beside what the editor knows. */
function queryIn(text: string): string {
  const [start, end] = [text.indexOf("<user_query>"), text.lastIndexOf("</user_query>")];
  return start === -1 || end < start ? text : text.slice(start + "<user_query>".length, end).trim();
}

function withoutEnvelope(text: string): string {
  let start = 0;
  METADATA.lastIndex = 0;
  while (METADATA.test(text)) start = METADATA.lastIndex;
  return text.slice(start).replace(TIME, "");
}

function parsed(line: string): Fields {
  try {
    return Object(JSON.parse(line));
  } catch {
    return {};
  }
}
