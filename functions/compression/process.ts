import { loadTokenCounter } from "../../shared/domain/compression/condensing/tokens.ts";
import type { Compression } from "../../shared/domain/compression/engine.ts";
import { profileOf } from "../../shared/domain/compression/settings.ts";
import { compressionTask } from "../../shared/domain/compression/text-tasks.ts";
import { entityId } from "../../shared/domain/memory/entity-identity.ts";
import type { Extraction } from "../../shared/domain/memory/extraction.ts";
import { countFailure, countUnderstanding } from "../../shared/domain/memory/metrics.ts";
import {
  countingFor,
  extractBy,
  loadProcessingSettings,
  type ProcessingSettings,
} from "../../shared/domain/memory/understand.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { runTextTask } from "../../shared/runtime/text-work/run.ts";
import type * as schemas from "./schemas.ts";

type Options = Input<typeof schemas.ProcessText>["options"];

/** Extracts from and compresses a text as for a new memory, with the options; nothing is stored. */
export async function processText(ctx: Context, { content, options }: Input<typeof schemas.ProcessText>) {
  const settings = withOptions(await loadProcessingSettings(ctx), options);
  const counting = countingFor(ctx, settings);
  try {
    const text = { content, metadata: {}, stored_at: timestamp(ctx.clock()) };
    const reading = await timed(() => extractBy(ctx, settings, text));
    const shortening = await timed(() => compressBy(ctx, settings, content));
    const processing_ms = Math.round(reading.ms + shortening.ms);
    countUnderstanding(counting, reading.value, { ...reading.value, compression: shortening.value, processing_ms });
    return {
      original_content: content,
      processed_content: shortening.value.content,
      processing_details: {
        extraction: { ...extractionDetails(reading.value), processing_time_ms: reading.ms },
        compression: { ...shortening.value, mode: settings.mode.mode, processing_time_ms: shortening.ms },
        verification: { applied: reading.value.verified, facts_rejected: reading.value.rejected },
      },
      result: { content: shortening.value.content, ...findings(ctx, reading.value, options) },
    };
  } catch (error) {
    countFailure(counting);
    throw error;
  }
}

/** The deployment's settings with the options of a request. */
function withOptions({ mode, config }: ProcessingSettings, options: Options): ProcessingSettings {
  const { extraction_enabled, compression_enabled, verification_enabled, max_iterations, compression_mode } = options;
  const { settings } = mode;
  return {
    mode: {
      ...mode,
      mode: compression_mode ?? mode.mode,
      settings: {
        ...settings,
        extraction_enabled: extraction_enabled ?? settings.extraction_enabled,
        compression_enabled: compression_enabled ?? settings.compression_enabled,
        verification_enabled: verification_enabled ?? settings.verification_enabled,
        max_iterations: max_iterations ?? settings.max_iterations,
      },
    },
    config,
  };
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const startedAt = performance.now();
  const value = await work();
  return { value, ms: performance.now() - startedAt };
}

type Shortened = Pick<
  Compression,
  "content" | "original_tokens" | "compressed_tokens" | "reduction_percentage" | "retention"
> & { applied: boolean; algorithm?: Compression["algorithm"] };

async function compressBy(
  { logger, org }: Context,
  { mode, config }: ProcessingSettings,
  content: string,
): Promise<Shortened> {
  try {
    const isOn = mode.settings.compression_enabled && config.algorithms.semantic_compression.enabled;
    if (!isOn) return await uncompressed(content);
    const options = profileOf(mode.mode, config);
    return { applied: true, ...(await runTextTask(compressionTask, { text: content, options }, { org })) };
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    logger.error("COMPRESSION_FAILED", { characters: content.length, error });
    throw new ServiceError("COMPRESSION_FAILED", "The text could not be compressed. Try another compression_mode.");
  }
}

async function uncompressed(content: string): Promise<Shortened> {
  const tokens = (await loadTokenCounter()).count(content);
  const counts = { original_tokens: tokens, compressed_tokens: tokens };
  return { applied: false, content, ...counts, reduction_percentage: 0, retention: 1 };
}

function extractionDetails(extraction: Extraction) {
  const { provider, model, fallback, iterations, facts, entities, confidence, complexity } = extraction;
  const applied = iterations > 0;
  return {
    applied,
    ...(applied ? { provider, model } : {}),
    fallback,
    iterations,
    facts_extracted: facts.length,
    entities_extracted: entities.length,
    confidence,
    complexity,
  };
}

/** The requested parts of the result. */
function findings({ org }: Context, { facts, entities }: Extraction, options: Options) {
  const { include_facts = true, include_entities = true, include_confidence = true } = options;
  return {
    facts: include_facts
      ? facts.map(({ confidence, ...fact }) => (include_confidence ? { ...fact, confidence } : fact))
      : undefined,
    entities: include_entities
      ? entities.map(({ name, type }) => ({ id: entityId(org, type, name), name, type }))
      : undefined,
  };
}
