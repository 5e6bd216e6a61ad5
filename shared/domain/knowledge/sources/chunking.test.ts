import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../../test/support/any-character.ts";
import { LINEAR, orderOfGrowth } from "../../../../test/support/processor-time.ts";
import { loadTokenCounter } from "../../compression/condensing/tokens.ts";
import { CHUNK_TOKENS, type Chunk, Chunker, chunksOf, OVERLAP_TOKENS, WHOLE_TEXT } from "./chunking.ts";
import { Structure, type Syntax } from "./structure.ts";

const tokens = await loadTokenCounter();

function chunk(text: string, { syntax = "markdown" as Syntax, rest = WHOLE_TEXT } = {}): Chunk[] {
  const structure = new Structure(syntax);
  const chunker = new Chunker(tokens, structure, rest);
  structure.take(text);
  return [...chunker.push(text.slice(rest.next)), ...chunker.end()];
}

async function chunkInParts(text: string, size: number): Promise<Chunk[]> {
  async function* parts() {
    for (let start = 0; start < text.length; start += size) yield text.slice(start, start + size);
  }
  const chunks: Chunk[] = [];
  for await (const each of chunksOf(parts(), tokens)) chunks.push(each);
  return chunks;
}

/** Returns prose with the given number of different paragraphs. */
function prose(paragraphs: number): string {
  const paragraph = (place: number) =>
    Array.from({ length: 5 }, (_, n) => `Sentence ${n} of paragraph ${place} tells of the harbour and its ships.`).join(
      " ",
    );
  return Array.from({ length: paragraphs }, (_, place) => paragraph(place)).join("\n\n");
}

/** Fails unless the chunks contain every character except white space and each chunk's positions match its text. */
function expectCovered(text: string, chunks: Chunk[]): void {
  let covered = 0;
  for (const { body: own, start, end } of chunks) {
    expect(text.slice(start, end)).toBe(own);
    expect(own).toBe(own.trim());
    expect(own).not.toBe("");
    if (start > covered) expect(text.slice(covered, start).trim()).toBe("");
    expect(end).toBeGreaterThan(covered);
    covered = end;
  }
  expect(text.slice(covered).trim()).toBe("");
}

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 3000 }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          ...["\n", "\n\n", " ", ". ", "? ", "Dr. ", "。", "\t"],
          ...["# Title\n", "…", "\r\n", "   ", ".\n\n", "👩‍👩‍👧 ", "語"],
        ),
        fc.string({ unit: "grapheme", maxLength: 12 }),
        fc.nat(500).map((length) => "word ".repeat(length)),
        fc.nat(3000).map((length) => "x".repeat(length)),
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join("")),
);

