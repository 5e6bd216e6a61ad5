import { readFileSync } from "node:fs";
import { Tokenizer } from "@huggingface/tokenizers";
import { describe, expect, it } from "vitest";
import { PieceTable } from "./piece-table.ts";
import { UnigramFile, UnigramTokenizer } from "./unigram-tokenizer.ts";

const FILE = new URL("../../../../models/multilingual-e5-small/tokenizer.json", import.meta.url);

describe("UnigramTokenizer", () => {
  const content = JSON.parse(readFileSync(FILE, "utf8"));
  const library = new Tokenizer(content, {});
  const own = new UnigramTokenizer(UnigramFile.parse(content));

  it.each([
    ["English", "How much protein per day? Nobody's sure; 1,940 grams, or getUserById C# LX1612."],
    ["German", "Meine Mutter wohnt jetzt in Kiel, Straße 12½."],
    ["Spanish with blanks", "  ¿Dónde vive   Lucía ahora?\n\tEn 2×2 "],
    ["Japanese", "今日は café ﬁne、横浜です。"],
    ["Arabic and Hindi", "الحساسية من الفول السوداني अस्पताल"],
    ["emoji and combining marks", "👩‍👩‍👧 family 🎂🎂 e\u0301 a\u0301\u0302"],
    ["unknown characters", "𒀀𒀁 cuneiform 𒀀x𒀁"],
    ["control characters", "x\u0001y\u200bz\u2028w ▁mark"],
    ["half a character", "\ud800 lone \udc00"],
    ["a blank", " "],
    ["nothing", ""],
  ])("finds the pieces that the library finds: %s", (_name, text) => {
    expect(own.idsOf(text)).toEqual(library.encode(text, { add_special_tokens: false }).ids);
  });

  it.each([
    "How much protein per day? Nobody's sure; 1,940 grams.",
    "Meine Mutter wohnt jetzt in Kiel, Straße 12½…",
    "今日は café ﬁne、横浜です。",
    "family 🎂🎂 e\u0301 a\u0301\u0302 𒀀𒀁",
  ])("says where each piece of %j stands", (text) => {
    const pieces = own.piecesOf(text);
    let end = 0;
    for (const piece of pieces) {
      expect(piece.start).toBeGreaterThanOrEqual(end);
      expect(text.slice(end, piece.start).trim()).toBe("");
      end = piece.end;
    }
    expect(end).toBe(text.length);
    expect(pieces.map(({ id }) => id).filter((id) => own.idsOf(text).includes(id)).length).toBeGreaterThan(
      pieces.length / 2,
    );
  });

  it("splits a word of any length", () => {
    expect(own.idsOf("w".repeat(500_000)).length).toBeGreaterThan(10_000);
  });

  it.each([
    ["of words", { model: { ...content.model, type: "WordPiece" } }],
    ["of bytes", { model: { ...content.model, byte_fallback: true } }],
    ["with another normalizer", { normalizer: { type: "BertNormalizer" } }],
  ])("leaves a tokenizer %s to the library", (_name, change) => {
    expect(UnigramFile.safeParse({ ...content, ...change }).success).toBe(false);
  });
});

describe("PieceTable", () => {
  it("finds the pieces that begin at a place, each with its id", () => {
    const pieces = ["t", "te", "tea", "ea", "🎂", "", "no"];
    const table = new PieceTable(pieces);
    const foundAt = (word: string, start: number) => {
      const found: [string | undefined, number][] = [];
      table.forEachAt(word, start, (id, end) => found.push([pieces[id], end]));
      return found;
    };
    expect(foundAt("teas", 0)).toEqual([
      ["t", 1],
      ["te", 2],
      ["tea", 3],
    ]);
    expect(foundAt("teas", 1)).toEqual([["ea", 3]]);
    expect(foundAt("🎂no", 0)).toEqual([["🎂", 2]]);
    expect(foundAt("n", 0)).toEqual([]);
  });
});
