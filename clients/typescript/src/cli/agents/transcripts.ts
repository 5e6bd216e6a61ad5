import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { type CommandReader, inAnthropicBlocks, inCodexItems, inOpenClawMessages, parsed } from "./command-formats.ts";
import { WorkingCommands } from "./commands.ts";
import { isFields } from "./edits.ts";

type Fields = Record<string, unknown>;

/** Words of the user, or of the agent. */
export interface Said {
  role: "user" | "assistant";
  content: string;
}

/** How an agent writes its transcripts. docs/agents.md cites the source of each format. */
export interface Transcript {
  /** A line without all of these has no words; most lines are thus skipped unparsed. */
  marks: string[];
  /** What an entry says; neither results of tools nor what the agent added to the user's words. */
  wordsIn(entry: Fields): Said | undefined;
  /** Whether the agent's turn ends with this entry. */
  endsTurn?(entry: Fields): boolean;
  /** Begins to read which commands worked, if entries contain that. */
  readCommands?(): CommandReader;
}

/** Text that the agent or a service put into a user's message. */
const NOT_SAID = /^\s*<(?:command-|local-command|system-reminder|task-)/;
/** The memories of this service, as they are put into prompts. */
const OWN_BLOCK = /<memories note=[\s\S]*?(?:<\/memories>|$(?![\s\S]))/g;
/** Code, diffs and output in an answer. */
const FENCED = /^ *(`{3,}|~{3,})[\s\S]*?(?:^ *\1|$(?![\s\S]))/gm;
/** What OpenClaw puts before a message: metadata of the channel, and the time in brackets. */
const METADATA = /[^\n]{1,100}\(untrusted metadata\):\s*```json\n[^`]*```\s*/y;
const TIME = /^\[[^\]\n]{1,100}\]\s/;

export const CLAUDE_CODE: Transcript = {
  marks: ['"user"', '"assistant"'],
  wordsIn({ type, isMeta, isSidechain, message }) {
    if (isMeta === true || isSidechain === true || !isFields(message)) return undefined;
    return saidBy(type, message.content);
  },
  readCommands: () => inAnthropicBlocks,
};

export const CODEX: Transcript = {
  marks: ['"user_message"', '"agent_message"', '"task_complete"', '"function_call'],
  wordsIn({ type, payload }) {
    if (type !== "event_msg" || !isFields(payload)) return undefined;
    return saidBy(payload.type === "user_message" ? "user" : payload.type, payload.message);
  },
  endsTurn: ({ payload }) => isFields(payload) && payload.type === "task_complete",
  readCommands: inCodexItems,
};

export const CURSOR: Transcript = {
  marks: ['"user"', '"assistant"'],
  wordsIn: ({ role, message }) => (isFields(message) ? saidBy(role, message.content, queryIn) : undefined),
};

export const OPENCLAW: Transcript = {
  marks: ['"user"', '"assistant"', '"toolResult"'],
  wordsIn: ({ type, message }) =>
    type === "message" && isFields(message) ? saidBy(message.role, message.content, withoutEnvelope) : undefined,
  readCommands: () => inOpenClawMessages,
};

/**
 * The messages that the user wrote, the agent's last one of each turn, and the commands that worked, read as a stream;
 * of the last turn alone if it is asked for.
 */
export async function* wordsOf(file: string, format: Transcript, turn: "all" | "last" = "all"): AsyncGenerator<Said> {
  const commands = new WorkingCommands();
  const readCommands = format.readCommands?.();
  let kept: Said[] = [];
  let answer: Said | undefined;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (!format.marks.some((mark) => line.includes(mark))) continue;
    const entry = parsed(line);
    if (readCommands) commands.read(readCommands(entry));
    const found = format.wordsIn(entry);
    if (found?.role === "assistant") answer = found;
    else if (found !== undefined) {
      if (answer) kept.push(answer);
      kept.push(found);
      answer = undefined;
    }
    if (turn === "all") yield* kept.splice(0);
    if (turn === "last" && format.endsTurn?.(entry)) {
      [kept, answer] = [[], undefined];
      commands.endTurn();
    }
  }
  yield* kept;
  if (answer) yield answer;
  yield* commands.said();
}

/** What a message says, by its role; undefined for other roles, and if nothing is left. */
export function saidBy(role: unknown, content: unknown, unwrapped = (words: string) => words): Said | undefined {
  if (role === "user") return filled({ role, content: unwrapped(said(content)) });
  const isAgent = role === "assistant" || role === "agent_message";
  return isAgent ? filled({ role: "assistant", content: said(content).replace(FENCED, "").trim() }) : undefined;
}

function filled(words: Said): Said | undefined {
  return words.content.trim() === "" ? undefined : words;
}

/** The words in the content of a message, whose parts may be of several types. */
export function said(content: unknown): string {
  const parts = typeof content === "string" ? [content] : Array.isArray(content) ? content.map(textOf) : [];
  return parts
    .map((part) => part.replace(OWN_BLOCK, ""))
    .filter((part) => part.trim() !== "" && !NOT_SAID.test(part))
    .join("\n");
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
