/**
 * Maximum run of combining marks that is kept; no language needs as many (Unicode Standard Annex 15, stream-safe text).
 */
const MAX_MARKS = 30;
const LONG_RUN = new RegExp(`\\p{M}{${MAX_MARKS}}(?=\\p{M})`, "gu");
/** A mark across which others are not reordered. */
const JOINER = "\u034f";

/**
 * String's `normalize` for untrusted text. Sorting a run of combining marks takes quadratic time, so a joiner splits
 * long runs.
 */
export function normalized(text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string {
  return text.replace(LONG_RUN, `$&${JOINER}`).normalize(form);
}
