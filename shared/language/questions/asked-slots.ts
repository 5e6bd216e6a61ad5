import { USER } from "../slots/fact.ts";
import { slotKey } from "../slots/slot-key.ts";
import type { Query } from "./query.ts";
import { attributesIn } from "./slot-words.ts";

/** Maximum number of slots; each costs a query. */
const MAX_ASKED = 4;

/** Returns the slots of the user with one value that a question's words are about: `lives_in` for "Where do I live?". */
export function askedSlotsOf(question: Query): string[] {
  const attributes = attributesIn([...question.words], question.language);
  return [...attributes].slice(0, MAX_ASKED).map((attribute) => slotKey(USER, attribute));
}
