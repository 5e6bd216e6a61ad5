import { normalizedName } from "../memory/extraction/merging.ts";
import { ASSISTANT, USER } from "./fact.ts";

const OF = "_of ";

/**
 * The key under which the observations of one slot are kept together: without case, articles and extra blanks. The
 * property of a thing ("port_of route-planner") is one slot whether the user or the thing is given as its subject.
 */
export function slotKey(subject: string, attribute: string): string {
  const split = attribute.indexOf(OF);
  if (split === -1) return `${keyOf(subject)}|${attribute.toLowerCase().trim()}`;
  const thing = keyOf(attribute.slice(split + OF.length));
  const owner = keyOf(subject);
  return `${owner === USER || owner === thing ? "" : owner}|${attribute.slice(0, split).toLowerCase()}${OF}${thing}`;
}

/** Whether a slot is of an attribute: a statement that the rules could not take apart has none. */
export function hasAttribute(slot: string): boolean {
  return !slot.endsWith("|");
}

/**
 * Whether a slot is of a subject with a name, "ada|lives_in", so that memories about no user speak of the same one. Of a
 * thing, "|code_of locker", it does not tell whose that is.
 */
export function isOfNamed(slot: string): boolean {
  const [owner = ""] = slot.split("|", 1);
  return owner !== "" && owner !== USER && owner !== ASSISTANT;
}

function keyOf(name: string): string {
  const key = normalizedName(name);
  return key.replace(/^(?:my|our|this|that|the) (?=.)/, "") || name.trim().toLowerCase();
}
