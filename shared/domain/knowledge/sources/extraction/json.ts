import * as z from "zod";
import type { Json, JsonObject } from "../../../../ports/json.ts";
import { MarkdownWriter } from "./markdown-writer.ts";
import { UnreadableError } from "./unreadable.ts";

/** Maximum nesting of values. */
const MAX_DEPTH = 60;
const MAX_HEADING_DEPTH = 4;
/** Minimum number of similar objects in an array for a table. */
const MIN_TABLE_ROWS = 2;
const MAX_TABLE_COLUMNS = 30;

/** JSON (lines) as text: objects as headings, members as lines, arrays of objects as tables. Throws UnreadableError. */
export function readJson(text: string): MarkdownWriter {
  const writer = new MarkdownWriter();
  writeJson(writer, parseJson(text));
  return writer;
}

/** Writes a value as `readJson` does. */
export function writeJson(writer: MarkdownWriter, value: Json): void {
  write(writer, value, [], 0);
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return linesOf(text);
  }
}

function linesOf(text: string): Json {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  try {
    if (lines.length > 1) return lines.map((line) => JSON.parse(line) as Json);
  } catch {
    // Not JSON lines either.
  }
  throw new UnreadableError("the JSON is broken");
}

function write(writer: MarkdownWriter, value: Json, path: string[], depth: number): void {
  if (writer.isCut) return;
  if (value === null || typeof value !== "object") {
    if (value !== null && value !== "") writer.item(0, `${path.at(-1) ?? "value"}: ${value}`);
    return;
  }
  if (depth >= MAX_DEPTH) throw new UnreadableError("its values are nested too deep");
  if (Array.isArray(value)) writeArray(writer, value, path, depth);
  else writeObject(writer, value, path, depth);
}

function writeObject(writer: MarkdownWriter, value: JsonObject, path: string[], depth: number): void {
  const members = Object.entries(value);
  const isSimple = ([, member]: [string, Json]) => member === null || typeof member !== "object" || isPlainList(member);
  for (const [name, member] of members.filter(isSimple)) {
    write(writer, Array.isArray(member) ? member.join(", ") : member, [...path, name], depth + 1);
  }
  for (const [name, member] of members.filter((entry) => !isSimple(entry))) {
    if (path.length < MAX_HEADING_DEPTH) writer.heading(path.length + 1, name);
    else writer.paragraph(`${name}:`);
    write(writer, member, [...path, name], depth + 1);
  }
}

function writeArray(writer: MarkdownWriter, values: Json[], path: string[], depth: number): void {
  const table = tableOf(values);
  if (table) {
    writer.table(table);
    return;
  }
  for (const [index, value] of values.entries()) {
    const isNested = value !== null && typeof value === "object";
    if (!isNested && value !== null) writer.item(0, String(value));
    if (!isNested) continue;
    if (path.length < MAX_HEADING_DEPTH) writer.heading(path.length + 1, `${path.at(-1) ?? "item"} ${index + 1}`);
    write(writer, value, [...path, String(index + 1)], depth + 1);
  }
}

function isPlainList(value: Json): boolean {
  return Array.isArray(value) && value.every((item) => item === null || typeof item !== "object");
}

/** The names and rows of objects whose members are scalars or plain lists; undefined for other values. */
function tableOf(values: Json[]): string[][] | undefined {
  if (values.length < MIN_TABLE_ROWS) return undefined;
  const names = new Set<string>();
  for (const value of values) {
    if (value === null || typeof value !== "object" || Array.isArray(value)) return undefined;
    for (const [name, member] of Object.entries(value)) {
      if (member !== null && typeof member === "object" && !isPlainList(member)) return undefined;
      names.add(name);
    }
    if (names.size > MAX_TABLE_COLUMNS) return undefined;
  }
  const columns = [...names];
  const cell = (value: Json | undefined) => (Array.isArray(value) ? value.join(", ") : String(value ?? ""));
  return [columns, ...values.map((value) => columns.map((name) => cell((value as JsonObject)[name])))];
}

// ---------------------------------------------------------------- notebooks

const MAX_OUTPUT_CHARACTERS = 4_000;
const lines = z
  .union([z.string(), z.array(z.string())])
  .transform((text) => (typeof text === "string" ? text : text.join("")));
const Output = z.object({ text: lines.optional(), data: z.object({ "text/plain": lines.optional() }).optional() });
const Cell = z.object({
  cell_type: z.string(),
  source: lines.optional(),
  input: lines.optional(),
  outputs: z.array(Output).optional(),
});
const Notebook = z.object({
  cells: z.array(Cell).optional(),
  /** Notebooks of format 3. */
  worksheets: z.array(z.object({ cells: z.array(Cell) })).optional(),
  metadata: z.object({ language_info: z.object({ name: z.string() }).optional() }).optional(),
});

/** The cells of a Jupyter notebook: text unchanged, code and its output in fences. Throws UnreadableError. */
export function readNotebook(text: string): MarkdownWriter {
  const parsed = Notebook.safeParse(parseJson(text));
  if (!parsed.success) throw new UnreadableError("it is not a valid notebook");
  const { cells, worksheets = [], metadata } = parsed.data;
  const language = metadata?.language_info?.name ?? "";
  const writer = new MarkdownWriter();
  for (const { cell_type, source, input, outputs = [] } of cells ?? worksheets.flatMap((sheet) => sheet.cells)) {
    writer.pageBreak();
    if (cell_type === "code") writer.code(language, source ?? input ?? "");
    else writer.markdown(source ?? "");
    for (const { text: printed, data } of outputs) {
      writer.code("output", (printed ?? data?.["text/plain"] ?? "").slice(0, MAX_OUTPUT_CHARACTERS));
    }
  }
  return writer;
}
