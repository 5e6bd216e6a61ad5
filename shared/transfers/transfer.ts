import type { EventProgress } from "../compat/events.ts";
import type { Job } from "../jobs/job.ts";
import type { FieldProblem } from "../kernel/errors.ts";
import type { SearchExpression } from "../platform/ports.ts";
import type { ImportFormat } from "./reading/read-entries.ts";

/** Rows that become memories. Like an export, the job has an event of the same id, which clients watch. */
export type Import = Job<"import">;

export interface ImportInput {
  /** User who answers for it, if there is one. */
  owner?: string;
  /** Where the rows are; gone when it ended. */
  blob: string;
  /** Rows in the blob; 0 of a file, whose rows are counted as it is read. */
  total: number;
  /** Where the blob is a file that a client sent. */
  file?: ImportedFile;
}

/** A file of rows or of conversations. */
export interface ImportedFile {
  /** Told by what the file holds, where it is absent. */
  format?: ImportFormat;
  /** Whose the memories are that name no user. */
  user_id?: string;
}

/** The entries of a file in parts, each of which a turn reads by itself. */
export interface ImportParts {
  /** Where each part ends among all entries. */
  ends: number[];
}

/** How far an import has come: `position` rows were looked at, each of which is one of the other three. */
export interface ImportProgress {
  position: number;
  imported: number;
  /** Rows whose memory, by its id, is there already. */
  skipped: number;
  failed: number;
  /** Of a file, once it was read. */
  parts?: ImportParts;
}

/** A row that did not become a memory, by its place among the rows, from 0. */
export interface FailedRow {
  index: number;
  fields: FieldProblem[];
}

/** Forms of exported files, each of which imports take. */
export const EXPORT_FORMATS = ["json", "jsonl", "csv"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Memories that become files. */
export type Export = Job<"export">;

export interface ExportInput {
  filter: ExportFilter;
  /** `json` where it is absent. */
  format?: ExportFormat;
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

export function importProgress(input: Pick<ImportInput, "total">, progress: ImportProgress): EventProgress {
  const { imported, skipped, failed } = progress;
  return { total: totalOf(input, progress), done: imported + skipped, failed };
}

/** Entries of an import, as far as they were counted. */
export function totalOf({ total }: Pick<ImportInput, "total">, { parts }: Pick<ImportProgress, "parts">): number {
  return parts?.ends.at(-1) ?? total;
}

export function exportProgress(
  { expected }: Pick<ExportInput, "expected">,
  written: number,
  isComplete = false,
): EventProgress {
  return { total: isComplete ? written : Math.max(expected, written), done: written, failed: 0 };
}
