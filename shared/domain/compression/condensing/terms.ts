import type { Word } from "../../../kernel/text/text.ts";
import { isVital } from "./vital.ts";

/** Returns the term that a word counts as; each occurrence of a vital word is a term of its own. */
export function termOf({ folded, start }: Pick<Word, "folded" | "start">): string {
  return isVital(folded) ? `${folded}@${start}` : folded;
}
