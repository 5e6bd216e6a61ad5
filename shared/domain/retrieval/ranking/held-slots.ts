import { logit } from "../../../kernel/math.ts";
import { USER } from "../../../language/slots/fact.ts";
import { indexTerms } from "../../../language/words/keywords.ts";
import type { PlacedFact } from "../../memory/fact-reader.ts";
import type { Asked } from "./asked.ts";
import type { Ranked } from "./fusion.ts";
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

/** A slot that is asked for with at most this probability is not: its facts are not compared with the question. */
const NEGLIGIBLE = 0.05;

/** Returns the probability of the likeliest asked slot that a fact of the asked person has; 0 if none has one. */
export function probabilityHeld({ slots, ofUser }: Asked, question: Question, facts: readonly KnownFact[]): number {
  let best = 0;
  for (const fact of facts) {
    const probability = OF_THINGS.has(fact.attribute) ? 0 : (slots.get(fact.attribute) ?? 0);
    if (probability <= Math.max(best, NEGLIGIBLE) || fact.status === "retracted") continue;
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

/** Maximum distance from the best hit, in log odds, and how much surer a hit must state what is asked to lead it. */
const MAX_DISTANCE = 0.5;
const MIN_SURER = 0.3;

/**
 * Returns the hit that leads the best one because it states a value of the slot that is asked for, of the person that is
 * asked about, and the best one does not; undefined if none does, or none is nearly as good.
 */
export function answeringHit<Hit extends Pick<Ranked, "id" | "score">>(
  hits: readonly Hit[],
  asked: Asked,
  question: Question,
  facts: readonly KnownFact[],
): Hit | undefined {
  const [best] = hits;
  if (best === undefined) return undefined;
  const standing = Map.groupBy(
    facts.filter(({ status }) => status === "current"),
    ({ memory_id }) => memory_id,
  );
  const statedBy = ({ id }: Hit) => probabilityHeld(asked, question, standing.get(id) ?? []);
  const least = statedBy(best) + MIN_SURER;
  return hits
    .filter(({ id, score }) => standing.has(id) && logit(best.score) - logit(score) <= MAX_DISTANCE)
    .map((hit) => ({ hit, stated: statedBy(hit) }))
    .filter(({ stated }) => stated >= least)
    .toSorted((one, other) => other.stated - one.stated)[0]?.hit;
}
