import type { Cardinality } from "./fact.ts";
import { PROPERTIES, SINGLE } from "./slots.ts";

/** Returns whether a slot holds one value at a time (`single`) or several (`multiple`, the default). */
export function cardinalityOf(attribute: string): Cardinality {
  const isSingle = SINGLE.has(attribute) || PROPERTIES.has(attribute);
  return isSingle || attribute.includes("_of ") || attribute.startsWith("favourite_") ? "single" : "multiple";
}
