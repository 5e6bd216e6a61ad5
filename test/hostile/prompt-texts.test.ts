import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as client from "../../clients/typescript/src/prompt.ts";
import * as service from "../../shared/kernel/text/prompt-text.ts";
import cases from "../fixtures/prompt-texts.json" with { type: "json" };

/** Texts per property: few in every run of the tests, many in `npm run test:hostile`. */
const RUNS = process.env.HOSTILE === "full" ? 100_000 : 1_000;

const RENDERERS = { service, client };

/** Parts of hostile texts: what closes a block, opens a tag or a fence, fakes an entry, or hides any of these. */
const PARTS = [
  ...["<", "＜", "﹤", "&lt;", "&LT;", "&lt", "&#60;", "&#0060", "&#x3C;", "&amp;lt;", "\\u003c", "\\x3C", "\\u{3c}"],
  ...["/", "!", "?", ">", "＞", "&gt;", "memories", "MEMORY", "system", "b", " ", "\t", "\n", "\r", "\r\n", "\u2028"],
  ...["\u2029", "\u0085", "\v", "\f", "\0", "\u001b[2K", "\u00ad", "\u200b", "\u200c", "\u200d", "\u200e", "\u202e"],
  ...[
    "\u2066",
    "\ufeff",
    "\u{e003c}",
    "\u{e002f}",
    "\ud800",
    "```",
    "~~~",
    "``",
    "`",
    "｀",
    "～",
    "[1] ",
    "- ",
    "3",
    "=",
  ],
  ...[
    "5 Mar 2026",
    "assistant: ",
    "‹",
    "a",
    "Ω",
    "i<n",
    "a < b",
    "&",
    "\\",
    "amp;",
    "lt;",
    "u003c",
    "\u00a0",
    "\u3000",
  ],
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...PARTS), fc.string({ unit: "binary", maxLength: 3 })), {
    maxLength: 24,
  })
  .map((parts) => parts.join(""));

/** Any spelling that a reader might take for a tag, after the decodings that a reader might apply. */
const OPENS_TAG = /<\s*[/!?]|<[\p{L}_|:]|<\s+\p{L}[^<>‹]*>/u;

function decoded(text: string): string {
  const character = (digits: string, base: number) => {
    const code = Number.parseInt(digits, base);
    return code <= 0x10ffff ? String.fromCodePoint(code) : "";
  };
  return text
    .replace(/&#(\d+);?/g, (_, digits) => character(digits, 10))
    .replace(/&#x([\da-f]+);?/gi, (_, digits) => character(digits, 16))
    .replace(/\\(?:u([\da-f]{4})|u\{([\da-f]+)\}|x([\da-f]{2}))/gi, (_, one, two, three) =>
      character(one ?? two ?? three, 16),
    )
    .replace(/&lt(?:;|(?![\da-z]))/gi, "<")
    .normalize("NFKC");
}

describe.each(Object.entries(RENDERERS))(
  "rendering for prompts in the %s",
  (_name, { neutralized, asLine, asItem, asDataBlock }) => {
    it.each(cases)("$name", ({ text, neutral, line }) => {
      expect(neutralized(text)).toBe(neutral);
      expect(asLine(text)).toBe(line);
    });

    it("never opens a tag or a fence, hides a character, or changes when repeated", () => {
      fc.assert(
        fc.property(hostile, (text) => {
          const rendered = neutralized(text);
          expect(decoded(rendered)).not.toMatch(OPENS_TAG);
          expect(rendered).not.toMatch(/[`｀]{3}|[~～]{3}/);
          expect(rendered).not.toMatch(/(?!\n)\p{Cc}|\p{Bidi_Control}|\u200b|\p{Cs}|[\u2028\u2029]/u);
          expect(neutralized(rendered)).toBe(rendered);
        }),
        { numRuns: RUNS },
      );
    });

    it("is one line, or lines that no list takes for an entry", () => {
      fc.assert(
        fc.property(hostile, (text) => {
          expect(asLine(text)).not.toMatch(/[\n\r\v\f\u0085\u2028\u2029]/);
          const [, ...continued] = asItem(text).split("\n");
          expect(continued.every((each) => each.startsWith("    "))).toBe(true);
        }),
        { numRuns: RUNS },
      );
    });

    it("has one end of its block", () => {
      fc.assert(
        fc.property(hostile, (text) => {
          const block = asDataBlock(text);
          expect(block.match(/<\s*\/?\s*memories/gi)).toHaveLength(2);
          expect(block.endsWith("\n</memories>")).toBe(true);
        }),
        { numRuns: RUNS },
      );
    });
  },
);

it("is the same in the service and the client", () => {
  fc.assert(fc.property(hostile, (text) => client.asItem(text) === service.asItem(text)));
});
