import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { describe, expect, it, vi } from "vitest";
import { CSV_HEADER, toCsvLine } from "../rows/csv-cells.ts";
import type { MemoryRow } from "../rows/row.ts";
import type { ImportEntry } from "./entry.ts";
import { MAX_ELEMENT_LENGTH } from "./json-array.ts";
import { type ImportFormat, readEntries } from "./read-entries.ts";

async function* inParts(bytes: Uint8Array, size: number) {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function entriesOf(
  content: string | Uint8Array,
  { format, size = 7 }: { format?: ImportFormat; size?: number } = {},
) {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const entries: ImportEntry[] = [];
  for await (const entry of readEntries(inParts(bytes, size), format)) entries.push(entry);
  return entries;
}

const rowsOf = async (content: string, size?: number) =>
  (await entriesOf(content, size === undefined ? {} : { size })).map((entry) => ("row" in entry ? entry.row : entry));

const linesOf = (rows: object[]) => rows.map((row) => JSON.stringify(row));
const ROWS = [
  { content: 'Ada said: "Ünïcode, [brackets] and \\ {braces}".' },
  { content: "Second\nline", n: [1, { a: null }] },
];

describe("a file of rows", () => {
  it.each([
    ["a bare array", JSON.stringify(ROWS)],
    ["an indented array", JSON.stringify(ROWS, null, 2)],
    ["an export", JSON.stringify({ format_version: 2, memories: ROWS })],
    ["a page of mem0", JSON.stringify({ count: 2, next: null, results: ROWS })],
    ["JSON Lines", linesOf(ROWS).join("\r\n")],
    ["an array with a byte order mark", `\uFEFF${JSON.stringify(ROWS)}`],
  ])("is read from %s, however it is cut into parts", async (_name, text) => {
    for (const size of [1, 2, 3, 1000]) expect(await rowsOf(text, size)).toEqual(ROWS);
  });

  it.each([
    ["JSON Lines", (rows: object[]) => linesOf(rows).join("\n")],
    ["JSON Lines after blank lines", (rows: object[]) => `\n\n${linesOf(rows).join("\n\n")}\n`],
    ["an indented export", (rows: object[]) => JSON.stringify({ memories: rows }, null, 2)],
    ["an export on one line", (rows: object[]) => `${JSON.stringify({ memories: rows })}\n`],
  ])("is recognized as %s, whatever the length of its first row", async (_name, toText) => {
    for (const length of [70_000, 3_000_000]) {
      const rows = [{ content: "long ".repeat(length / 5) }, { content: "B" }];
      for (const size of [4_096, 65_536, 1 << 23]) expect(await rowsOf(toText(rows), size)).toEqual(rows);
    }
  });

  it.each([
    ["an array", (rows: string[]) => `[${rows.join(",")}]`],
    ["JSON Lines", (rows: string[]) => rows.join("\n")],
  ])("in %s is measured before it is parsed, unless it is a conversation", async (_name, toText) => {
    const names = Array.from({ length: 500_000 }, (_, at) => `name ${at}`);
    const isUnparsed = vi.spyOn(JSON, "parse");
    const long = JSON.stringify({ content: "Met.", metadata: { messages: ["mapping"] }, entities: names });
    const messages = names.slice(0, 150_000).map((content) => ({ role: "assistant", content }));
    const conversation = JSON.stringify({ messages });
    const entries = await entriesOf(toText([long, '{"content":"B"}', conversation]), { size: 1 << 20 });
    const parsed = isUnparsed.mock.calls.map(([text]) => text);
    isUnparsed.mockRestore();
    expect(parsed).not.toContain(long);
    expect(parsed).toContain(conversation);
    const problem = { field: "row", problem: "has more than 4000000 characters" };
    expect(entries).toEqual([{ problem }, { row: { content: "B" } }]);
  });

  it.each([
    ["the row", (row: object) => row],
    ["one of an export", (row: object) => ({ memories: [{ content: "B" }, row], mapping: {} })],
    ["one of another service", (row: object) => ({ count: 1, facts: [row] })],
  ])("is measured before it is parsed if the file is one object, as %s", async (_name, toFile) => {
    const names = Array.from({ length: 500_000 }, (_, at) => `name ${at}`);
    const text = JSON.stringify(toFile({ content: "Met.", facts: [], entities: names }));
    const parse = vi.spyOn(JSON, "parse");
    const reading = entriesOf(text, { format: "json", size: 1 << 20 });
    await expect(reading).rejects.toThrow("A row of the file has more than 4000000 characters");
    const parsed = parse.mock.calls.map(([given]) => given);
    parse.mockRestore();
    expect(parsed).not.toContain(text);
    const short = Array.from({ length: 50 }, (_, at) => ({ content: `Met ${at}. ${"x".repeat(90_000)}` }));
    expect(await rowsOf(JSON.stringify({ memories: short }), 1 << 20)).toEqual(short);
  });

  it("is read at most to the longest element if it is one object", async () => {
    let taken = 0;
    async function* endless() {
      for (const part = Buffer.from("a".repeat(1 << 20)); ; taken += part.length)
        yield taken === 0 ? Buffer.from(`{"a": "${part}`) : part;
    }
    const reading = readEntries(endless(), undefined).next();
    await expect(reading).rejects.toThrow("A file that is one JSON object may have");
    expect(taken).toBeLessThan(MAX_ELEMENT_LENGTH + (2 << 20));
  });

  it("splits any array as JSON.parse reads it", async () => {
    const arrays = fc.array(fc.jsonValue({ maxDepth: 3 }).filter((value) => !isConversationLike(value)));
    await fc.assert(
      fc.asyncProperty(arrays, fc.integer({ min: 1, max: 20 }), async (rows, size) => {
        const plain = JSON.parse(JSON.stringify(rows));
        expect(await rowsOf(JSON.stringify(plain), size)).toEqual(plain);
      }),
    );
  });

  it("names a damaged row and reads the others", async () => {
    const lines = ['{"content": "A"}', '{"content": ', `${"[".repeat(100)}`, '{"content": "B"}'].join("\n");
    expect(await entriesOf(lines, { format: "jsonl" })).toEqual([
      { row: { content: "A" } },
      { problem: { field: "row", problem: "is not valid JSON" } },
      { problem: { field: "row", problem: "is nested more than 64 deep" } },
      { row: { content: "B" } },
    ]);
    expect(await entriesOf('[{"content": "A"}, nothing, {"content": "B"}]')).toMatchObject([
      { row: { content: "A" } },
      { problem: { problem: "is not valid JSON" } },
      { row: { content: "B" } },
    ]);
  });

  it.each([
    ["a truncated array", '[{"content": "A"}, {"content": "B', "ends within element 1"],
    ["an array with text after it", "[1] 2", "outside of the JSON array"],
    ["an object without rows", '{"rows": []}', "has no rows"],
    ["an element that is too long", `["${"a".repeat(MAX_ELEMENT_LENGTH + 1)}"]`, "is longer than"],
    ["another encoding", Buffer.from([0x5b, 0x22, 0xe9, 0x22, 0x5d]), "is not UTF-8"],
    ["columns without content", "a,b\n1,2", "no column `content`"],
    ["a column twice", "content,type,type\n1,2,3", "named twice"],
    ["an open quote", 'content\n"Ada', "a quoted field is not closed"],
  ])("is refused if it is %s", async (_name, content, message) => {
    await expect(entriesOf(content, { size: 1 << 20 })).rejects.toThrow(message);
  });
});

function isConversationLike(value: unknown): boolean {
  return typeof value === "object" && value !== null && ("mapping" in value || "chat_messages" in value);
}

describe("a CSV file", () => {
  it("has cells of text, of JSON and of metadata, by commas, semicolons or tabs", async () => {
    for (const sign of [",", ";", "\t"]) {
      const lines = [
        ["content", "user_id", "version", "metadata.source"].join(sign),
        ['"Tea, or ""coffee"";\tor\nwater"', "ada", "3", "diary"].join(sign),
        ["Short", "", "x", ""].join(sign),
        ["A", "b", "1", "c", "d"].join(sign),
      ];
      expect(await entriesOf(lines.join("\n"))).toEqual([
        { row: { content: 'Tea, or "coffee";\tor\nwater', user_id: "ada", version: 3, metadata: { source: "diary" } } },
        { problem: { field: "version", problem: "must be JSON, or empty" } },
        { problem: { field: "row", problem: "has 5 cells where the first line names 4 columns" } },
      ]);
    }
  });

  it("is read back as it was written, and contains no formula", async () => {
    const text = fc.oneof(
      fc.string({ minLength: 1, unit: "grapheme" }),
      fc.stringMatching(/^'{0,2}[=+@\t\r-][a-z"',;\n]{0,9}$/),
    );
    const rows = fc.record<MemoryRow>(
      {
        content: text,
        user_id: text,
        metadata: fc
          .dictionary(fc.string({ minLength: 1 }), fc.string())
          .map((given) => JSON.parse(JSON.stringify(given))),
        categories: fc.array(text, { minLength: 1 }),
        version: fc.integer({ min: 1, max: 9 }),
      },
      { requiredKeys: ["content"] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(rows, { minLength: 1, maxLength: 4 }), async (given) => {
        const lines = given.map(toCsvLine);
        const cells = parse(lines.join("")).flat();
        expect(cells.filter((cell) => /^[=+@\t\r-]/.test(cell))).toEqual([]);
        expect(await rowsOf(CSV_HEADER + lines.join(""))).toEqual(given);
      }),
    );
  });
});

