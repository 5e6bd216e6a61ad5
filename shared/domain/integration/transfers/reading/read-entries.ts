import { ServiceError } from "../../../../kernel/errors.ts";
import { isObject } from "../../../../kernel/objects.ts";
import { excerpt } from "../../../../kernel/strings.ts";
import { parseJson } from "../../../../runtime/schemas/validate.ts";
import { unpackTexts } from "./archive.ts";
import { isConversation, isPlainMessage, messagesOf, PlainMessages } from "./conversations.ts";
import { readCsv } from "./csv.ts";
import { damagedRow, type ImportEntry, UnreadableImportError } from "./entry.ts";
import { JsonArraySplitter, MAX_ELEMENT_LENGTH } from "./json-array.ts";
import { rowsOfMarkdown } from "./markdown.ts";
import { isOfOtherService, rowsOfOtherService } from "./other-services.ts";
import { linesOf, textOf } from "./text.ts";

/** File formats of imports. */
export const IMPORT_FORMATS = ["json", "jsonl", "csv", "zip", "markdown"] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

const JSON_TYPE = "application/json";
/** ChatGPT splits many conversations into conversations-000.json and so on. */
const CONVERSATIONS_FILE = /(?:^|\/)(?:conversations(?:-\d+)?|projects|memories)\.json$/;
/** Notes of an Obsidian vault or of a project, without hidden folders and what Obsidian deleted. */
const NOTES_FILE = /^(?!(?:.*\/)?\.).*\.(?:md|markdown)$/i;
/** Files of hidden folders, and what macOS adds to an archive. */
const HIDDEN_FILE = /(?:^|\/)(?:\.|__MACOSX\/)/;
const MAX_NAME_LENGTH = 200;
const ZIP_MAGIC = "PK";
/** Characters from which a CSV file's delimiter is detected. */
const HEAD_LENGTH = 64 * 1024;

/** The entries of a file as a stream, with at most one element in memory. Throws UnreadableImportError. */
export async function* readEntries(
  parts: AsyncIterable<Uint8Array>,
  format: ImportFormat | undefined,
): AsyncGenerator<ImportEntry> {
  const bytes = await withHead(parts, (part) => Buffer.from(part).toString("latin1"), untilLength(ZIP_MAGIC.length));
  if (format === "zip" || (format === undefined && bytes.head.startsWith(ZIP_MAGIC))) {
    yield* readArchive(bytes.parts);
    return;
  }
  const text = await withHead(textOf(bytes.parts), (part) => part, untilFormat());
  const detected = format ?? detectFormat(text.head);
  if (detected === "markdown") yield* readNotes(text.parts);
  else if (detected === "csv") yield* readCsv(text.head, text.parts);
  else if (detected === "jsonl") yield* readLines(text.parts);
  else if (text.head.trimStart().startsWith("[")) yield* readArray(text.parts);
  else yield* readObject(text.parts);
}

