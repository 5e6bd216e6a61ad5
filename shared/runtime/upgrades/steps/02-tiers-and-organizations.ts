import type { StoredRecord } from "../../../ports/record-store.ts";
import { type AddingStep, type Attributes, adding } from "./step.ts";

export const step: AddingStep = {
  version: 2,
  name: "store the tier and the processing of memories, and list organizations",
  kinds: ["memory", "organization"],
  upgrade: adding((record) => (record.kind === "organization" ? listing(record) : processed(record))),
};

function listing({ id, created_at, gsi1pk }: StoredRecord): Attributes | undefined {
  if (gsi1pk !== undefined || created_at === undefined) return undefined;
  return { gsi1pk: "organizations", gsi1sk: `${created_at}#${id}` };
}

/**
 * Returns tier and processing of a memory without them; releases that stored no provider had only the built-in rules.
 */
function processed({ tier, compression }: StoredRecord): Attributes | undefined {
  const tokens = (compression as { original_tokens?: number } | undefined)?.original_tokens;
  if (tier !== undefined || tokens === undefined) return undefined;
  const processing = { status: "done", provider: "built-in", model: "rules", fallback: false };
  return { tier: "working", tokens, processing };
}
