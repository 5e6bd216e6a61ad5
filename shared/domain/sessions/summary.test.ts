import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newMessage } from "../../../test/support/session-messages.ts";
import { loadTokenCounter } from "../compression/condensing/tokens.ts";
import type { SessionMessage } from "./session.ts";
import {
  budgetOf,
  compressAll,
  gistOf,
  keyPointsIn,
  paragraphsOf,
  retentionOf,
  type Segment,
  summarize,
  summaryOf,
  summaryTokens,
  withSegment,
} from "./summary.ts";

const SENTENCES = [
  "Ada moved to Zurich in March 2024 and works at the university hospital.",
  "The invoice 4711 over 230 euros was never paid by the insurance.",
  "I would like to change the delivery address to 12 Baker Street in London.",
  "Our dog Bruno is allergic to chicken, so please send the other food.",
  "Thank you very much, that is really kind of you!",
  "The meeting with Priya about the Lisbon project is on Thursday at ten.",
];

const tokens = await loadTokenCounter();

/** Returns consecutive messages from a position on. */
function messages(from: number, count: number, content = (place: number) => SENTENCES[place % SENTENCES.length] ?? "") {
  let tokens_before = 0;
  return Array.from({ length: count }, (_, place): SessionMessage => {
    const said = `${content(from + place)} (${from + place})`;
    const own = tokens.count(said);
    tokens_before += own;
    const role = place % 2 === 0 ? "user" : "assistant";
    return newMessage(from + place, { role, content: said, tokens: own, tokens_before: tokens_before - own });
  });
}

const tokensOf = (all: SessionMessage[]) => all.reduce((sum, message) => sum + message.tokens, 0);

function expectWhole(segments: Segment[], last: number, original: number): void {
  expect(segments[0]?.from).toBe(1);
  expect(segments.at(-1)?.to).toBe(last);
  expect(segments.slice(1).map(({ from }) => from)).toEqual(segments.slice(0, -1).map(({ to }) => to + 1));
  expect(segments.reduce((sum, { original_tokens }) => sum + original_tokens, 0)).toBe(original);
}

