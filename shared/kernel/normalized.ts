/** Combining marks in a row that stay as they are; no language has as many (Unicode Standard Annex 15, stream-safe text). */
const MAX_MARKS = 30;
const LONG_RUN = new RegExp(`\\p{M}{${MAX_MARKS}}(?=\\p{M})`, "gu");
/** The mark that others are not sorted across. */
const JOINER = "\u034f";

/**
 * String's `normalize` for text of any origin. That sorts a run of combining marks in time by the square of its length, so
 * a joiner parts a long run.
 */
export function normalized(text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string {
  return text.replace(LONG_RUN, `$&${JOINER}`).normalize(form);
}
