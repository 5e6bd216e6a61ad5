import { sha256 } from "../kernel/digest.ts";
import { derivedId } from "../kernel/ids.ts";
import { normalizedName } from "./extraction/merging.ts";

/** The id of an entity by what it is: the same name and type in an organization is one entity, without a look-up. */
export function entityId(org: string, type: string, name: string): string {
  const identity = JSON.stringify([org, type, normalizedName(name) || name]);
  return derivedId("entity", sha256(identity));
}
