import type { StoredRecord } from "../../../ports/record-store.ts";
import { type AddingStep, type Attributes, adding } from "./step.ts";

export const step: AddingStep = {
  version: 6,
  name: "store who wrote a memory first",
  kinds: ["memory"],
  upgrade: adding(provenanceOf),
};

/** Returns the provenance of a memory without one: its creator is known, its door is not. */
function provenanceOf({ provenance, created_by, agent_id }: StoredRecord): Attributes | undefined {
  if (provenance !== undefined || typeof created_by !== "string") return undefined;
  const written = { written_by: created_by, door: "unknown" };
  return { provenance: typeof agent_id === "string" ? { ...written, agent_id } : written };
}
