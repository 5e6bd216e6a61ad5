import { setOf } from "../../../kernel/strings.ts";
import type { FactDraft } from "./fact.ts";
import { cardinalityOf } from "./slots.ts";

/** Attribute of what somebody has, if no other slot fits. */
const HAS = "have";

/** Slots that end with another slot of the same subject: someone who leaves a company leaves the work there. */
const ENDS_WITH = new Map([
  ["works_at", ["works_as", "assigned_to", "works_in"]],
  ["studies_at", ["studies"]],
]);
/** Slots in which a value excludes the same value of the other slot. */
const OPPOSITES = new Map(Object.entries({ likes: "dislikes", dislikes: "likes" }));
/** Slots that overlap: what is sold is no longer driven, and what somebody stopped may be taken, used or learned. */
const SHARED = new Map([
  ["drives", ["owns", HAS]],
  ["owns", ["drives", "uses", HAS]],
  ["does", ["takes", "take", "uses", "learns", "play", "eat", "drink"]],
]);
const NOT = "not ";
/** Verbs that are too general for their negation to end a similar statement. */
const LIGHT = setOf("do go get feel look seem be make take");
/** Confidence of an inferred end, which is a fact only if it closes another fact. */
const GUESSED = 0.4;

/**
 * Returns the effects of a draft on other slots of its subject: ends of the same value or, if the value is empty, of
 * the current one. `readFacts` includes them in its result; callers that create drafts otherwise must add them.
 */
export function relatedSlots(draft: FactDraft): FactDraft[] {
  const { attribute, act } = draft;
  const isHolding = act === "state" && draft.valid_to === undefined;
  if (act === "end") {
    const within = (ENDS_WITH.get(attribute) ?? []).map((slot) => ended(draft, slot, ""));
    return [...within, ...(SHARED.get(attribute) ?? []).map((slot) => ended(draft, slot, draft.value))];
  }
  // "I cancelled the gym" ends "I have a gym membership".
  if (act === "cancel") return [ended(draft, HAS, draft.value)];
  if (!isHolding) return [];
  const opposite = OPPOSITES.get(attribute);
  if (opposite !== undefined) return [ended(draft, opposite, draft.value)];
  const denied = attribute.slice(NOT.length);
  const isDenial = draft.cardinality === "open" && attribute.startsWith(NOT) && !LIGHT.has(denied);
  return isDenial ? [{ ...ended(draft, denied, draft.value), cardinality: "open" }] : [];
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
    cardinality: attribute === HAS ? "open" : cardinalityOf(attribute),
    ...(at !== undefined && { valid_to: at }),
  };
}
