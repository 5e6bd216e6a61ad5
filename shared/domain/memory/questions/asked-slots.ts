import { words } from "../../../kernel/text/text.ts";
import { languageOf } from "../dates/languages.ts";
import { USER } from "../facts/fact.ts";
import { slotOf } from "../facts/records.ts";
import { meaningsAt } from "./slot-words.ts";

/** Maximum number of slots; each costs a query. */
const MAX_ASKED = 4;

/** Returns the slots of the user with one value that a question's words are about: `lives_in` for "Where do I live?". */
export function askedSlotsOf(question: string): string[] {
  const text = words(question);
  const language = languageOf(question);
  const meanings = text.flatMap((_, index) => meaningsAt(text, index, language));
  const attributes = new Set(meanings.map(({ attribute }) => attribute));
  return [...attributes].slice(0, MAX_ASKED).map((attribute) => slotOf({ subject: USER, attribute }));
}
