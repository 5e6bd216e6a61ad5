import type { Word } from "../retrieval/text.ts";
import { isVital } from "./vital.ts";

/** What a word counts as: a vital one is a term of its own wherever it stands. */
export function termOf({ folded, start }: Pick<Word, "folded" | "start">): string {
  return isVital(folded) ? `${folded}@${start}` : folded;
}
