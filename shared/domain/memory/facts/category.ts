import type { FactCategory } from "../extraction/schemas.ts";
import type { Fact } from "./fact.ts";
import { KIN } from "./slots.ts";

const PREFERENCES = new Set(["likes", "dislikes", "prefers", "instruction", "diet", "afraid_of"]);
const RELATIONSHIPS = new Set([...KIN.values(), "relationship_status"]);

/** Returns the category of a fact, one of the categories that memories use for their facts. */
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
