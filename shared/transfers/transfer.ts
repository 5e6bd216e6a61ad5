import type { CompatEvent } from "../compat/events.ts";
import type { FieldProblem } from "../kernel/errors.ts";
import type { SearchExpression } from "../platform/ports.ts";

/** What imports and exports have in common. Each has an event of the same id, which clients watch. */
interface TransferState {
  /** The event's. */
  id: string;
  org: string;
  /** Principal that asked for it. */
  created_by: string;
  /** ISO */
  created_at: string;
  /** When it was last put into the queue, ISO. */
  queued_at: string;
  /** How often it was begun since it last got further. */
  attempts: number;
  /** ISO */
  ended_at?: string;
}

/** How a transfer begins, by its event. */
export function transferOf({ id, org, by, created_at }: CompatEvent): TransferState {
  return { id, org, created_by: by.id, created_at, queued_at: created_at, attempts: 0 };
}

/** How far an import has come: `position` rows were looked at, each of which is one of the other three. */
export interface ImportProgress {
  position: number;
  imported: number;
  /** Rows whose memory, by its id, is there already. */
  skipped: number;
  failed: number;
}

/** Rows that become memories, and how far that has come. */
export interface Import extends TransferState, ImportProgress {
  what: "import";
  /** User who answers for it, if there is one. */
  owner?: string;
  /** Where the rows are; gone when it ended. */
  blob: string;
  total: number;
}

/** A file of an export, by itself a body that an import takes. */
export interface ExportedFile {
  blob: string;
  bytes: number;
  memories: number;
}

/** Which memories an export has: all that there were when it was asked for, and that every named filter lets through. */
export interface ExportFilter {
  user_id?: string;
  category?: string;
  type?: string;
  /** What the search index lets through. */
  where?: SearchExpression;
}

/** Memories that become files, and how far that has come. */
export interface Export extends TransferState {
  what: "export";
  filter: ExportFilter;
  /** A digest of what a client of mem0 asked by, so that it can ask for the file by the same. */
  asked?: string;
  /** Where the next file goes on. */
  cursor?: string;
  files: ExportedFile[];
  /** Memories that there were when it was asked for; of more than the count's ceiling, that. */
  expected: number;
  /** Memories in the files. */
  written: number;
}

export type Transfer = Import | Export;

/** A row that did not become a memory, by its place among the rows, from 0. */
export interface FailedRow {
  index: number;
  fields: FieldProblem[];
}
