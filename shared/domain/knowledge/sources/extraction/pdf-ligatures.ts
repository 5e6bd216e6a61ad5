import { getResolvedPDFJS } from "unpdf";

/** A text item of pdf.js: it reverses the characters of a text from right to left, also those of one glyph. */
interface Item {
  str: string;
  dir: string;
}

interface Operations {
  fnArray: number[];
  argsArray: unknown[];
}

/** Alef and lam in this order may come from the glyph of lam with alef, which stands for both. */
const MAYBE_REVERSED = /[اأإآٱ]ل/u;
/** What a glyph stands for whose maker wrote it down as it is drawn: reversed, it is right. */
const WRITTEN_AS_DRAWN = /^[اأإآٱ]ل$/u;
const RTL_LIGATURE = /^[\p{sc=Arabic}\p{sc=Hebrew}]{2,}$/u;

/** Whether some items may have ligatures whose letters are reversed. */
export function mayHaveReversedLigatures(items: readonly Item[]): boolean {
  return items.some(({ str, dir }) => dir === "rtl" && MAYBE_REVERSED.test(str));
}

/** Returns what the glyphs of a page stand for, in the order in which they are drawn. */
export async function glyphsOf(page: { getOperatorList(): Promise<Operations> }): Promise<string[]> {
  const [{ OPS }, { fnArray, argsArray }] = await Promise.all([getResolvedPDFJS(), page.getOperatorList()]);
  const glyphs: string[] = [];
  for (const [index, operator] of fnArray.entries()) {
    if (operator !== OPS.showText) continue;
    const [shown] = argsArray[index] as [({ unicode?: string } | number)[]];
    for (const glyph of shown) if (typeof glyph === "object" && glyph.unicode) glyphs.push(glyph.unicode);
  }
  return glyphs;
}

/**
 * Returns the texts of items with the letters of each ligature in their order. Items and glyphs are in one order, and a
 * text from right to left is the mirror of its glyphs; where that does not hold, a text stays as it is.
 */
export function withLigaturesInOrder(items: readonly Item[], glyphs: readonly string[]): string[] {
  const drawn = glyphs.filter((glyph) => glyph.trim() !== "");
  let next = 0;
  return items.map(({ str, dir }) => {
    const characters = [...str];
    const positions = characters.flatMap((character, position) => (character.trim() === "" ? [] : [position]));
    let count = 0;
    for (; next < drawn.length && count < positions.length; next++) {
      const glyph = drawn[next] ?? "";
      const length = [...glyph].length;
      const isReversed = dir === "rtl" && RTL_LIGATURE.test(glyph) && !WRITTEN_AS_DRAWN.test(glyph);
      if (isReversed) putInOrder(characters, positions.slice(-count - length, positions.length - count), glyph);
      count += length;
    }
    return characters.join("");
  });
}

/** Puts a glyph's letters at the places where they are reversed. */
function putInOrder(characters: string[], positions: number[], glyph: string): void {
  const letters = [...glyph];
  const found = positions.map((position) => characters[position]).join("");
  if (found !== letters.toReversed().join("")) return;
  for (const [index, position] of positions.entries()) characters[position] = letters[index] ?? "";
}