/** The first chunks as text, up to the one for which `isEnough` returns true, and all chunks. */
async function withHead<Part>(
  parts: AsyncIterable<Part>,
  toText: (part: Part) => string,
  isEnough: (text: string) => boolean,
): Promise<{ head: string; parts: AsyncIterable<Part> }> {
  const iterator = parts[Symbol.asyncIterator]();
  const first: Part[] = [];
  const head: string[] = [];
  while (head.length === 0 || !isEnough(head.at(-1) ?? "")) {
    const { done, value } = await iterator.next();
    if (done) break;
    first.push(value);
    head.push(toText(value));
  }
  async function* all() {
    yield* first;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { head: head.join(""), parts: all() };
}

/** Tests whether the chunks so far have at least `minLength` characters. */
function untilLength(minLength: number): (part: string) => boolean {
  let length = 0;
  return (part) => {
    length += part.length;
    return length >= minLength;
  };
}

/**
 * Tests whether the chunks so far reveal the format. Text that begins like an object is JSON Lines only if another line
 * follows the first one, which may be as long as an element.
 */
function untilFormat(): (part: string) => boolean {
  const [isLong, isTooLong] = [untilLength(HEAD_LENGTH), untilLength(MAX_ELEMENT_LENGTH + 1)];
  let begin = "";
  let hasLine = false;
  return (part) => {
    const [hasHead, isOver] = [isLong(part), isTooLong(part)];
    let rest = part;
    if (begin === "") {
      rest = part.trimStart();
      begin = rest.charAt(0);
    }
    if (begin !== "{" && begin !== "") return hasHead;
    if (!hasLine) {
      const end = rest.indexOf("\n");
      hasLine = begin !== "" && end >= 0;
      rest = hasLine ? rest.slice(end) : "";
    }
    return isOver || rest.trim() !== "";
  };
}

function detectFormat(head: string): Exclude<ImportFormat, "zip"> {
  const text = head.trimStart();
  if (text.startsWith("[")) return "json";
  if (!text.startsWith("{")) return "csv";
  const lineEnd = text.indexOf("\n");
  const isLine = lineEnd > 0 && text.slice(lineEnd).trim() !== "" && isObjectText(text.slice(0, lineEnd));
  return isLine ? "jsonl" : "json";
}

/** Whether a text that begins like an object is one; of a text that is too long for a row, only its end is read. */
function isObjectText(text: string): boolean {
  return isTooLong(text) ? text.trimEnd().endsWith("}") : "value" in parsed(text);
}

async function* readLines(parts: AsyncIterable<string>): AsyncGenerator<ImportEntry> {
  const messages = new PlainMessages();
  for await (const line of linesOf(parts, MAX_ELEMENT_LENGTH)) if (line.trim() !== "") yield* entriesOf(line, messages);
}

async function* readArray(parts: AsyncIterable<string>): AsyncGenerator<ImportEntry> {
  const splitter = new JsonArraySplitter();
  const messages = new PlainMessages();
  for await (const part of parts) {
    for (const element of splitter.push(part)) yield* entriesOf(element, messages);
  }
  splitter.end();
}

/** Reads one file of notes, such as CLAUDE.md. */
async function* readNotes(parts: AsyncIterable<string>): AsyncGenerator<ImportEntry> {
  let text = "";
  for await (const part of parts) {
    text += part;
    if (text.length > MAX_ELEMENT_LENGTH) break;
  }
  yield* rowsOfMarkdown("notes", text);
}

/** Reads one JSON object: an export's file, a page of mem0 or a single row. */
async function* readObject(parts: AsyncIterable<string>): AsyncGenerator<ImportEntry> {
  let text = "";
  for await (const part of parts) {
    text += part;
    if (text.length > MAX_ELEMENT_LENGTH) {
      throw new UnreadableImportError(
        `A file that is one JSON object may have ${MAX_ELEMENT_LENGTH} characters. Send it as JSON Lines.`,
      );
    }
  }
  requireShortRows(text);
  const read = parsed(text);
  if ("problem" in read) throw new UnreadableImportError(`The file ${read.problem}. Correct it and send it again.`);
  const rows = rowsWithin(read.value);
  if (!rows) throw new UnreadableImportError("The file has no rows: they are expected in `memories` or `results`.");
  const messages = new PlainMessages();
  for (const row of rows) yield* asEntries(row, messages);
}

/** Names under which other services list what they store: facts and nodes of Zep, documents, passages, blocks, items. */
const LISTS = ["edges", "facts", "nodes", "documents", "passages", "blocks", "items"];

/** The rows of an export's file or a mem0 page; a single row object is one row. */
function rowsWithin(value: unknown): unknown[] | undefined {
  if (!isObject(value)) return undefined;
  if (Array.isArray(value.memories)) return value.memories;
  if (Array.isArray(value.results)) return value.results;
  // A memory of ours has `facts`, too.
  if ("content" in value || "memory" in value) return [value];
  const lists = LISTS.flatMap((name) => (Array.isArray(value[name]) ? value[name] : []));
  if (lists.length > 0) return lists;
  return isConversation(value) || isOfOtherService(value) ? [value] : undefined;
}

async function* readArchive(parts: AsyncIterable<Uint8Array>): AsyncGenerator<ImportEntry> {
  let splitter: JsonArraySplitter | undefined;
  let hasFound = false;
  const isWanted = (name: string) => CONVERSATIONS_FILE.test(name) || NOTES_FILE.test(name);
  const messages = new PlainMessages();
  const skipped: string[] = [];
  let notes = "";
  for await (const { file, text, isEnd, isSkipped } of unpackTexts(parts, isWanted)) {
    if (isSkipped) {
      if (!HIDDEN_FILE.test(file)) skipped.push(excerpt(file, MAX_NAME_LENGTH));
      continue;
    }
    hasFound = true;
    if (NOTES_FILE.test(file)) {
      notes += text;
      if (notes.length > MAX_ELEMENT_LENGTH || isEnd) yield* rowsOfMarkdown(file, notes);
      if (isEnd) notes = "";
      continue;
    }
    splitter ??= new JsonArraySplitter();
    for (const element of splitter.push(text)) yield* entriesOf(element, messages);
    if (!isEnd) continue;
    splitter.end();
    splitter = undefined;
  }
  if (!hasFound) {
    throw new UnreadableImportError(
      "The archive has neither conversations.json nor notes (.md): send an export of ChatGPT or Claude, or a folder of notes.",
    );
  }
  for (const file of skipped) yield { skipped: `the file ${file} of the archive is not imported` };
}

/** Maximum characters of a row, which are checked before it is parsed; a conversation may have those of an element. */
const MAX_ROW_LENGTH = 4_000_000;
const MESSAGES = /^\s*"(?:mapping|chat_messages|messages)"\s*:\s*[[{]/;
const MEMORIES = /^\s*"(?:memories|results)"\s*:\s*\[/;
const OTHER_LIST = new RegExp(`^\\s*"(?:${LISTS.join("|")})"\\s*:\\s*\\[`);
const TEXT = /^\s*"(?:content|memory)"\s*:/;

const isTooLong = (text: string): boolean => text.length > MAX_ROW_LENGTH && membersOf(text, MESSAGES).length === 0;

/** The members of an object's text that begin like this, which are found without a parse; none of damaged text. */
function membersOf(text: string, begin: RegExp): string[] {
  try {
    const found: string[] = [];
    for (const member of new JsonArraySplitter().push(text)) if (begin.test(member)) found.push(member);
    return found;
  } catch (error) {
    if (error instanceof UnreadableImportError) return [];
    throw error;
  }
}

/** Throws UnreadableImportError if a file that is one object is or lists a row that is too long, before it is parsed. */
function requireShortRows(text: string): void {
  if (text.length <= MAX_ROW_LENGTH) return;
  let lists = membersOf(text, MEMORIES);
  if (lists.length === 0 && membersOf(text, TEXT).length === 0) lists = membersOf(text, OTHER_LIST);
  const isLong = lists.length > 0 ? lists.some(hasLongRow) : isTooLong(text);
  if (!isLong) return;
  throw new UnreadableImportError(`A row of the file has more than ${MAX_ROW_LENGTH} characters. Split it.`);
}

function hasLongRow(list: string): boolean {
  for (const row of new JsonArraySplitter().push(list.slice(list.indexOf("[")))) if (isTooLong(row)) return true;
  return false;
}

function entriesOf(text: string, messages: PlainMessages): ImportEntry[] {
  const tooLong = () => [damagedRow(`has more than ${MAX_ROW_LENGTH} characters`)];
  if (isTooLong(text)) return tooLong();
  const read = parsed(text);
  if ("problem" in read) return [damagedRow(read.problem)];
  // A member may have the name of messages without being any.
  if (text.length > MAX_ROW_LENGTH && !isConversation(read.value)) return tooLong();
  return asEntries(read.value, messages);
}

function asEntries(value: unknown, messages: PlainMessages): ImportEntry[] {
  if (isPlainMessage(value)) return messages.read(value);
  return messagesOf(value) ?? rowsOfOtherService(value) ?? [{ row: value }];
}

/** Whether a row of a request body is read like the rows of a file: it may become several entries, or none. */
export function isReadAsFile(value: unknown): boolean {
  return isConversation(value) || isPlainMessage(value) || isOfOtherService(value);
}

function parsed(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: parseJson(text, JSON_TYPE) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const [field] = (error.details.fields ?? []) as { problem: string }[];
    return { problem: field?.problem ?? "is not valid JSON" };
  }
}
