import type { StoredRecord } from "../../../ports/record-store.ts";
import { type AddingStep, type Attributes, adding } from "./step.ts";

export const step: AddingStep = {
  version: 7,
  name: "store who wrote a fact first, and who made a version",
  kinds: ["fact", "version"],
  upgrade: adding((record) => (record.kind === "fact" ? provenanceOf(record) : changerOf(record))),
};

/** Returns the provenance of a fact without one, which knows only its memory. */
function provenanceOf({ provenance, memory_id }: StoredRecord): Attributes | undefined {
  if (provenance !== undefined || typeof memory_id !== "string") return undefined;
  return { provenance: { written_by: "unknown", door: "unknown", derived_from: memory_id } };
}

function changerOf({ changed_by }: StoredRecord): Attributes | undefined {
  return changed_by === undefined ? { changed_by: "unknown" } : undefined;
}
