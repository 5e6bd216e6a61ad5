import { compress } from "../compression/engine.ts";
import { loadTokenCounter } from "../compression/tokens.ts";
import type { Context } from "../platform/context.ts";
import type { JsonObject } from "../platform/ports.ts";
import { entityId } from "./entity-identity.ts";
import { DEFAULT_EXTRACTION_SETTINGS, extract } from "./extraction.ts";
import type { CompressionSummary, Memory } from "./memory.ts";

/** A text and what helps to read it. */
export interface TextToUnderstand {
  content: string;
  user_id?: string;
  metadata: JsonObject;
  /** ISO; what relative dates count from unless the metadata tell. */
  occurred_at: string;
}

/** Steps a client may leave out; all are taken by default. */
export interface UnderstandOptions {
  extract_facts?: boolean;
  extract_entities?: boolean;
  compress?: boolean;
}

export type Understanding = Pick<Memory, "facts" | "entities" | "compression" | "processing_ms">;

/** Extracts facts and entities, gives entities their organization-wide ids, and measures what compression gains. */
export async function understand(
  ctx: Context,
  text: TextToUnderstand,
  { extract_facts = true, extract_entities = true, compress: isCompressed = true }: UnderstandOptions = {},
): Promise<Understanding> {
  const startedAt = performance.now();
  const settings = { ...DEFAULT_EXTRACTION_SETTINGS, extraction_enabled: extract_facts || extract_entities };
  const models = { fast: ctx.ports.model, verify: ctx.ports.model };
  const { facts, entities } = await extract(models, text, settings);
  const compression = isCompressed ? await measureCompression(text.content) : await countOnly(text.content);
  return {
    facts: extract_facts ? facts.map((fact) => ({ id: ctx.ids("fact"), ...fact })) : [],
    entities: extract_entities
      ? entities.map(({ name, type }) => ({ id: entityId(ctx.org, type, name), name, type }))
      : [],
    compression,
    processing_ms: Math.round(performance.now() - startedAt),
  };
}

async function measureCompression(content: string): Promise<CompressionSummary> {
  const { original_tokens, compressed_tokens, reduction_percentage } = await compress(content);
  return { original_tokens, compressed_tokens, reduction_percentage };
}

async function countOnly(content: string): Promise<CompressionSummary> {
  const tokens = (await loadTokenCounter()).count(content);
  return { original_tokens: tokens, compressed_tokens: tokens, reduction_percentage: 0 };
}
