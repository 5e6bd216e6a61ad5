import { deleteSource as removeSource } from "../../shared/domain/knowledge/sources/delete.ts";
import { fetchDocument } from "../../shared/domain/knowledge/sources/fetch-document.ts";
import { ingest } from "../../shared/domain/knowledge/sources/ingest.ts";
import { readSource, listSources as readSources } from "../../shared/domain/knowledge/sources/records.ts";
import { blobsInView } from "../../shared/domain/knowledge/sources/removal.ts";
import type { Ingested, Source } from "../../shared/domain/knowledge/sources/source.ts";
import {
  beginUpload,
  completeUpload as finishUpload,
  MAX_LINKED_BYTES,
  UPLOAD_LINK_SECONDS,
} from "../../shared/domain/knowledge/sources/uploads.ts";
import { describeSource, stateOf } from "../../shared/domain/knowledge/sources/wire.ts";
import { chunkId, chunkLocationOf } from "../../shared/domain/memory/chunk-ids.ts";
import { findMemories } from "../../shared/domain/memory/records.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { invalid, notFound } from "../../shared/kernel/errors.ts";
import { type PageRequest, pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type { UploadedFile } from "../../shared/runtime/http/multipart.ts";
import type * as schemas from "./schemas.ts";

const FETCHED_TYPES = ["url", "web"];
const DOWNLOAD_SECONDS = 900;
/** Chunk ids in the response to a creation; GET /sources/{source_id} returns all. */
const MAX_IDS_ANSWERED = 1000;
const DEFAULT_CONTENT_TYPE = "application/octet-stream";

export async function ingestSource(ctx: Context, { content, ...body }: Input<typeof schemas.IngestSource>) {
  const type = body.type ?? (content === undefined && body.url !== undefined ? "url" : "text");
  const isFetched = FETCHED_TYPES.includes(type);
  const [field, value] = isFetched ? ["url", body.url] : ["content", content];
  if (value === undefined) throw invalid({ field, problem: "is required for this type" });
  const given = isFetched ? await fetchDocument(ctx, value) : { text: value };
  return present(await ingest(ctx, { ...body, type, content: given, created_by: ctx.principal.id }));
}

export async function uploadSource(ctx: Context, fields: Input<typeof schemas.UploadSource>, file: UploadedFile) {
  return present(await ingest(ctx, { ...fields, type: "upload", content: { file }, created_by: ctx.principal.id }));
}

export async function requestUploadLink(
  ctx: Context,
  { bytes: _announced, ...file }: Input<typeof schemas.RequestUploadLink>,
) {
  const { source, url, expires_at } = await beginUpload(ctx, { ...file, created_by: ctx.principal.id });
  return {
    source_id: source.id,
    status: stateOf(source).status,
    upload_url: url,
    method: "PUT" as const,
    headers: { "content-type": file.content_type ?? DEFAULT_CONTENT_TYPE },
    expires_in: UPLOAD_LINK_SECONDS,
    expires_at,
    max_bytes: MAX_LINKED_BYTES,
    complete_path: `/sources/${source.id}/complete`,
  };
}

export async function completeUpload(ctx: Context, id: string) {
  return present(await finishUpload(ctx, id));
}

/** The result of an ingestion. Its counts are 0 while the source is being read, and if the source already existed. */
function present({ source, outcome }: Ingested) {
  const { status, extraction } = stateOf(source);
  const isIngested = status === "active" && outcome !== "unchanged";
  const isVisible = source.generation > 0;
  const chunk_memory_ids = chunkIds(source, { limit: MAX_IDS_ANSWERED, offset: 0 });
  return {
    source_id: source.id,
    status,
    extraction,
    unchanged: outcome === "unchanged",
    chunks_created: isIngested ? source.chunk_count : 0,
    memories_created: isIngested ? source.chunk_count + (outcome === "created" ? 1 : 0) : 0,
    entities_created: isIngested ? source.entity_count : 0,
    memory_ids: isVisible ? [source.id, ...chunk_memory_ids] : [],
    source: { ...describeSource(source), chunk_memory_ids },
  };
}

function chunkIds({ id: source_id, generation, chunk_count }: Source, { limit, offset }: PageRequest): string[] {
  const count = Math.max(0, Math.min(limit, chunk_count - offset));
  return Array.from({ length: count }, (_, index) => chunkId({ source_id, generation, position: offset + index }));
}

export async function listSources(ctx: Context, { org_id, ...page }: Input<typeof schemas.ListSources>) {
  const { items, total, hasNext, cursor } = await readSources(ctx.ports.records, ctx.org, { org_id }, page);
  return { sources: items.map(describeSource), pagination: pagination(page, total, hasNext, cursor) };
}

export async function getSource(
  ctx: Context,
  id: string,
  { chunk, neighbours, ...page }: Input<typeof schemas.ReadSource>,
) {
  const { source, ingestion } = await readSource(ctx.ports.records, ctx.org, id);
  if (!source) throw notFound("source", id);
  const hasNext = page.offset + page.limit < source.chunk_count;
  return {
    ...describeSource(source),
    chunk_memory_ids: chunkIds(source, page),
    pagination: pagination(page, source.chunk_count, hasNext),
    progress: ingestion && {
      chunks_stored: ingestion.checkpoint.written,
      tokens_read: ingestion.checkpoint.tokens,
    },
    ...(chunk !== undefined && { chunks: await readNeighbours(ctx, source, chunk, neighbours) }),
    ...(await downloadOf(ctx, source)),
  };
}

/** Returns a visible chunk of a source with its neighbours; deleted chunks are left out. */
async function readNeighbours(ctx: Context, source: Source, chunk: string, neighbours: number) {
  const position = chunkLocationOf(chunk)?.position ?? source.chunk_count;
  const [known] = chunkIds(source, { limit: 1, offset: position });
  if (known !== chunk) {
    throw invalid({ field: "chunk", problem: "must be a chunk of this source; see chunk_memory_ids" });
  }
  const offset = Math.max(0, position - neighbours);
  const ids = chunkIds(source, { limit: position + neighbours + 1 - offset, offset });
  const memories = await findMemories(ctx, ids);
  return memories.map(({ id, content, metadata }) => ({ id, content, metadata }));
}

/** The link to the file, or to the text if it is in the blob store. */
async function downloadOf({ ports }: Context, source: Source) {
  const [blob] = blobsInView(source);
  if (blob === undefined) return {};
  return {
    download_url: await ports.blobs.presign(blob, "get", DOWNLOAD_SECONDS),
    download_expires_in: DOWNLOAD_SECONDS,
  };
}

export async function deleteSource(ctx: Context, id: string) {
  const { chunk_count } = await removeSource(ctx, id);
  return {
    source_id: id,
    deleted: true as const,
    deleted_at: timestamp(ctx.clock()),
    chunks_deleted: chunk_count,
  };
}