const at = (day: number) => Date.parse(`2024-05-0${day}T10:00:00Z`) / 1000;
const says = (role: string, parent: string, parts: unknown[], day?: number, content_type = "text") => ({
  message: { author: { role }, ...(day && { create_time: at(day) }), content: { content_type, parts } },
  parent,
});
const CHATGPT = {
  title: "Moving",
  create_time: at(1),
  conversation_id: "chat-1",
  current_node: "n4",
  mapping: {
    n0: { message: null, parent: null },
    n1: says("system", "n0", ["Be nice."]),
    n2: says("user", "n1", ["I live in Bern."], 2),
    other: says("user", "n1", ["I live in Rome."], 2),
    n3: says("assistant", "n2", ["Nice."], 2),
    n4: says("user", "n3", [{ asset_pointer: "file" }, "This is my cat."], 3, "multimodal_text"),
    loop: { message: null, parent: "loop" },
  },
};
const SAID_AT = "2024-05-04T10:00:00Z";
const CLAUDE = {
  uuid: "claude-1",
  name: "Work",
  created_at: "2024-05-01T10:00:00Z",
  chat_messages: [
    { sender: "human", text: "ignored", content: [{ type: "text", text: "I work at ACME." }], created_at: SAID_AT },
    { sender: "assistant", text: "Good." },
    { sender: "human", text: " " },
    { sender: 5 },
  ],
};
const message = (content: string, occurred_at: string, metadata: object) => ({
  message: { role: "user", content, occurred_at, metadata },
});
const FROM_CLAUDE = { imported_from: "claude", conversation_id: "claude-1", conversation_title: "Work" };
const FROM_CHATGPT = { imported_from: "chatgpt", conversation_id: "chat-1", conversation_title: "Moving" };
const EXPECTED = [
  message("I live in Bern.", "2024-05-02T10:00:00.000Z", FROM_CHATGPT),
  {
    message: {
      ...message("This is my cat.", "2024-05-03T10:00:00.000Z", FROM_CHATGPT).message,
      before: { role: "assistant", content: "Nice." },
    },
  },
  { skipped: "1 part beside a message's text (unknown) is not imported" },
  message("I work at ACME.", "2024-05-04T10:00:00.000Z", FROM_CLAUDE),
  { problem: { field: "row", problem: "is no message as Claude exports it" } },
];

