import { alternatives } from "../../../language/languages/lists.ts";

/** Matches a text that begins like an answer, or with a word that refers to the previous text. */
const OPENS_WITH_REFERENCE = new RegExp(
  String.raw`^\W*(?:${alternatives(({ recall }) => recall?.references)})(?![\p{L}\p{M}])`,
  "iu",
);

/** Whether a text needs the previous one to be understood. */
export function opensWithReference(text: string): boolean {
  return OPENS_WITH_REFERENCE.test(text);
}
