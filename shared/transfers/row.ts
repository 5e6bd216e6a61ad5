import * as z from "zod";
import { filledText, label, metadata, moment, occurredAt } from "../http/fields.ts";
import { timestamp } from "../kernel/clock.ts";
import { isObject } from "../kernel/objects.ts";
import { GivenDateAnnotation } from "../memory/dates/schema.ts";
import { MAX_DATES, MAX_FACT_CHARACTERS, MAX_FACTS } from "../memory/extraction/schemas.ts";
import { MAX_ENTITIES } from "../memory/links.ts";
import type { Memory } from "../memory/memory.ts";

export const MAX_CONTENT_LENGTH = 100_000;
const MAX_CATEGORIES = 100;
const MAX_VERSION = 999_999_999;
/** Of a record's 400 KB: without the content, of which at most 64 KB stay in it, and what the service adds to a row. */
const MAX_BYTES_BESIDES_CONTENT = 320_000;

const tokens = z.int().min(0);

/** A name or a number that the row has not, as many formats say it. */
const absentWhereNull = (row: unknown) =>
  isObject(row) ? Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) : row;

/** What answers show of a memory, here and in mem0, that its place makes anew or has no use for: a row may have it, and it is left. */
const LEFT_OUT = new Set([
  ...["tier", "processing", "hash"],
  // Of mem0's pages and search results.
  ...["score", "event", "immutable", "owner", "organization", "structured_attributes", "internal_metadata"],
]);

/** Of another service's row, what it calls `memory` is our `content`, and `expiration_date` our `expire_at`. */
const inOurWords = (row: unknown) => {
  const given = absentWhereNull(row);
  if (!isObject(given)) return given;
  const { memory, expiration_date, categories, ...others } = Object.fromEntries(
    Object.entries(given).filter(([name]) => !LEFT_OUT.has(name)),
  );
  const hasNone = Array.isArray(categories) && categories.length === 0;
  const rest = {
    ...(categories !== undefined && !hasNone && { categories }),
    ...renamed(others, "expire_at", "expiration_date", expiration_date),
  };
  return renamed(rest, "content", "memory", memory);
};

/** The row with a text under our name; under its own where ours is taken, so that it is refused by it. */
function renamed(row: Record<string, unknown>, own: string, name: string, value: unknown): Record<string, unknown> {
  if (value === undefined) return row;
  return row[own] === undefined && typeof value === "string" ? { ...row, [own]: value } : { ...row, [name]: value };
}

const fields = {
  id: z.string().max(256).optional().meta({
    description: "Kept where it is a memory's and free here; a row whose memory is here already is skipped.",
  }),
  content: filledText(MAX_CONTENT_LENGTH),
  user_id: label.optional(),
  category: label.optional(),
  categories: z.array(label).min(1).max(MAX_CATEGORIES).optional().meta({ description: "`category` is the first." }),
  type: label.optional(),
  agent_id: label.optional(),
  app_id: label.optional(),
  run_id: label.optional(),
  metadata: metadata.optional(),
  occurred_at: occurredAt
    .optional()
    .meta({ description: "When it happened or was said; `created_at` where it is left out." }),
  created_at: moment.optional(),
  updated_at: moment.optional(),
  expire_at: moment.optional(),
  version: z.int().min(1).max(MAX_VERSION).optional(),
  entities: z
    .array(
      z.object({
        id: z.string().max(64).optional().meta({ description: "As answers show it; what it is called makes it." }),
        name: filledText(200),
        type: filledText(64),
        relationship_type: label.optional(),
        strength: z.number().min(0).max(1).optional(),
      }),
    )
    .max(MAX_ENTITIES)
    .optional()
    .meta({ description: "Found in the content when left out." }),
  facts: z
    .array(
      z.object({
        id: z.string().max(64).optional(),
        content: filledText(MAX_FACT_CHARACTERS),
        confidence: z.number().min(0).max(1),
        category: label,
        dates: z.array(GivenDateAnnotation).max(MAX_DATES).optional(),
      }),
    )
    .max(MAX_FACTS)
    .optional()
    .meta({ description: "Found in the content when left out." }),
  compression: z
    .object({ original_tokens: tokens, compressed_tokens: tokens, reduction_percentage: z.number().max(100) })
    .optional(),
  ratings: z
    .object({ count: z.int().min(1).max(MAX_VERSION), sum: z.int().min(1) })
    .refine(({ count, sum }) => sum >= count && sum <= 5 * count, "ratings are from 1 to 5")
    .optional()
    .meta({ description: "How often people rated it, and the sum of what they gave." }),
};

/** The format of exported files; raised with every change of rows that an earlier release would refuse. */
export const EXPORT_FORMAT = 2;

/** A memory in a file: all that clients see of it but what its place here makes of it (ids of entities, tier, processing). */
export const MemoryRow = z.object(fields);

/** The same, as it is taken: `null` is as good as nothing. */
export const ImportRow = z.preprocess(inOurWords, MemoryRow);

export type MemoryRow = z.input<typeof MemoryRow>;
export type ImportedRow = z.output<typeof MemoryRow>;

/** A memory as a row of a file. */
export function toRow(memory: Memory): MemoryRow {
  const { id, content, user_id, category, type, metadata, created_at, updated_at, expire_at, version } = memory;
  const { categories, labels, entities, facts, compression, feedback_count: count, feedback_sum: sum } = memory;
  return {
    id,
    content,
    user_id,
    category,
    categories,
    type,
    agent_id: labels?.agent,
    app_id: labels?.app,
    run_id: labels?.run,
    metadata,
    occurred_at: memory.occurred_at,
    created_at,
    updated_at,
    expire_at,
    version,
    entities: entities.map(({ name, type, relationship_type, strength }) => ({
      name,
      type,
      relationship_type,
      strength,
    })),
    facts,
    compression,
    ratings: count > 0 ? { count, sum } : undefined,
  };
}

/** What is wrong with a row besides the form of its fields: its times. */
export function problemOfTimes({ created_at, updated_at, expire_at }: ImportedRow, now: number) {
  if (expire_at !== undefined && Date.parse(expire_at) <= now) {
    return { field: "expire_at", problem: `is over: it was ${timestamp(now)} when the row was read` };
  }
  if (updated_at !== undefined && (created_at === undefined || updated_at < created_at)) {
    return { field: "updated_at", problem: "is before created_at, or without it" };
  }
  return undefined;
}

/** What is wrong with a row as a whole where each field is within its limits, and its record would be too large. */
export function problemOfSize({ content: _content, ...others }: ImportedRow) {
  if (Buffer.byteLength(JSON.stringify(others)) <= MAX_BYTES_BESIDES_CONTENT) return undefined;
  return { field: "body", problem: `is more than ${MAX_BYTES_BESIDES_CONTENT} bytes besides its content` };
}