describe("chunks", () => {
  it("contain all of any text, in order, none of them too long", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const chunks = chunk(text);
        expectCovered(text, chunks);
        for (const each of chunks) expect(tokens.count(each.text)).toBeLessThanOrEqual(CHUNK_TOKENS * 1.05);
      }),
      { numRuns: 150 },
    );
  });

  it("are the same for any division of the text into parts", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.integer({ min: 1, max: 700 }), async (text, size) => {
        expect(await chunkInParts(text, size)).toEqual(chunk(text));
      }),
      { numRuns: 100 },
    );
  });

  const resumeAfter = (text: string, { rest }: Chunk): Chunk[] => chunk(text, { rest });

  it("are the same after an interruption at any chunk", () => {
    const text = prose(120);
    const all = chunk(text);
    expect(all.length).toBeGreaterThan(10);
    for (const [place, last] of all.entries()) expect(resumeAfter(text, last)).toEqual(all.slice(place + 1));
  });

  it("contain all of any text after an interruption", () => {
    const longText = fc.array(anyText, { minLength: 5, maxLength: 10 }).map((parts) => parts.join("\n"));
    fc.assert(
      fc.property(fc.oneof(anyText, longText), fc.nat(), (text, choice) => {
        const all = chunk(text);
        if (all.length === 0) return;
        const kept = all.slice(0, 1 + (choice % all.length));
        const after = resumeAfter(text, kept.at(-1)!);
        expectCovered(text, [...kept, ...after]);
      }),
      { numRuns: 60 },
    );
  });

  it("repeat nothing after an interruption at the end of a text that ends with blank lines", () => {
    const text = "\n\n。\n\nEnd";
    const [last, ...others] = chunk(text);
    expect(others).toEqual([]);
    expect(resumeAfter(text, last!)).toEqual([]);
  });

  it("contain 200 to 300 tokens, count them exactly and repeat whole sentences of the previous one", () => {
    const chunks = chunk(prose(200));
    expect(chunks.length).toBeGreaterThan(10);
    for (const [place, { text, tokens: told }] of chunks.entries()) {
      expect(told).toBe(tokens.count(text));
      if (place < chunks.length - 1) expect(told).toBeGreaterThan(CHUNK_TOKENS * 0.6);
      expect(text).toMatch(/^Sentence/);
      expect(text).toMatch(/ships\.$/);
    }
    for (const [place, later] of chunks.slice(1).entries()) {
      const earlier = chunks[place]!;
      const repeated = later.text.slice(0, earlier.end - later.start);
      expect(earlier.text.endsWith(repeated)).toBe(true);
      expect(tokens.count(repeated)).toBeGreaterThan(10);
      expect(tokens.count(repeated)).toBeLessThanOrEqual(OVERLAP_TOKENS);
    }
    const total = chunks.reduce((sum, { new_tokens }) => sum + new_tokens, 0);
    expect(total).toBe(tokens.count(prose(200)));
  });

  it("end at a paragraph's end if one is near", () => {
    const text = prose(100);
    for (const { end } of chunk(text).slice(0, -1)) expect(text.slice(end, end + 2)).toBe("\n\n");
  });

  it("do not end with a heading", () => {
    const text = Array.from({ length: 60 }, (_, n) => `## Part ${n}\n\n${prose(1)}`).join("\n\n");
    const chunks = chunk(text);
    expect(chunks.length).toBeGreaterThan(4);
    for (const { text: own } of chunks) expect(own).not.toMatch(/## Part \d+$/);
  });

  it("do not end after an abbreviation", () => {
    const text = "We met Dr. Smith and Prof. Jones of No. 7. ".repeat(200);
    for (const { text: own } of chunk(text)) expect(own).toMatch(/^We met.*7\.$/s);
  });

  it("do not split surrogate pairs", () => {
    for (const { text } of chunk("😀".repeat(5000))) expect(text.isWellFormed()).toBe(true);
  });

  it("are none for an empty text", () => {
    for (const text of ["", " ", "\n\n\n", " \t\r\n ".repeat(5000)]) expect(chunk(text)).toEqual([]);
  });

  it.each([
    ["one word", "x"],
    ["blanks", " "],
    ["line breaks", "\n"],
    ["full stops", "."],
    ["full stops and quotes", '."'],
    ["words", "word "],
    ["sentences", "A. "],
    ["rare signs", "ꙮ𒐫"],
    ["lines of blanks", "\n \t"],
  ])("of endless %s take linear time", async (_what, unit) => {
    const chunking = (length: number) => {
      const text = unit.repeat(length / unit.length);
      return () => chunkInParts(text, 65_536);
    };
    expect(await orderOfGrowth([100_000, 800_000], chunking, LINEAR)).toBeLessThanOrEqual(LINEAR);
  });
});

