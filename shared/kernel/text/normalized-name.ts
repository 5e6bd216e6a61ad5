import { normalized } from "../strings.ts";

/** Normalizes mentions for comparison: without case, accents, articles, possessives and punctuation. */
export function normalizedName(name: string): string {
  return normalized(name, "NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/['’]s\b/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .replace(/^(?:the|an?) (?=.)/, "");
}
