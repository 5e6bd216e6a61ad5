import { normalized } from "../kernel/normalized.ts";
/**
 * What makes two texts of people the same: neither case nor the amount of white space, nor how an accent is encoded.
 * Names of skills are unique by it, and a list is filtered by triggers in this form.
 */
export function folded(text: string): string {
  return normalized(text, "NFC").trim().replace(/\s+/g, " ").toLowerCase();
}
