import type { EventProgress } from "../compat/events.ts";
import type { Job } from "../jobs/job.ts";
import type { FieldProblem } from "../kernel/errors.ts";
import type { SearchExpression } from "../platform/ports.ts";

/** Rows that become memories. Like an export, the job has an event of the same id, which clients watch. */
export type Import = Job<"import">;

export interface ImportInput {
  /** User who answers for it, if there is one. */
  owner?: string;
  /** Where the rows are; gone when it ended. */
  blob: string;
  total: number;
}

/** How far an import has come: `position` rows were looked at, each of which is one of the other three. */
export interface ImportProgress {
  position: number;
  imported: number;
  /** Rows whose memory, by its id, is there already. */
  skipped: number;
  failed: number;
}

/** A row that did not become a memory, by its place among the rows, from 0. */
export interface FailedRow {
  index: number;
  fields: FieldProblem[];
}

/** Memories that become files. */
export type Export = Job<"export">;

export interface ExportInput {
  filter: ExportFilter;
  /** A digest of what a client of mem0 asked by, so that it can ask for the file by the same. */
  asked?: string;
  /** Memories that there were when it was asked for; of more than the count's ceiling, that. */
  expected: number;
}

/** Which memories an export has: all that there were when it was asked for, and that every named filter lets through. */
export interface ExportFilter {
  user_id?: string;
  category?: string;
  type?: string;
  /** What the search index lets through. */
  where?: SearchExpression;
}

export interface ExportProgress {
  /** Where the next file goes on. */
  cursor?: string;
  files: ExportedFile[];
  /** Memories in the files. */
  written: number;
}

/** A file of an export, by itself a body that an import takes. */
export interface ExportedFile {
  blob: string;
  bytes: number;
  memories: number;
}

export function importProgress(
  { total }: Pick<ImportInput, "total">,
  { imported, skipped, failed }: ImportProgress,
): EventProgress {
  return { total, done: imported + skipped, failed };
}

export function exportProgress(
  { expected }: Pick<ExportInput, "expected">,
  written: number,
  isComplete = false,
): EventProgress {
  return { total: isComplete ? written : Math.max(expected, written), done: written, failed: 0 };
}
