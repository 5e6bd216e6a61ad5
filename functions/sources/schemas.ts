import * as z from "zod";
import {
  filledText,
  inQuery,
  label,
  metadata,
  Pagination,
  page,
  queryFlag,
  storedObject,
  text,
} from "../../shared/http/fields.ts";
import { MAX_BODY_BYTES } from "../../shared/http/request.ts";
import { SOURCE_STATES } from "../../shared/sources/source.ts";
import { MAX_LINKED_BYTES } from "../../shared/sources/uploads.ts";
import { Source, sourceFields } from "../../shared/sources/wire.ts";

export { Source };

const MAX_CHUNK_IDS = 1000;
const MAX_NEIGHBOURS = 10;
const MAX_CHUNK_OFFSET = 10_000_000;

const labels = {
  title: filledText(500).optional(),
  provider: label.optional(),
  external_id: filledText(1024).optional().meta({
    description:
      "Its name where it comes from. The same name again, of the same provider, user_id and org_id, is the same source: left as it is where the content is the same, replaced where it changed.",
  }),
  user_id: label.optional(),
  org_id: label.optional().meta({ description: "A label and a filter within the organization." }),
  agent_id: label.optional(),
};

export const IngestSource = z.object({
  type: label.optional().meta({
    description:
      "`url` or `web`: `url` is fetched. `text`, or any other: `content` is taken. When left out, by what is given.",
  }),
  content: z.string().max(MAX_BODY_BYTES).optional(),
  url: text(2048).optional().meta({ description: "Fetched for `url` and `web`; else where the content is from." }),
  ...labels,
  metadata: metadata.optional(),
});

/** Metadata as the text of a form's field. */
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
  "Without an external_id: the file takes the place of what the last file of the same name and title brought that was sent with this too.";

export const UploadSource = z.object({
  ...labels,
  metadata: metadataText.optional(),
  replaces_same_name: queryFlag(false).meta({ description: REPLACES_SAME_NAME }),
});

export const RequestUploadLink = z.object({
  filename: filledText(1024),
  content_type: filledText(255).optional(),
  bytes: z.int().min(1).max(MAX_LINKED_BYTES).optional(),
  ...labels,
  metadata: metadata.optional(),
  replaces_same_name: z.boolean().optional().meta({ description: REPLACES_SAME_NAME }),
});

export const ListSources = z.object({ org_id: label.optional(), ...page(20, 100) });

/** Which of the chunks' ids to tell, and which chunks to show. */
export const ReadSource = z.object({
  chunk: label.optional().meta({ description: "Id of a chunk to show with its neighbours, in `chunks`." }),
  neighbours: inQuery(z.int().min(0).max(MAX_NEIGHBOURS))
    .default(1)
    .meta({ description: "Chunks on either side of `chunk`." }),
  limit: inQuery(z.int().min(1).max(MAX_CHUNK_IDS)).default(MAX_CHUNK_IDS),
  offset: inQuery(z.int().min(0).max(MAX_CHUNK_OFFSET)).default(0),
});

const chunk_memory_ids = z.array(z.string());

export const SourceDetails = z.object({
  ...sourceFields,
  chunk_memory_ids,
  pagination: Pagination.meta({ description: "Of chunk_memory_ids." }),
  chunks: z
    .array(z.object({ id: z.string(), content: z.string(), metadata: storedObject }))
    .optional()
    .meta({ description: "The chunk that was asked for and its neighbours, in the order of the document." }),
  progress: z
    .object({ chunks_stored: z.int(), tokens_read: z.int() })
    .optional()
    .meta({ description: "Of the content that is being read." }),
  download_url: z.string().optional().meta({ description: "Reads the file, or a long text, without a credential." }),
  download_expires_in: z.int().optional().meta({ description: "Seconds." }),
});

export const Ingested = z.object({
  source_id: z.string(),
  status: z.enum(SOURCE_STATES),
  unchanged: z.boolean().meta({ description: "The source had this content already: nothing was done." }),
  chunks_created: z.int(),
  memories_created: z.int().meta({ description: "The chunks, and the source's own memory where it is new." }),
  entities_created: z.int().meta({ description: "Distinct ones that the chunks name." }),
  memory_ids: z.array(z.string()).meta({ description: "The source's own memory and the chunks; at most 1,001." }),
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
  expires_in: z.int().meta({ description: "Seconds until the link runs out." }),
  expires_at: z.string(),
  max_bytes: z.int(),
  complete_path: z.string().meta({ description: "POST here once the file was sent: it is read from then on." }),
});
