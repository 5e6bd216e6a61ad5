import * as z from "zod";
import { each, storedObject } from "../../../runtime/schemas/fields.ts";
import { FILE_KINDS, isRead, SOURCE_STATES, type Source as StoredSource } from "./source.ts";

/** The uploaded file of a source. */
export const SourceFile = z.object({
  name: z.string(),
  content_type: z.string(),
  kind: z.enum(FILE_KINDS),
  bytes: z.int(),
  details: storedObject.optional().describe("Metadata of the file: width and height, duration, pages …"),
});

/** Whether text was read from the visible content. */
export const Extraction = z.object({
  status: z.enum(["text", "no_text"]),
  reason: z.string().optional().describe("Why no text was read."),
});

/** Fields of a source in every complete response. */
export const sourceFields = {
  id: z.string(),
  type: z.string(),
  title: z.string(),
  ...each(z.string().optional(), "provider", "external_id", "url", "user_id", "org_id", "agent_id", "connection_id"),
  metadata: storedObject,
  status: z.enum(SOURCE_STATES),
  extraction: Extraction.optional(),
  error: z.string().optional().describe("Why processing failed; the previous content stays available."),
  content_hash: z.string().optional().describe("SHA-256 of the visible content."),
  source_memory_id: z.string().describe("The source's own memory, a summary; it has the id of the source."),
  chunks_created: z.int(),
  memories_created: z.int().describe("Number of chunks, plus the source's own memory if it exists."),
  entities_created: z.int().describe("Number of distinct entities that the chunks name."),
  mime_type: z.string().optional().describe("Media type of the file, detected from its content."),
  bytes: z.int().optional().describe("Size of the file in bytes."),
  blob_key: z.string().optional().describe("The key of the file or long text in the blob store."),
  tokens: z.int().describe("o200k_base tokens of the text; repeated headings of chunks count once."),
  file: SourceFile.optional(),
  created_at: z.string(),
  updated_at: z.string(),
  ingested_at: z.string().optional(),
};

/** A source in the API's form. */
export const Source = z.object(sourceFields);

type StateField = "status" | "extraction" | "error";

/**
 * Returns whether a source is read, and whether that found text. Stored records keep their form, which releases beside
 * this one read: `no_text` with the reason in `error`, or in builds before 0.2.0 `active` without a reason.
 */
export function stateOf({ status, error, chunk_count }: StoredSource): Pick<z.infer<typeof Source>, StateField> {
  if (!isRead(status)) return { status, error };
  if (chunk_count > 0) return { status: "active", extraction: { status: "text" } };
  return { status: "active", extraction: { status: "no_text", reason: error ?? "no text was read from it" } };
}

/** Returns the fields of a source for responses. */
export function describeSource(stored: StoredSource) {
  const { chunk_count, entity_count, file, text_blob, error: _reason, ...source } = stored;
  return {
    ...source,
    ...stateOf(stored),
    source_memory_id: source.id,
    chunks_created: chunk_count,
    memories_created: source.generation > 0 ? chunk_count + 1 : 0,
    entities_created: entity_count,
    mime_type: file?.content_type,
    bytes: file?.bytes,
    blob_key: file?.blob ?? text_blob,
    file,
  };
}
