import { sha256 } from "../../kernel/digest.ts";
import { derivedId } from "../../kernel/ids.ts";
import { normalizedName } from "../../kernel/text/normalized-name.ts";

/** Derives an entity's id from its organization, type and name, without a lookup. */
export function entityId(org: string, type: string, name: string): string {
  const identity = JSON.stringify([org, type, normalizedName(name) || name]);
  return derivedId("entity", sha256(identity));
}
