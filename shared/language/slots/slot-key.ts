import { normalizedName } from "../../kernel/text/normalized-name.ts";
import { ASSISTANT, USER } from "./fact.ts";

const OF = "_of ";

/**
 * Returns the key that groups the observations of one slot: without case, articles and extra spaces. The property of a
 * thing ("port_of route-planner") has the same key whether the user or the thing is the subject.
 */
export function slotKey(subject: string, attribute: string): string {
  const split = attribute.indexOf(OF);
  if (split === -1) return `${keyOf(subject)}|${attribute.toLowerCase().trim()}`;
  const thing = keyOf(attribute.slice(split + OF.length));
  const owner = keyOf(subject);
  return `${owner === USER || owner === thing ? "" : owner}|${attribute.slice(0, split).toLowerCase()}${OF}${thing}`;
}

/** Whether the slot's subject has a name, so that memories without a user share it; "|code_of locker" has none. */
export function isOfNamed(slot: string): boolean {
  const [owner = ""] = slot.split("|", 1);
  return owner !== "" && owner !== USER && owner !== ASSISTANT;
}

function keyOf(name: string): string {
  const key = normalizedName(name);
  return key.replace(/^(?:my|our|this|that|the) (?=.)/, "") || name.trim().toLowerCase();
}
