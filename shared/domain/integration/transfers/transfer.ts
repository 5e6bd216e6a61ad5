import type { FieldProblem } from "../../../kernel/errors.ts";
import type { SearchExpression } from "../../../ports/search-index.ts";
import type { Job } from "../../../runtime/jobs/job.ts";
import type { EventProgress } from "../compat/events.ts";
import type { ImportFormat } from "./reading/read-entries.ts";

/** An import of rows as memories. Like an export, the job has an event with the same id, which clients watch. */
export type Import = Job<"import">;

export interface ImportInput {
  /** The user who is responsible for it, if any. */
  owner?: string;
  /** Key of the blob with the rows; deleted when the import ends. */
  blob: string;
  /** Number of rows in the blob; 0 for a file, whose rows are counted while it is read. */
  total: number;
  /** Set if the blob is a client's file. */
  file?: ImportedFile;
}

/** A file of rows or of conversations. */
export interface ImportedFile {
  /** Detected from the content if absent. */
  format?: ImportFormat;
  /** The user of rows that name no user. */
  user_id?: string;
}

/** The entries of a file in parts; a turn reads one part at a time. */
export interface ImportParts {
  /** Number of entries up to the end of each part. */
  ends: number[];
  /** Number of entries that name what is not imported; absent in imports of earlier releases. */
  skipped?: number;
}

/** The progress of an import: `position` rows were processed, and each was imported, was skipped or failed. */
export interface ImportProgress {
  position: number;
  imported: number;
  /** Rows whose memory exists already, messages that state nothing new, and what is not imported. */
  skipped: number;
  failed: number;
  /** Set for a file once it has been split. */
  parts?: ImportParts;
}

/** A row that did not become a memory, with its index among the rows, from 0. */
export interface FailedRow {
  index: number;
  fields: FieldProblem[];
}

/** A row that became no memory without being wrong. */
export interface SkippedRow {
  index: number;
  reason: string;
}

/** Formats of exported files; imports accept all of them. */
export const EXPORT_FORMATS = ["json", "jsonl", "csv"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** An export of memories as files. */
export type Export = Job<"export">;

export interface ExportInput {
  filter: ExportFilter;
  /** `json` if absent. */
  format?: ExportFormat;
  /** Fingerprint of the filters of a mem0 client, which can later request the file by the same filters. */
  asked?: string;
  /** Number of memories when the export was requested; counted up to a limit. */
  expected: number;
}

/** The exported memories: all that existed when the export was requested and that match every given filter. */
export interface ExportFilter {
  user_id?: string;
  category?: string;
  type?: string;
  /** A condition of the search index. */
  where?: SearchExpression;
}

export interface ExportProgress {
  /** The position at which the next file starts. */
  cursor?: string;
  files: ExportedFile[];
  /** Number of memories in the files. */
  written: number;
}

/** A file of an export; imports accept it as a request body. */
export interface ExportedFile {
  blob: string;
  bytes: number;
  memories: number;
}

export function importProgress(input: Pick<ImportInput, "total">, progress: ImportProgress): EventProgress {
  const { imported, skipped, failed } = progress;
  return { total: totalOf(input, progress), done: imported + skipped, failed };
}

/** The number of entries of an import, as far as they have been counted. */
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
