import * as z from "zod";
import { EVENT_TYPES } from "../../shared/compat/events.ts";
import { label, Pagination, page } from "../../shared/http/fields.ts";
import { OMISSIONS } from "../../shared/memory/extraction/schemas.ts";
import { MAX_ROWS } from "../../shared/transfers/import.ts";
import { EXPORT_FORMAT, MemoryRow as Row } from "../../shared/transfers/row.ts";

export const MemoryRow = Row;

/** A memory in a file, by its schema in the document: files are answered as they were written. */
const rows = z.array(z.unknown().meta({ $ref: "#/components/schemas/MemoryRow" }));

/** Rows are checked one by one, so that a bad one fails alone. */
export const ImportMemories = z.object({
  memories: rows.min(1).max(MAX_ROWS),
  format_version: z
    .int()
    .min(1)
    .max(EXPORT_FORMAT, `is of a newer release: this one reads up to ${EXPORT_FORMAT}`)
    .optional()
    .meta({ description: "As exports have it." }),
});

/** `completed` as the contract shows it, the others as clients of this interface know them. */
const status = z.enum(["PENDING", "RUNNING", "completed", "FAILED"]);

export const ImportBegun = z.object({
  event_id: z.string().meta({ description: "GET /events/{event_id} tells how far it has come." }),
  status,
  total: z.int().meta({ description: "Rows to be imported." }),
});

/** Which memories are exported; all where none is given. The names are taken beside `filters` too. */
export const ExportFilters = z.object({ user_id: label, category: label, type: label }).partial();

export const ExportMemories = z.object({
  filters: ExportFilters.default({}),
  format: z.literal("json", "must be 'json', the only format there is").default("json"),
});

const files = {
  files: z
    .array(z.object({ download_url: z.string(), bytes: z.int(), memories: z.int() }))
    .optional()
    .meta({ description: "Each by itself is a body that POST /imports takes; once they are complete." }),
  download_url: z.string().optional().meta({ description: "Of the file, where there is one alone." }),
  download_expires_in: z
    .int()
    .optional()
    .meta({ description: "Seconds until the links run out; ask again for new ones." }),
  expires_at: z.string().optional().meta({ description: "When the files themselves go." }),
};

export const Exported = z.object({
  event_id: z.string().meta({ description: "GET /events/{event_id} tells how far it has come, and has new links." }),
  status,
  format: z.literal("json"),
  count: z.int().meta({ description: "Memories written so far." }),
  memories: rows.optional().meta({ description: "What the file holds, where it is complete and short enough." }),
  ...files,
});

export const Event = z.object({
  id: z.string(),
  type: z.enum(EVENT_TYPES),
  status,
  resource: z.string(),
  resource_id: z.string().optional(),
  progress: z.object({ total: z.int(), done: z.int(), failed: z.int() }).optional(),
  imported: z.int().optional().meta({ description: "Rows of an import that became memories." }),
  skipped: z.int().optional().meta({ description: "Rows of an import whose memory, by its id, was there already." }),
  results: z.array(z.record(z.string(), z.unknown())).meta({
    description: "Each memory's id and whether it is new, and what it says now, as far as there is room.",
  }),
  left_out: z
    .array(z.object({ text: z.string(), reason: z.enum(OMISSIONS) }))
    .optional()
    .meta({ description: "Sentences that became no memory, and why; the first 100." }),
  errors: z
    .array(z.object({ index: z.int().optional(), code: z.string(), message: z.string() }))
    .meta({ description: "Of an import the first 100, once it ended; GET /imports/{event_id}/failures has all." }),
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
      index: z.int().meta({ description: "The row's place among those that were sent, from 0." }),
      fields: z.array(z.object({ field: z.string(), problem: z.string() })),
    }),
  ),
  pagination: Pagination,
});