describe("exported conversations", () => {
  const text = JSON.stringify([CHATGPT, CLAUDE]);

  it("contain what the person said, with its time, in the visible branch", async () => {
    expect(await entriesOf(text)).toEqual(EXPECTED);
    expect(await entriesOf(JSON.stringify([{ mapping: 5 }]))).toMatchObject([{ problem: { field: "row" } }]);
    const loop = { ...CHATGPT, current_node: "loop" };
    expect(await entriesOf(JSON.stringify([loop]))).toEqual([]);
  });

  it.each([0, 6] as const)("are read from an archive of level %s that has other files", async (level) => {
    const archive = zipSync(
      {
        "picture.png": new Uint8Array(50_000).fill(7),
        "export/conversations-000.json": strToU8(JSON.stringify([CHATGPT])),
        "export/conversations-001.json": strToU8(JSON.stringify([CLAUDE])),
        "user.json": strToU8("{}"),
        ".obsidian/app.json": strToU8("{}"),
      },
      { level },
    );
    const named = ["picture.png", "user.json"].map((name) => ({
      skipped: `the file ${name} of the archive is not imported`,
    }));
    for (const size of [1, 100, 1 << 20]) {
      expect(await entriesOf(archive, { size })).toEqual([...EXPECTED, ...named]);
    }
  });

  it.each([
    ["has no conversations", zipSync({ "user.json": strToU8("{}") }), "neither conversations.json nor notes"],
    ["is truncated", zipSync({ "conversations.json": strToU8(text) }).subarray(0, 200), "damaged"],
    ["is no archive", Buffer.from("PK nothing at all"), "not a ZIP archive"],
    [
      "unpacks to far more than it is",
      zipSync({ "conversations.json": new Uint8Array(40_000_000).fill(0x20) }, { level: 9 }),
      "100 times its size",
    ],
    [
      "has too many files",
      zipSync(
        Object.fromEntries(
          Array.from({ length: 100_001 }, (_, index) => [`${index}`, [new Uint8Array(), { level: 0 }]]),
        ),
      ),
      "more than 100000 files",
    ],
  ])("are refused if the archive %s", async (_name, archive, problem) => {
    await expect(entriesOf(archive, { format: "zip", size: 1 << 16 })).rejects.toThrow(problem);
  });
});
