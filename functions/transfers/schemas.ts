import * as z from "zod";
import { EVENT_TYPES } from "../../shared/compat/events.ts";
import { filledText, label, Pagination, page } from "../../shared/http/fields.ts";
import { isObject } from "../../shared/kernel/objects.ts";
import { OMISSIONS } from "../../shared/memory/extraction/schemas.ts";
import { MAX_LINKED_BYTES } from "../../shared/sources/uploads.ts";
import { MAX_ROWS } from "../../shared/transfers/import.ts";
import { IMPORT_FORMATS } from "../../shared/transfers/reading/read-entries.ts";
import { EXPORT_FORMAT, MemoryRow as Row } from "../../shared/transfers/row.ts";
import { EXPORT_FORMATS } from "../../shared/transfers/transfer.ts";

export const MemoryRow = Row;

/** A memory in a file, by its schema in the document: files are answered as they were written. */
const rows = z.array(z.unknown().meta({ $ref: "#/components/schemas/MemoryRow" }));

/** What mem0's pages have beside their rows. */
const OF_PAGES = new Set(["count", "next", "previous", "relations"]);

/** A bare array of rows, and a page of mem0, as exports have their rows. */
const inOneForm = (body: unknown) => {
  if (Array.isArray(body)) return { memories: body };
  if (!isObject(body) || !("results" in body) || "memories" in body) return body;
  const { results, ...rest } = body;
  const others = Object.entries(rest).filter(([name]) => !OF_PAGES.has(name));
  return { ...Object.fromEntries(others), memories: results };
};

/** Rows are checked one by one, so that a bad one fails alone. */
export const ImportMemories = z.preprocess(
  inOneForm,
  z.object({
    memories: rows.min(1).max(MAX_ROWS).meta({
      description: "A bare array of rows, and mem0's page with them in `results`, are taken as well.",
    }),
    format_version: z
      .int()
      .min(1)
      .max(EXPORT_FORMAT, `is of a newer release: this one reads up to ${EXPORT_FORMAT}`)
      .optional()
      .meta({ description: "As exports have it." }),
  }),
);

const fileFields = {
  format: z.enum(IMPORT_FORMATS).optional().meta({
    description: "Told by what the file holds, where it is left out. `zip` is an export of ChatGPT or Claude.",
  }),
  user_id: label.optional().meta({ description: "Whose the memories are that name no user." }),
};

/** A form with a file of rows or of conversations. */
export const ImportFile = z.object(fileFields);

export const RequestImportLink = z.object({
  filename: filledText(1024).optional(),
  bytes: z.int().min(1).max(MAX_LINKED_BYTES).optional(),
});

export const ImportLink = z.object({
  event_id: z.string().meta({ description: "Of the import, once POST /imports/{event_id}/complete began it." }),
  upload_url: z.string(),
  method: z.literal("PUT"),
  expires_in: z.int().meta({ description: "Seconds until the link runs out." }),
  max_bytes: z.int(),
  complete_path: z.string(),
});

export const CompleteImport = z.object(fileFields);

/** `completed` as the contract shows it, the others as clients of this interface know them. */
const status = z.enum(["PENDING", "RUNNING", "completed", "FAILED"]);

export const ImportBegun = z.object({
  event_id: z.string().meta({ description: "GET /events/{event_id} tells how far it has come." }),
  status,
  total: z.int().meta({ description: "Rows to be imported; 0 of a file until it was read." }),
});

/** Which memories are exported; all where none is given. The names are taken beside `filters` too. */
export const ExportFilters = z.object({ user_id: label, category: label, type: label }).partial();

export const ExportMemories = z.object({
  filters: ExportFilters.default({}),
  format: z.enum(EXPORT_FORMATS).default("json"),
});

const files = {
  files: z
    .array(z.object({ download_url: z.string(), bytes: z.int(), memories: z.int() }))
    .optional()
    .meta({
      description:
        "Once they are complete. Each by itself is a file that POST /imports/upload takes, and in JSON a body of POST /imports.",
    }),
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
  format: z.enum(EXPORT_FORMATS),
  count: z.int().meta({ description: "Memories written so far." }),
  memories: rows.optional().meta({ description: "What the file holds, where it is JSON, complete and short enough." }),
  ...files,
});

export const Event = z.object({
  id: z.string(),
  type: z.enum(EVENT_TYPES),
  status,
  resource: z.string(),
  resource_id: z.string().optional(),
  progress: z.object({ total: z.int(), done: z.int(), failed: z.int() }).optional(),
  imported: z
    .int()
    .optional()
    .meta({ description: "Rows of an import, or messages of conversations, that became memories." }),
  skipped: z.int().optional().meta({
    description: "Rows of an import whose memory, by its id, was there already; messages that state nothing new.",
  }),
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