describe("merging one chunk after the other", () => {
  it("keeps a summary of all messages within the budget, of about log2 of the chunks' number of segments", async () => {
    const budget = budgetOf(8192);
    let segments: Segment[] = [];
    let position = 0;
    let original = 0;
    for (let chunk = 1; chunk <= 40; chunk++) {
      const folded = messages(position + 1, 12);
      position += folded.length;
      original += tokensOf(folded);
      segments = withSegment(segments, await summarize(folded, 48, tokens), { ...budget, segment: 48 }, tokens);
      expectWhole(segments, position, original);
      expect(segments.length).toBeLessThanOrEqual(1 + Math.log2(chunk));
      expect(summaryTokens(segments)).toBeLessThanOrEqual(budget.whole);
      for (const { text, tokens: counted } of segments) expect(counted).toBe(tokens.count(text));
    }
    expect(retentionOf(segments)).toBeGreaterThan(0);
    expect(retentionOf(segments)).toBeLessThan(0.5);
  });

  it("condenses a segment as often as its level says, at most log2 of the number of chunks", async () => {
    const budget = { ...budgetOf(1_000_000), segment: 48 };
    let segments: Segment[] = [];
    for (let chunk = 0; chunk < 64; chunk++) {
      segments = withSegment(segments, await summarize(messages(chunk * 4 + 1, 4), 48, tokens), budget, tokens);
    }
    expect(segments.map(({ level }) => level)).toEqual([6]);
  });

  it("works for windows and messages of any size", async () => {
    const windows = fc.integer({ min: 1, max: 3000 });
    const chunks = fc.array(fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 4 }), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(windows, chunks, async (window, sizes) => {
        const budget = budgetOf(window);
        let segments: Segment[] = [];
        let position = 0;
        let original = 0;
        for (const chunk of sizes) {
          const said = (at: number) => `${SENTENCES[at % 6]} `.repeat((chunk[at % chunk.length] ?? 0) % 9);
          const folded = messages(position + 1, chunk.length, said);
          position += folded.length;
          original += tokensOf(folded);
          segments = withSegment(segments, await summarize(folded, budget.segment, tokens), budget, tokens);
          expectWhole(segments, position, original);
          expect(summaryTokens(segments)).toBeLessThanOrEqual(budget.whole);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe("budgets", () => {
  it.each([1, 10, 100, 8192, 1_000_000])("of a window of %d tokens leave most of it to messages", (window) => {
    const { chunk, segment, whole } = budgetOf(window);
    expect(segment).toBeLessThanOrEqual(whole);
    expect(whole).toBeLessThanOrEqual(Math.max(1, window / 4));
    expect(chunk).toBeLessThanOrEqual(2048);
    for (const size of [chunk, segment, whole]) expect(size).toBeGreaterThanOrEqual(1);
  });
});

describe("compressing a whole session", () => {
  const options = { algorithm: "smart_hybrid", min_retention: 0.7 } as const;

  it("merges the segments and later messages into one segment, as the options say", async () => {
    const before = [await summarize(messages(1, 6), 200, tokens)];
    const behind = messages(7, 10);
    const segment = await compressAll(before, behind, options, 4000, tokens);
    expect(segment).toMatchObject({ from: 1, to: 16, original_tokens: tokensOf(messages(1, 16)) });
    expect(segment?.retention).toBeGreaterThanOrEqual(0.7);
    expect(segment?.tokens).toBe(tokens.count(segment?.text ?? ""));
    expect(segment?.tokens).toBeLessThan(tokensOf(messages(1, 16)));
  });

  it("creates nothing if nothing is saved", async () => {
    expect(await compressAll([], messages(1, 6), { algorithm: "gzip" }, 4000, tokens)).toBeUndefined();
    expect(await compressAll([], [], options, 4000, tokens)).toBeUndefined();
  });

  it("stays within the limit, and reports the loss", async () => {
    const segment = await compressAll([], messages(1, 30), { ...options, min_retention: 0.95 }, 40, tokens);
    expect(segment?.tokens).toBeLessThanOrEqual(40);
    expect(segment?.retention).toBeLessThan(0.95);
  });

  it("can be extended after its dictionary is resolved", async () => {
    const repeated = messages(1, 12, () => "The quarterly report of the northern sales region is late again.");
    const folded = await compressAll([], repeated, { algorithm: "smart_radix" }, 4000, tokens);
    expect(folded?.folded).toBe(true);
    const budget = { ...budgetOf(8192), segment: 30 };
    const next = { ...(await summarize(messages(13, 2), 30, tokens)), level: folded?.level ?? 0 };
    const [joined, ...rest] = withSegment(folded ? [folded] : [], next, budget, tokens);
    expect(rest).toEqual([]);
    expect(joined).toMatchObject({ from: 1, to: 14, folded: false });
    expect(joined?.text).not.toContain("§");
  });
});

describe("the gist of the window", () => {
  it("is shorter than the messages, and fits in besides them", async () => {
    const all = messages(1, 5);
    const gist = await gistOf(all, 8192, tokens);
    expect(gist).toMatchObject({ from: 1, to: 5 });
    expect(gist?.tokens).toBeLessThanOrEqual(Math.ceil((tokensOf(all) * 2) / 3));
    expect(await gistOf(all, tokensOf(all), tokens)).toBeUndefined();
    expect(await gistOf([], 8192, tokens)).toBeUndefined();
  });
});

it("contains the best key points of all segments once, in order", async () => {
  const parts = [0, 1, 2, 3].map((part) => summarize(messages(part * 6 + 1, 6), 60, tokens));
  const segments = await Promise.all(parts);
  const points = keyPointsIn([...segments, ...segments]);
  expect(points.length).toBeLessThanOrEqual(10);
  expect(new Set(points).size).toBe(points.length);
  expect(summaryOf(segments).split("\n").length).toBeGreaterThanOrEqual(4);
});

it("is shown as paragraphs, except texts with a dictionary", () => {
  const segment = { from: 1, to: 2, level: 0, tokens: 9, original_tokens: 20, retention: 1, key_points: [] };
  const prose = { ...segment, text: "Ada likes tea.\nShe lives in Rome.", folded: false };
  const folded = { ...segment, text: "§1=tea\nAda likes §1.", folded: true };
  expect(paragraphsOf([prose, folded])).toBe("Ada likes tea. She lives in Rome.\n§1=tea\nAda likes §1.");
});
