import { USER } from "../../../language/slots/fact.ts";
import { indexTerms } from "../../../language/words/keywords.ts";
import type { PlacedFact } from "../../memory/fact-reader.ts";
import type { Asked } from "../asked.ts";
import type { Question } from "./question.ts";

export type KnownFact = Pick<PlacedFact, "subject" | "attribute" | "value" | "status" | "memory_id">;

/** Slots that have a value for each thing or occasion, so that another one's value is no answer. */
const OF_THINGS: ReadonlySet<string> = new Set([
  "property",
  "event",
  "plan",
  "habit",
  "instruction",
  "goal",
  "contact",
]);

/** Returns the probability of the likeliest asked slot that a fact of the asked person has; 0 if none has one. */
export function probabilityHeld({ slots, ofUser }: Asked, question: Question, facts: readonly KnownFact[]): number {
  let best = 0;
  for (const fact of facts) {
    const probability = OF_THINGS.has(fact.attribute) ? 0 : (slots.get(fact.attribute) ?? 0);
    if (probability <= best || fact.status === "retracted") continue;
    best = Math.max(best, probability * aboutAsked(ofUser, question, fact));
  }
  return best;
}

/** Returns the probability that a fact is about whom the question asks about. */
function aboutAsked(ofUser: number, { names, rest, namesUser }: Question, { subject, value }: KnownFact): number {
  const isAmong = (text: string, terms: ReadonlySet<string>) => indexTerms(text).some((term) => terms.has(term));
  if (names.size > 0) return isAmong(subject === USER ? value : subject, names) ? 1 : 0;
  if (subject === USER) return namesUser ? 1 : ofUser;
  return isAmong(subject, rest) ? 1 : 0;
}
