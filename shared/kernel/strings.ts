/** Returns the text on one line, cut between words to at most `maxLength` characters including `…`. */
export function excerpt(text: string, maxLength: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= maxLength) return line;
  const cut = line.slice(0, maxLength - 1);
  const wordEnd = cut.lastIndexOf(" ");
  return `${cut.slice(0, wordEnd > maxLength / 2 ? wordEnd : undefined).toWellFormed()}…`;
}

/** Returns the words of a text that white space separates. */
export function setOf(words = ""): ReadonlySet<string> {
  return new Set(words.split(/\s+/).filter((word) => word !== ""));
}

/** Returns the text with an upper-case first letter. */
export function sentenceCase(text: string): string {
  const [first = ""] = text;
  return first.toUpperCase() + text.slice(first.length);
}

/** Returns the text without trailing characters that match the pattern, in linear time, unlike a pattern with `+$`. */
export function trimmedEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Whether an index lies between the two halves of a surrogate pair. */
export function isInsidePair(text: string, index: number): boolean {
  return /[\uD800-\uDBFF]/.test(text.charAt(index - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(index));
}

/** Splits a text into pieces of at most `maxLength` UTF-16 units, never within a surrogate pair. */
export function* inPieces(text: string, maxLength: number): Generator<string, void> {
  for (let start = 0; start < text.length; ) {
    const limit = start + maxLength;
    const end = isInsidePair(text, limit) ? limit - 1 : limit;
    yield text.slice(start, end);
    start = end;
  }
}

/** Maximum run of combining marks; no language needs as many (Unicode Standard Annex 15, stream-safe text). */
const MAX_MARKS = 30;
const LONG_RUN = new RegExp(`\\p{M}{${MAX_MARKS}}(?=\\p{M})`, "gu");
/** A character across which normalization does not reorder marks. */
const JOINER = "\u034f";

/** Normalizes untrusted text: sorting combining marks takes quadratic time, so a joiner splits long runs of them. */
export function normalized(text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string {
  return text.replace(LONG_RUN, `$&${JOINER}`).normalize(form);
}

/** Compares two texts by their UTF-16 code units, for sorting: the same order everywhere, unlike `localeCompare`. */
export function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
