import * as z from "zod";
import { SOURCE_STATES } from "../../shared/domain/knowledge/sources/source.ts";
import { MAX_LINKED_BYTES } from "../../shared/domain/knowledge/sources/uploads.ts";
import { Extraction, Source, SourceFile, sourceFields } from "../../shared/domain/knowledge/sources/wire.ts";
import { MAX_BODY_BYTES } from "../../shared/runtime/http/request.ts";
import {
  filledText,
  inQuery,
  label,
  metadata,
  Pagination,
  pageWithCursor,
  queryFlag,
  storedObject,
  storedUserId,
  text,
} from "../../shared/runtime/schemas/fields.ts";

export { Extraction, Source, SourceFile };

const MAX_CHUNK_IDS = 1000;
const MAX_NEIGHBOURS = 10;
const MAX_CHUNK_OFFSET = 10_000_000;

const labels = {
  title: filledText(500).optional(),
  provider: label.optional(),
  external_id: filledText(1024)
    .optional()
    .describe(
      "Its id at the provider. Content with the same id, provider, user_id and org_id updates the same source: unchanged content is skipped, changed content replaces it.",
    ),
  user_id: storedUserId.optional(),
  org_id: label.optional().describe("A label for filtering within the organization."),
  agent_id: label.optional(),
};

export const IngestSource = z.object({
  type: label
    .optional()
    .describe(
      "`url` or `web`: `url` is fetched. `text` or another value: `content` is used. If absent, derived from the fields sent.",
    ),
  content: z.string().max(MAX_BODY_BYTES).optional(),
  url: text(2048).optional().describe("Fetched for types `url` and `web`; otherwise the origin of the content."),
  ...labels,
  metadata: metadata.optional(),
});

/** Metadata as text of a form field. */
const metadataText = z
  .string()
  .transform((given, { issues }) => {
    try {
      return JSON.parse(given) as unknown;
    } catch {
      issues.push({ code: "custom", input: given, message: "must be JSON" });
      return z.NEVER;
    }
  })
  .pipe(metadata)
  .meta({ type: "string", description: "A JSON object." });

const REPLACES_SAME_NAME =
  "Without an external_id: replaces the source of the last file with the same name and title that was also sent with this option.";

export const UploadSource = z.object({
  ...labels,
  metadata: metadataText.optional(),
  replaces_same_name: queryFlag(false).describe(REPLACES_SAME_NAME),
});

export const RequestUploadLink = z.object({
  filename: filledText(1024),
  content_type: filledText(255).optional(),
  bytes: z.int().min(1).max(MAX_LINKED_BYTES).optional(),
  ...labels,
  metadata: metadata.optional(),
  replaces_same_name: z.boolean().optional().describe(REPLACES_SAME_NAME),
});

export const ListSources = z.object({ org_id: label.optional(), ...pageWithCursor(20, 100) });

/** Which chunk ids to return, and which chunks to show. */
export const ReadSource = z.object({
  chunk: label.optional().describe("Id of a chunk to show with its neighbours, in `chunks`."),
  neighbours: inQuery(z.int().min(0).max(MAX_NEIGHBOURS)).default(1).describe("Chunks on either side of `chunk`."),
  limit: inQuery(z.int().min(1).max(MAX_CHUNK_IDS)).default(MAX_CHUNK_IDS),
  offset: inQuery(z.int().min(0).max(MAX_CHUNK_OFFSET)).default(0),
});

const chunk_memory_ids = z.array(z.string());

export const SourceDetails = z.object({
  ...sourceFields,
  chunk_memory_ids,
  pagination: Pagination.describe("The page of `chunk_memory_ids`."),
  chunks: z
    .array(z.object({ id: z.string(), content: z.string(), metadata: storedObject }))
    .optional()
    .describe("The requested chunk and its neighbours in document order."),
  progress: z
    .object({ chunks_stored: z.int(), tokens_read: z.int() })
    .optional()
    .describe("Progress of the content that is being read."),
  download_url: z.string().optional().describe("A link to the file or the long text that needs no credential."),
  download_expires_in: z.int().optional().describe("Seconds until the link expires."),
});

export const Ingested = z.object({
  source_id: z.string(),
  status: z.enum(SOURCE_STATES),
  extraction: Extraction.optional(),
  unchanged: z.boolean().describe("The source already had this content; nothing was changed."),
  chunks_created: z.int(),
  memories_created: z.int().describe("Number of chunks, plus the source's own memory if it is new."),
  entities_created: z.int().describe("Number of distinct entities that the chunks name."),
  memory_ids: z.array(z.string()).describe("The source's own memory and the chunks; at most 1,001."),
  source: z.object({ ...sourceFields, chunk_memory_ids }),
});

export const SourceList = z.object({ sources: z.array(Source), pagination: Pagination });

export const SourceDeleted = z.object({
  source_id: z.string(),
  deleted: z.literal(true),
  deleted_at: z.string(),
  chunks_deleted: z.int(),
});

export const UploadLink = z.object({
  source_id: z.string(),
  status: z.enum(SOURCE_STATES),
  upload_url: z.string(),
  method: z.literal("PUT"),
  headers: z.record(z.string(), z.string()),
  expires_in: z.int().describe("Seconds until the link expires."),
  expires_at: z.string(),
  max_bytes: z.int(),
  complete_path: z.string().describe("POST here after the upload to start processing."),
});
