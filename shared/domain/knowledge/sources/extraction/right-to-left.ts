import { normalized } from "../../../../kernel/strings.ts";

/** Texts of Arabic, Hebrew and related scripts, which a PDF places from right to left. */

const RTL = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u;
const STRONG_RTL = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/gu;
const STRONG_LTR = /(?=\p{L})[^\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/gu;
const MARKS = /^\s*\p{M}+\s*$/u;
/** Forms that a letter has at its place in a word, and ligatures such as lam with alef. */
const PRESENTATION_FORMS = /[\ufb1d-\ufb4f\ufb50-\ufdff\ufe70-\ufefc]/gu;
const BRACKETS = /[()[\]{}«»<>]/g;
const OPENING = "([{«<";
const MIRRORED: Readonly<Record<string, string>> = {
  ...{ "(": ")", ")": "(", "[": "]", "]": "[", "{": "}", "}": "{", "«": "»", "»": "«", "<": ">", ">": "<" },
};

/** Whether a text consists of marks that belong to the letter below or above them. */
export const isMark = (text: string): boolean => MARKS.test(text);

/** Returns the letters that presentation forms stand for, in the order in which they are read. */
export function withPlainLetters(text: string): string {
  // A mark alone is a form of a blank with the mark.
  return text.replace(PRESENTATION_FORMS, (form) => normalized(form, "NFKC").replace(/^ (?=\p{M})/u, ""));
}

/** Whether more letters of some texts are read from right to left than from left to right. */
export function isMostlyRightToLeft(texts: Iterable<string>): boolean {
  let balance = 0;
  for (const text of texts) balance += (text.match(STRONG_RTL)?.length ?? 0) - (text.match(STRONG_LTR)?.length ?? 0);
  return balance > 0;
}

/** Whether a line is read from right to left: as its page, unless it has no letter of that direction. */
export function directionOf(texts: readonly string[], ofPage: boolean): boolean {
  const hasRightToLeft = texts.some((text) => RTL.test(text));
  if (ofPage) return hasRightToLeft || !texts.some((text) => /\p{L}/u.test(text));
  return hasRightToLeft && isMostlyRightToLeft(texts);
}

/**
 * Returns the pieces of a line in the order in which they are read; they are given from left to right. Words of a script
 * from left to right keep their order within a line from right to left, with the numbers between them, and vice versa.
 */
export function inReadingOrder<Piece extends { text: string }>(pieces: Piece[], isRightToLeft: boolean): Piece[] {
  const runs: { isRightToLeft: boolean; pieces: Piece[] }[] = [];
  const directions = directionsOf(pieces, isRightToLeft);
  for (const [index, piece] of pieces.entries()) {
    const direction = directions[index] ?? isRightToLeft;
    const last = runs.at(-1);
    if (last?.isRightToLeft === direction) last.pieces.push(piece);
    else runs.push({ isRightToLeft: direction, pieces: [piece] });
  }
  const ordered = isRightToLeft ? runs.toReversed() : runs;
  return ordered.flatMap((run) => (run.isRightToLeft ? run.pieces.toReversed() : run.pieces));
}

/** Whether each piece is read from right to left: one without letters as both its neighbours, otherwise as the line. */
function directionsOf(pieces: { text: string }[], ofLine: boolean): boolean[] {
  const strong = pieces.map(({ text }) => (RTL.test(text) ? true : /\p{L}/u.test(text) ? false : undefined));
  const before = carried(strong, ofLine);
  const after = carried(strong.toReversed(), ofLine).toReversed();
  return strong.map(
    (direction, index) => direction ?? (before[index] === after[index] ? before[index] : ofLine) ?? ofLine,
  );
}

/** Replaces each missing direction by the one before it. */
function carried(directions: (boolean | undefined)[], first: boolean): boolean[] {
  let last = first;
  return directions.map((direction) => {
    last = direction ?? last;
    return last;
  });
}

/** Returns a line with its brackets mirrored, if they match better so: some programs write what is drawn. */
export function withMatchingBrackets(line: string): string {
  const mirrored = line.replace(BRACKETS, (bracket) => MIRRORED[bracket] ?? bracket);
  return unmatchedIn(mirrored) < unmatchedIn(line) ? mirrored : line;
}

function unmatchedIn(line: string): number {
  const open: string[] = [];
  let unmatched = 0;
  for (const [bracket] of line.matchAll(BRACKETS)) {
    if (OPENING.includes(bracket)) open.push(bracket);
    else if (open.at(-1) === MIRRORED[bracket]) open.pop();
    else unmatched++;
  }
  return unmatched + open.length;
}
