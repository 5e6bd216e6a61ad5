import { logit } from "../../../kernel/math.ts";
import { SYNONYMS } from "../../../language/facts/properties.ts";
import type { Query } from "../../../language/questions/query.ts";
import { questionTimeOf } from "../../../language/questions/question-time.ts";
import { USER } from "../../../language/slots/fact.ts";
import { indexTerms } from "../../../language/words/keywords.ts";
import type { PlacedFact } from "../../memory/fact-reader.ts";
import { type Asked, likeliestSlot } from "./asked.ts";
import type { Ranked } from "./fusion.ts";
import { type Question, readQuestion } from "./question.ts";

export type KnownFact = Pick<PlacedFact, "subject" | "attribute" | "value" | "status" | "memory_id" | "content">;

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
export function probabilityHeld(asked: Asked, question: Question, facts: readonly KnownFact[]): number {
  return likeliestHeld(asked, facts, personAsked(asked, question, facts));
}

/** Returns how likely a fact is about whom the question asks about. */
type AboutAsked = (fact: KnownFact) => number;

function likeliestHeld({ slots }: Asked, facts: readonly KnownFact[], aboutAsked: AboutAsked): number {
  let best = 0;
  for (const fact of facts) {
    const attribute = slotNamed(fact.attribute);
    const probability = OF_THINGS.has(attribute) ? 0 : (slots.get(attribute) ?? 0);
    if (probability <= Math.max(best, NEGLIGIBLE) || fact.status === "retracted") continue;
    best = Math.max(best, probability * aboutAsked(fact));
  }
  return best;
}

function slotNamed(attribute: string): string {
  return SYNONYMS.get(attribute) ?? attribute;
}

const isAmong = (text: string, terms: ReadonlySet<string>) => indexTerms(text).some((term) => terms.has(term));

/**
 * Whom a question asks about: somebody with a name, somebody of the user ("my sister", of whom facts tell the name), or the
 * user.
 */
function personAsked(asked: Asked, question: Question, facts: readonly KnownFact[]): AboutAsked {
  const { names, rest, namesUser } = question;
  if (names.size > 0) return ({ subject, value }) => (isAmong(subject === USER ? value : subject, names) ? 1 : 0);
  const related = new Set(question.relations.values());
  const [likeliest] = likeliestSlot(asked);
  const isOfRelated = related.size > 0 && !related.has(likeliest);
  const people = isOfRelated ? namesOfRelated(question, facts) : undefined;
  return ({ subject }) => {
    if (subject !== USER) return isAmong(subject, rest) || (people !== undefined && isAmong(subject, people)) ? 1 : 0;
    if (isOfRelated) return 0;
    return namesUser ? 1 : asked.ofUser;
  };
}

/** Returns the terms of the names of those whom a question names by what they are to the user. */
function namesOfRelated({ relations }: Question, facts: readonly KnownFact[]): ReadonlySet<string> {
  const related = new Set(relations.values());
  const stating = facts.filter(
    ({ subject, attribute, status }) => subject === USER && related.has(slotNamed(attribute)) && status === "current",
  );
  // "My brother Tom" tells which of the siblings is a brother.
  const nouns = new Set([...relations.keys()].flatMap((noun) => indexTerms(noun)));
  const inSameWords = stating.filter(({ content }) => isAmong(content, nouns));
  const telling = inSameWords.length > 0 ? inSameWords : stating;
  return new Set(telling.flatMap(({ value }) => indexTerms(value)).filter((term) => !nouns.has(term)));
}

/** Maximum distance from the best hit, in log odds, and how much surer a hit must state what is asked to lead it. */
const MAX_DISTANCE = 0.5;
const MIN_SURER = 0.3;
/** A memory that states it at least so surely may be as far from the best hit as it will. */
export const SURE = 0.5;

/** What is known about a query. */
export interface Answering {
  query: Query;
  /** The names of the user, folded. */
  ownNames: ReadonlySet<string>;
  /** The slots that the query asks for; undefined if its vector does not say it. */
  slots: Asked | undefined;
  /** The facts that memories state. */
  facts: readonly KnownFact[];
  /** The time whose state is requested, in epoch milliseconds. */
  asOf: number | undefined;
  /** The time of the query, in epoch milliseconds. */
  now: number;
}

/** Which memories state what is asked for now; none if the question is about the past. */
export class Answers {
  /** By memory: how likely it states a value of the asked slot, of the person that is asked about, and of others. */
  readonly #stated = new Map<string, { own: number; others: number }>();

  constructor({ query, ownNames, slots, facts, asOf, now }: Answering) {
    const time = questionTimeOf(query);
    if (slots === undefined || asOf !== undefined || time === "past" || time === "before") return;
    const aboutAsked = personAsked(slots, readQuestion(query, ownNames, now), facts);
    const current = facts.filter(({ status }) => status === "current");
    for (const [id, own] of Map.groupBy(current, ({ memory_id }) => memory_id)) {
      const ofOthers = own.filter((fact) => aboutAsked(fact) === 0);
      this.#stated.set(id, {
        own: likeliestHeld(slots, own, aboutAsked),
        others: likeliestHeld(slots, ofOthers, () => 1),
      });
    }
  }

  /**
   * Returns the memory that leads the best hit because it states what is asked, and the best hit does not; undefined if
   * none does, or if none is sure or nearly as good. It is a hit, or one of those whose facts were looked up.
   */
  leading(hits: readonly Pick<Ranked, "id" | "score">[], lookedUp: ReadonlySet<string>): string | undefined {
    const [best] = hits;
    if (best === undefined) return undefined;
    const scores = new Map(hits.map(({ id, score }) => [id, score]));
    const least = this.#ownOf(best.id) + MIN_SURER;
    const isNear = (score: number | undefined) =>
      score !== undefined && logit(best.score) - logit(score) <= MAX_DISTANCE;
    return [...this.#stated]
      .filter(([id]) => scores.has(id) || lookedUp.has(id))
      .filter(([id, { own }]) => own >= least && (own >= SURE || isNear(scores.get(id))))
      .toSorted(([one, a], [other, b]) => b.own - a.own || (scores.get(other) ?? 0) - (scores.get(one) ?? 0))[0]?.[0];
  }

  /** Whether a memory states what is asked and another one only the same of somebody else, so that it does not replace it. */
  isOfAnother(newer: string, older: string): boolean {
    const { own, others } = this.#stated.get(newer) ?? { own: 0, others: 0 };
    return others >= SURE && this.#ownOf(older) >= own + MIN_SURER;
  }

  #ownOf(id: string): number {
    return this.#stated.get(id)?.own ?? 0;
  }
}
