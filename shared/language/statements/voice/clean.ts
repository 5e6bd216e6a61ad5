/** Invisible characters, with which a text can hide its marks and its words. */
const INVISIBLE = /[[\p{Cc}\p{Cf}\ufffd]--[\n\t]]/v;
/** Full-width punctuation of Chinese and Japanese text stays: it needs no space after it. */
const FULL_WIDTH = /[[\uff01-\uff5e]--[！，：；？（）]]/v;
const SPECIAL = /[[\p{Cc}\p{Cf}\ufffd\u00a0\u2028\u2029\uff01-\uff5e]--[\n\t！，：；？（）]]/v;
const FULL_WIDTH_OFFSET = 0xfee0;

/** A text without invisible characters and full-width forms, and the position of each of its characters. */
export interface CleanText {
  text: string;
  /** Returns the position in the original text. */
  position(index: number): number;
}

/** Returns the text as it looks to a reader: one character for each visible one. */
export function cleaned(original: string): CleanText {
  if (!SPECIAL.test(original)) return { text: original, position: (index) => index };
  const positions: number[] = [];
  let text = "";
  for (let index = 0; index < original.length; ) {
    const character = String.fromCodePoint(original.codePointAt(index) ?? 0);
    if (!INVISIBLE.test(character)) {
      const visible = visibleForm(character);
      for (let unit = 0; unit < visible.length; unit++) positions.push(index + unit);
      text += visible;
    }
    index += character.length;
  }
  return { text, position: (index) => positions[index] ?? original.length };
}

function visibleForm(character: string): string {
  if (FULL_WIDTH.test(character)) return String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH_OFFSET);
  if (character === "\u00a0") return " ";
  return /[\u2028\u2029]/.test(character) ? "\n" : character;
}
