import type { FactDraft } from "./fact.ts";
import { cardinalityOf } from "./slots.ts";

/** Slots that end with another slot of the same subject: someone who leaves a company leaves the work there. */
const ENDS_WITH = new Map([
  ["works_at", ["works_as", "assigned_to", "works_in"]],
  ["studies_at", ["studies"]],
]);
/** Slots in which a value excludes the same value of the other slot. */
const OPPOSITES = new Map(
  Object.entries({
    likes: "dislikes",
    dislikes: "likes",
    eats: "does_not_eat",
    does_not_eat: "eats",
    drinks: "does_not_drink",
    does_not_drink: "drinks",
  }),
);
/** Slots that overlap: what is sold is no longer driven, and what somebody stopped may be taken, used or learned. */
const SHARED = new Map([
  ["drives", ["owns"]],
  ["owns", ["drives", "uses"]],
  ["does", ["takes", "uses", "learns", "plays", "eats", "drinks"]],
]);
/** Confidence of a guess, so that no profile has it. */
const GUESSED = 0.4;

export function guessed(draft: FactDraft): FactDraft {
  return { ...draft, confidence: GUESSED, is_guess: true };
}

/**
 * Returns the effects of a draft on other slots of its subject: ends of the same value or, if the value is empty, of
 * the current one. `readFacts` includes them in its result; callers that create drafts otherwise must add them.
 */
export function relatedSlots(draft: FactDraft): FactDraft[] {
  const { attribute, act } = draft;
  if (act === "end") {
    const within = (ENDS_WITH.get(attribute) ?? []).map((slot) => ended(draft, slot, ""));
    return [...within, ...(SHARED.get(attribute) ?? []).map((slot) => ended(draft, slot, draft.value))];
  }
  // "I cancelled the gym" ends "I have a gym membership".
  if (act === "cancel") return [ended(draft, "owns", draft.value)];
  // "I got engaged to Marek" ends "I'm single".
  if (attribute === "partner" && act === "state" && draft.valid_to === undefined)
    return [ended(draft, "relationship_status", "single")];
  const opposite = act === "state" && draft.valid_to === undefined ? OPPOSITES.get(attribute) : undefined;
  return opposite === undefined ? [] : [ended(draft, opposite, draft.value)];
}

function ended(draft: FactDraft, attribute: string, value: string): FactDraft {
  const { valid_from, replaces: _, ...rest } = draft;
  const at = draft.valid_to ?? valid_from;
  return guessed({
    ...rest,
    attribute,
    value,
    act: "end",
    cardinality: cardinalityOf(attribute),
    ...(at !== undefined && { valid_to: at }),
  });
}