describe("a chunk", () => {
  const rows = (count: number) => Array.from({ length: count }, (_, n) => `| berth ${n} | | ${n * 3} tons of salt |`);
  const table = ["| Place | Keeper | Cargo |", "|---|---|---|", ...rows(120)];

  it("names its sections, and begins at a new section if the previous chunk is long enough", () => {
    const text = Array.from({ length: 8 }, (_, n) => `# Part ${n}\n\n## Quays\n\n${prose(6)}`).join("\n\n");
    const chunks = chunk(text);
    expect(chunks.length).toBeGreaterThan(8);
    for (const { text: own, body, headings } of chunks) {
      if (body.startsWith("# Part")) expect([headings, own]).toEqual([[], body]);
      else expect(own).toBe(`${headings.join(" > ")}\n\n${body}`);
    }
    expect(chunks.some(({ headings }) => headings.join() === "Part 3,Quays")).toBe(true);
    expect(chunks.filter(({ body }) => body.startsWith("# Part"))).toHaveLength(8);
  });

  it("of a table repeats its header, and ends between rows", () => {
    const chunks = chunk(["# Cargo", "", ...table].join("\n"));
    expect(chunks.length).toBeGreaterThan(4);
    for (const { text: own } of chunks.slice(1)) {
      expect(own).toMatch(/^Cargo\n\n\| Place \| Keeper \| Cargo \|\n\|---\|---\|---\|\n\| berth \d+ \| \|/);
      expect(own).toMatch(/tons of salt \|$/);
    }
  });

  it("of a table with long rows begins with a whole row", () => {
    const row = (n: number) =>
      `| O-${n} | Customer ${n} | Street ${n} Road, City${n} | ${"please call before delivery ".repeat(10)}|`;
    const chunks = chunk(
      [
        "| Order | Customer | Address | Remark |",
        "|---|---|---|---|",
        ...Array.from({ length: 20 }, (_, n) => row(n)),
      ].join("\n"),
    );
    expect(chunks.length).toBeGreaterThan(6);
    for (const { text: own } of chunks) expect(own).toMatch(/^\| Order .*\n\|---.*\n\| O-\d+ \|[\s\S]*\|$/);
  });

  it("does not repeat the header of a table that has ended", () => {
    const chunks = chunk([...table, "", prose(20)].join("\n"));
    expect(chunks.at(-1)?.text).not.toContain("| Place |");
  });

  it("of a fence opens and closes it", () => {
    const code = Array.from({ length: 200 }, (_, n) => `const line${n} = measure("quay", ${n}); # no heading`);
    const chunks = chunk(["# Setup", "", "```ts", ...code, "```", "", prose(1)].join("\n"));
    expect(chunks.length).toBeGreaterThan(5);
    for (const { text: own } of chunks) expect(own.split("```").length % 2).toBe(1);
    for (const { text: own } of chunks.slice(1, -1)) expect(own).toMatch(/^Setup\n\n```ts\nconst line/);
  });

  it("of source code repeats the enclosing lines, and ends between blocks", () => {
    const body = Array(4).fill("    ship.moor(this.quay, ship.length);").join("\n");
    const methods = Array.from({ length: 40 }, (_, n) => `  berth${n}(ship) {\n${body}\n  }\n`);
    const code = ["class Harbour {", ...methods, "}"].join("\n");
    const chunks = chunk(code, { syntax: "code" });
    expect(chunks.length).toBeGreaterThan(3);
    for (const { text: own, body, first } of chunks.slice(1)) {
      expect(own).toMatch(/^class Harbour \{\nberth\d+\(ship\) \{/);
      expect(code.split("\n")[first.line - 1]?.trim()).toBe(body.split("\n")[0]);
    }
  });

  it("names its lines and pages", () => {
    const text = Array.from({ length: 9 }, (_, n) => `\f\nPage ${n + 1}.\n\n${prose(4)}`).join("\n\n");
    const lines = text.split("\n");
    for (const { body, first, last } of chunk(text)) {
      expect(lines[first.line - 1]).toContain(body.split("\n")[0]?.replace("\f", ""));
      expect(lines[last.line - 1]).toContain(body.split("\n").at(-1));
      expect(last.breaks).toBeGreaterThanOrEqual(first.breaks);
    }
    expect(chunk(text).at(-1)?.last.breaks).toBe(9);
  });
});
