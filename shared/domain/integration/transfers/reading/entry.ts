import type { FieldProblem } from "../../../../kernel/errors.ts";
import type { JsonObject } from "../../../../ports/json.ts";
import type { SpokenMessage } from "../../../memory/conversation.ts";

/** A user's message in another service's conversation. */
export interface ImportedMessage extends SpokenMessage {
  /** ISO 8601; when it was said. */
  occurred_at?: string;
  metadata: JsonObject;
  /** The assistant's message before it, or its end. */
  before?: SpokenMessage;
}

/** A unit of an import that is counted and fails independently. */
export type ImportEntry =
  | { row: unknown }
  | { message: ImportedMessage }
  | { problem: FieldProblem }
  /** Why something that the export contains is not imported. */
  | { skipped: string };

/** The entry of a row that cannot be parsed. */
export function damagedRow(problem: string): ImportEntry {
  return { problem: { field: "row", problem } };
}

/** A file that cannot be read as a whole; the message states the problem and the remedy. */
export class UnreadableImportError extends Error {
  override name = "UnreadableImportError";
}
