import * as z from "zod";
import { EVENT_TYPES, EventFailure, EventProgress } from "../../shared/domain/integration/compat/events.ts";
import { MAX_ROWS } from "../../shared/domain/integration/transfers/import.ts";
import { IMPORT_FORMATS } from "../../shared/domain/integration/transfers/reading/read-entries.ts";
import { EXPORT_FORMAT, MemoryRow as Row } from "../../shared/domain/integration/transfers/rows/row.ts";
import { EXPORT_FORMATS } from "../../shared/domain/integration/transfers/transfer.ts";
import { LinkedFile } from "../../shared/domain/integration/transfers/wire.ts";
import { MAX_LINKED_BYTES } from "../../shared/domain/knowledge/sources/uploads.ts";
import { LeftOutList } from "../../shared/domain/memory/wire.ts";
import { isObject } from "../../shared/kernel/objects.ts";
import { filledText, label, Pagination, page } from "../../shared/runtime/schemas/fields.ts";

export const MemoryRow = Row;

/** A memory in a file, as a reference in the document: files are returned as they were written. */
const rows = z.array(z.unknown().meta({ $ref: "#/components/schemas/MemoryRow" }));

/** Fields of mem0's pages besides their rows. */
const OF_PAGES = new Set(["count", "next", "previous", "relations"]);

/** Converts an array of rows or a mem0 page to the form of exports. */
const inOneForm = (body: unknown) => {
  if (Array.isArray(body)) return { memories: body };
  if (!isObject(body) || !("results" in body) || "memories" in body) return body;
  const { results, ...rest } = body;
  const others = Object.entries(rest).filter(([name]) => !OF_PAGES.has(name));
  return { ...Object.fromEntries(others), memories: results };
};

/** Rows are validated one by one, so that an invalid one fails alone. */
export const ImportMemories = z.preprocess(
  inOneForm,
  z.object({
    memories: rows
      .min(1)
      .max(MAX_ROWS)
      .describe("A bare array of rows and a mem0 page with rows in `results` are accepted too."),
    format_version: z
      .int()
      .min(1)
      .max(EXPORT_FORMAT, `is of a newer release: this one reads up to ${EXPORT_FORMAT}`)
      .optional()
      .describe("Version of the format of exports."),
  }),
);

const fileFields = {
  format: z
    .enum(IMPORT_FORMATS)
    .optional()
    .describe("If absent, detected from the file. `zip` is an export of ChatGPT or Claude."),
  user_id: label.optional().describe("The user of memories that name none."),
};

/** A form with a file of rows or of conversations. */
export const ImportFile = z.object(fileFields);

export const RequestImportLink = z.object({
  filename: filledText(1024).optional(),
  bytes: z.int().min(1).max(MAX_LINKED_BYTES).optional(),
});

export const ImportLink = z.object({
  event_id: z.string().describe("Id of the import that POST /imports/{event_id}/complete starts."),
  upload_url: z.string(),
  method: z.literal("PUT"),
  expires_in: z.int().describe("Seconds until the link expires."),
  max_bytes: z.int(),
  complete_path: z.string(),
});

export const CompleteImport = z.object(fileFields);

/** `completed` as in the contract; the others as mem0 clients know them. */
const status = z.enum(["PENDING", "RUNNING", "completed", "FAILED"]);

export const ImportBegun = z.object({
  event_id: z.string().describe("GET /events/{event_id} returns its progress."),
  status,
  total: z.int().describe("Rows to import; 0 until the file is read."),
});

/** Filters of an export; without any, all memories. The names are also accepted beside `filters`. */
export const ExportFilters = z.object({ user_id: label, category: label, type: label }).partial();

export const ExportMemories = z.object({
  filters: ExportFilters.default({}),
  format: z.enum(EXPORT_FORMATS).default("json"),
});

const files = {
  files: z
    .array(LinkedFile)
    .optional()
    .describe(
      "Present when the job is complete. Each file can be sent to POST /imports/upload, and JSON files as the body of POST /imports.",
    ),
  download_url: z.string().optional().describe("Link to the file, if there is exactly one."),
  download_expires_in: z.int().optional().describe("Seconds until the links expire; repeat the request for new ones."),
  expires_at: z.string().optional().describe("When the files are deleted."),
};

export const Exported = z.object({
  event_id: z.string().describe("GET /events/{event_id} returns its progress and new links."),
  status,
  format: z.enum(EXPORT_FORMATS),
  count: z.int().describe("Memories written so far."),
  memories: rows.optional().describe("The content of the file if it is JSON, complete and small enough."),
  ...files,
});

const SkippedRow = z.object({
  index: z.int().describe("The row's index in the import, from 0."),
  reason: z.string(),
});

export const Event = z.object({
  id: z.string(),
  type: z.enum(EVENT_TYPES),
  status,
  resource: z.string(),
  resource_id: z.string().optional(),
  progress: EventProgress.optional(),
  imported: z.int().optional().describe("Import rows or messages that became memories."),
  skipped: z
    .int()
    .optional()
    .describe("Import rows whose memory exists already, messages that state nothing new, and what is not imported."),
  skipped_rows: z
    .array(SkippedRow)
    .optional()
    .describe("The first 100 skipped rows; GET /imports/{event_id}/skipped returns the first 10,000."),
  results: z
    .array(z.record(z.string(), z.unknown()))
    .describe("Each memory's id, whether it is new, and its content as far as it fits."),
  left_out: LeftOutList.optional(),
  left_out_total: z.int().optional().describe("How many were left out, if `left_out` does not hold all."),
  errors: z
    .array(EventFailure)
    .describe("For a finished import, the first 100; GET /imports/{event_id}/failures returns all."),
  ...files,
  created_at: z.string(),
  updated_at: z.string(),
  started_at: z.string().optional(),
  finished_at: z.string().optional(),
});

export const ListFailures = z.object(page(100, 1000));

export const FailureList = z.object({
  event_id: z.string(),
  failures: z.array(
    z.object({
      index: z.int().describe("The row's index in the request, from 0."),
      fields: z.array(z.object({ field: z.string(), problem: z.string() })),
    }),
  ),
  pagination: Pagination,
});

export const SkippedList = z.object({ event_id: z.string(), skipped: z.array(SkippedRow), pagination: Pagination });
