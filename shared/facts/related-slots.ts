import { cardinalityOf } from "./cardinality.ts";
import type { FactDraft } from "./fact.ts";

/** Slots that end with another one of the same subject: whoever leaves a firm leaves the work there. */
const ENDS_WITH: Readonly<Record<string, readonly string[]>> = {
  works_at: ["works_as", "assigned_to", "works_in"],
  studies_at: ["studies"],
};
/** Slots of which one value excludes the same value of the other. */
const OPPOSITES: Readonly<Record<string, string>> = { likes: "dislikes", dislikes: "likes" };
/** Slots that tell the same in part: what is sold is no longer driven. */
const SHARED: Readonly<Record<string, string>> = { drives: "owns", owns: "drives" };
const NOT = "not ";
/** Verbs that say too little for their negation to end what they said of something similar. */
const LIGHT = new Set("do go get feel look seem be make take".split(" "));
/** What follows from another statement is a fact where it closes one. */
const GUESSED = 0.4;

/**
 * What a draft does to other slots of its subject: an end, of the same value or, where the value is empty, of the one that
 * holds. `readFacts` adds these to what it gives; a caller that makes drafts otherwise adds them itself.
 */
export function relatedSlots(draft: FactDraft): FactDraft[] {
  const { attribute, act } = draft;
  const isHolding = act === "state" && draft.valid_to === undefined;
  if (act === "end") {
    const shared = SHARED[attribute];
    const within = (ENDS_WITH[attribute] ?? []).map((slot) => ended(draft, slot, ""));
    return shared === undefined ? within : [...within, ended(draft, shared, draft.value)];
  }
  const opposite = OPPOSITES[attribute];
  if (isHolding && opposite !== undefined) return [ended(draft, opposite, draft.value)];
  if (
    isHolding &&
    draft.cardinality === "open" &&
    attribute.startsWith(NOT) &&
    !LIGHT.has(attribute.slice(NOT.length))
  ) {
    return [{ ...ended(draft, attribute.slice(NOT.length), draft.value), cardinality: "open" }];
  }
  return [];
}

function ended(draft: FactDraft, attribute: string, value: string): FactDraft {
  const { valid_from, replaces: _, ...rest } = draft;
  const at = draft.valid_to ?? valid_from;
  return {
    ...rest,
    confidence: GUESSED,
    attribute,
    value,
    act: "end",
    cardinality: cardinalityOf(attribute),
    ...(at !== undefined && { valid_to: at }),
  };
}
