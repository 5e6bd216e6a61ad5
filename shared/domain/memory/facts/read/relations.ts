import { hasTag, type Token } from "../../extraction/tagging.ts";
import { PROPERTIES, VERB_SLOTS } from "../slots.ts";
import type { Lemmatizer } from "./verb-group.ts";

/** Slots of a thing, by the verb that takes their value as its subject: "owns" gives the owner. */
const INVERSE = new Map(
  VERB_SLOTS.filter(({ isInverse, effect }) => isInverse === true && effect === "state").flatMap(({ verbs, slot }) =>
    verbs.split(" ").map((verb) => [verb, slot] as const),
  ),
);

/** Returns the slot that a heading gives to the values of its list: "who owns what:", "Ports:". */
export function relationOf(heading: Token[], lemmaOf: Lemmatizer): string | undefined {
  for (const token of heading) {
    const singular = token.normal.replace(/s$/, "");
    const noun = [token.normal, singular].find((word) => PROPERTIES.has(word));
    if (noun !== undefined && !hasTag(token, "Verb")) return noun;
    const slot = hasTag(token, "Verb") ? INVERSE.get(lemmaOf(token.normal, "PresentTense")) : undefined;
    if (slot !== undefined) return slot;
  }
  return undefined;
}
