import { timestamp } from "../../../kernel/clock.ts";
import type { JsonObject } from "../../../ports/json.ts";
import type { Write } from "../../../ports/record-store.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import type { Sent } from "../../memory/admit-text.ts";
import { chunkId } from "../../memory/chunk-ids.ts";
import { contentKey, storeContent } from "../../memory/content.ts";
import { firstVersion } from "../../memory/create.ts";
import { keepLinked } from "../../memory/links.ts";
import type { Memory, MemoryVersion } from "../../memory/memory.ts";
import { insertMemory, replaceMemory } from "../../memory/records.ts";
import type { Chunk } from "./chunking.ts";
import type { Ingestion, Source, SourceLabels } from "./source.ts";

const SOURCE_TYPE = "source";
const CHUNK_TYPE = "source_chunk";

/** Returns the metadata of a source's memories: the source's own, overridden by its labels, id and title. */
function attributionOf(source_id: string, title: string, labels: SourceLabels): JsonObject {
  const { url, provider, external_id, agent_id, org_id, connection_id } = labels;
  const named = { url, provider, external_id, agent_id, org_id, connection_id };
  const given = Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...labels.metadata, source_id, title, ...Object.fromEntries(given) };
}

interface ChunkDescription extends Pick<Memory, "entities" | "entities_left_out"> {
  chunk: Chunk;
  /** The chunk's index in the source, from 0, and its location in the document. */
  location: JsonObject & { position: number };
  title: string;
}

/** Returns a chunk as a memory with its text, entities and origin. It has no facts and is not compressed. */
export function chunkMemory(
  ingestion: Ingestion,
  { chunk, location, title, ...mentioned }: ChunkDescription,
  now: string,
  sent?: Sent,
): Memory {
  const { org, source_id, generation, labels, created_by } = ingestion;
  const memory = {
    id: chunkId({ source_id, generation, position: location.position }),
    org,
    content: chunk.text,
    ...(sent && { sent }),
    user_id: labels.user_id,
    type: CHUNK_TYPE,
    metadata: { ...attributionOf(source_id, title, labels), ...location },
    created_by,
    ...mentioned,
    facts: [],
    compression: uncompressed(chunk.tokens),
    processing: { status: "done" as const },
    processing_ms: 0,
  };
  return firstVersion(memory, { door: doorOf(labels), derived_from: source_id }, now);
}

function doorOf({ connection_id }: SourceLabels): "connections" | "sources" {
  return connection_id === undefined ? "sources" : "connections";
}

function uncompressed(tokens: number): Memory["compression"] {
  return { original_tokens: tokens, compressed_tokens: tokens, reduction_percentage: 0 };
}

interface SourceContent extends Pick<Memory, "content" | "entities"> {
  tokens: number;
}

/**
 * Returns the writes that store the source's own memory; `before` is the current one, if any, which `changed_by` changes.
 * Keeps explicitly linked entities.
 */
export async function writeSourceMemory(
  runtime: OrgRuntime,
  source: Source,
  { content, tokens, entities, changed_by }: SourceContent & Pick<MemoryVersion, "changed_by">,
  before: Memory | undefined,
): Promise<Write[]> {
  const now = timestamp(runtime.clock());
  const { id, org, title, user_id, created_by } = source;
  const fields = {
    content,
    user_id,
    type: SOURCE_TYPE,
    metadata: attributionOf(id, title, source),
    entities,
    compression: uncompressed(tokens),
    processing: { status: "done" as const },
  };
  const stored = await storeContent(runtime, contentKey(source, content), content);
  if (before) {
    const { version, revision } = before;
    const after: Memory = {
      ...before,
      ...fields,
      entities: keepLinked(before.entities, entities),
      updated_at: now,
      tier: "working",
      version: version + 1,
      revision: revision + 1,
    };
    const note = { changes: ["content"], changed_by, reason: "the source was ingested again" };
    return replaceMemory(before, after, stored, note);
  }
  const origin = { door: doorOf(source), derived_from: source.connection_id };
  const memory = firstVersion({ ...fields, id, org, created_by, facts: [], processing_ms: 0 }, origin, now);
  return insertMemory({ ...memory, revision: firstRevision(runtime, source) }, stored);
}

/** Returns a revision above those of a deleted memory with this id: the index rejects revisions below a deletion's. */
function firstRevision({ clock }: OrgRuntime, { generation }: Source): number {
  return generation <= 1 ? 1 : Math.floor(clock() / 1000);
}
