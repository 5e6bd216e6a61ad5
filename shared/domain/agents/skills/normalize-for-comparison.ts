import { normalized } from "../../../kernel/strings.ts";
/**
 * Normalizes text for comparison: ignores case, white space and the encoding of accents. Skill names are unique in this
 * form, and lists filter triggers by it.
 */
export function normalizeForComparison(text: string): string {
  return normalized(text, "NFC").trim().replace(/\s+/g, " ").toLowerCase();
}
