import type { Cardinality } from "./fact.ts";
import { PROPERTIES, SINGLE } from "./read/slots.ts";

/** How the values of a slot relate; those that no table names stand side by side. */
export function cardinalityOf(attribute: string): Cardinality {
  const isSingle = SINGLE.has(attribute) || PROPERTIES.has(attribute);
  return isSingle || attribute.includes("_of ") || attribute.startsWith("favourite_") ? "single" : "multiple";
}
