import type { FactCategory } from "../memory/extraction/schemas.ts";
import type { Fact } from "./fact.ts";
import { KIN } from "./read/slots.ts";

const PREFERENCES = new Set(["likes", "dislikes", "prefers", "instruction", "diet", "afraid_of"]);
const RELATIONSHIPS = new Set([...KIN.values(), "relationship_status"]);

/** What a fact is about, in the categories of the facts that memories list. */
export function categoryOf({ attribute, cardinality, act, valid_to }: CategoryParts): FactCategory {
  if (attribute === "") return "other";
  if (act === "plan" || act === "cancel" || attribute === "plan") return "plan";
  if (PREFERENCES.has(attribute) || attribute.startsWith("favourite_")) return "preference";
  if (RELATIONSHIPS.has(attribute)) return "relationship";
  if (attribute.startsWith("date_of ")) return "event";
  if (cardinality !== "open") return "attribute";
  return valid_to !== undefined ? "event" : "other";
}

type CategoryParts = Pick<Fact, "attribute" | "cardinality" | "act" | "valid_to">;
