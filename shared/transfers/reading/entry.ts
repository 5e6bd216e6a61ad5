import type { FieldProblem } from "../../kernel/errors.ts";
import type { SpokenMessage } from "../../memory/conversation.ts";
import type { JsonObject } from "../../platform/ports.ts";

/** What a person said in a conversation that another service kept. */
export interface ImportedMessage extends SpokenMessage {
  /** ISO; when it was said. */
  occurred_at?: string;
  metadata: JsonObject;
}

/** A unit of an import, which is counted and fails by itself. */
export type ImportEntry = { row: unknown } | { message: ImportedMessage } | { problem: FieldProblem };

/** The entry of a row that is damaged beyond its fields. */
export function damagedRow(problem: string): ImportEntry {
  return { problem: { field: "row", problem } };
}
