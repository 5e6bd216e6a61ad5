import * as z from "zod";
import { timestamp } from "../../../../kernel/clock.ts";
import { isObject } from "../../../../kernel/objects.ts";
import { GivenDateAnnotation } from "../../../../language/dates/schema.ts";
import { MAX_DATES, MAX_FACT_CHARACTERS, MAX_FACTS } from "../../../../language/statements/schemas.ts";
import { filledText, label, metadata, moment, occurredAt, storedUserId } from "../../../../runtime/schemas/fields.ts";
import type { CarriedDecision } from "../../../memory/facts/decisions.ts";
import { MAX_FACTS as MAX_STATED } from "../../../memory/facts/records.ts";
import { CarriedDecisionRow } from "../../../memory/facts/wire.ts";
import { MAX_ENTITIES } from "../../../memory/links.ts";
import type { Memory } from "../../../memory/memory.ts";
import type * as wire from "../../../memory/wire.ts";

export const MAX_CONTENT_LENGTH = 100_000;
const MAX_CATEGORIES = 100;
const MAX_VERSION = 999_999_999;
/** Of a record's 400 KB, the content takes at most 64 KB, and the service's own attributes take the rest. */
const MAX_BYTES_BESIDES_CONTENT = 320_000;

const tokens = z.int().min(0);

/** The row without null fields, because many formats write null for an absent name or number. */
const withoutNulls = (row: unknown) =>
  isObject(row) ? Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) : row;

/** Response fields, here and in mem0, that an import derives again or ignores. */
const IGNORED_FIELDS = new Set([
  ...["tier", "processing", "hash"],
  // Fields of mem0's pages and search results.
  ...["score", "event", "immutable", "owner", "organization", "structured_attributes", "internal_metadata"],
]);

/** Gives fields of another service our names: `memory` is `content`, and `expiration_date` is `expire_at`. */
const renameFields = (row: unknown) => {
  const present = withoutNulls(row);
  if (!isObject(present)) return present;
  const { memory, expiration_date, categories, ...others } = Object.fromEntries(
    Object.entries(present).filter(([name]) => !IGNORED_FIELDS.has(name)),
  );
  const isEmpty = Array.isArray(categories) && categories.length === 0;
  const rest = {
    ...(categories !== undefined && !isEmpty && { categories }),
    ...renamed(others, "expire_at", "expiration_date", expiration_date),
  };
  return renamed(rest, "content", "memory", memory);
};

/** The row with the field under our name; if that is already used, the field keeps its name and the row is refused. */
function renamed(row: Record<string, unknown>, ourName: string, name: string, value: unknown): Record<string, unknown> {
  if (value === undefined) return row;
  return row[ourName] === undefined && typeof value === "string"
    ? { ...row, [ourName]: value }
    : { ...row, [name]: value };
}

const fields = {
  id: z
    .string()
    .max(256)
    .optional()
    .describe("Kept if it is a memory id that is free; a row whose memory exists is skipped."),
  content: filledText(MAX_CONTENT_LENGTH),
  user_id: storedUserId.optional(),
  category: label.optional(),
  categories: z.array(label).min(1).max(MAX_CATEGORIES).optional().describe("`category` is the first one."),
  type: label.optional(),
  speaker: filledText(MAX_CONTENT_LENGTH).optional().describe("Who said it in a conversation, if not the user."),
  in_reply_to: filledText(MAX_CONTENT_LENGTH)
    .optional()
    .describe("The question that it answers in a few words, as asked."),
  quote: filledText(MAX_CONTENT_LENGTH)
    .optional()
    .describe("The words of the message that it rests on, if a language model wrote the content."),
  agent_id: label.optional(),
  app_id: label.optional(),
  run_id: label.optional(),
  metadata: metadata.optional(),
  occurred_at: occurredAt.optional().describe("When it happened or was said; the default is `created_at`."),
  created_at: moment.optional(),
  updated_at: moment.optional(),
  expire_at: moment.optional(),
  version: z.int().min(1).max(MAX_VERSION).optional(),
  entities: z
    .array(
      z.object({
        id: z.string().max(64).optional().describe("Id of the entity as in responses; derived from its name."),
        name: filledText(200),
        type: filledText(64),
        relationship_type: label.optional(),
        strength: z.number().min(0).max(1).optional(),
      }),
    )
    .max(MAX_ENTITIES)
    .optional()
    .describe("Extracted from the content if absent."),
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
    .describe("Extracted from the content if absent."),
  fact_decisions: z
    .array(CarriedDecisionRow)
    .max(MAX_STATED)
    .optional()
    .describe("Decisions about the memory's facts (see `GET /facts`) that still apply."),
  compression: z
    .object({ original_tokens: tokens, compressed_tokens: tokens, reduction_percentage: z.number().max(100) })
    .optional(),
  ratings: z
    .object({ count: z.int().min(1).max(MAX_VERSION), sum: z.int().min(1) })
    .refine(({ count, sum }) => sum >= count && sum <= 5 * count, "ratings are from 1 to 5")
    .optional()
    .describe("The number of ratings and their sum."),
};

/** The format of exported files; incremented with every change of rows that an earlier release would refuse. */
export const EXPORT_FORMAT = 5;

/** A memory in a file: all visible fields except derived ones (ids of entities and of facts, tier, processing). */
export const MemoryRow = z.object(fields);

/** A row of an import: fields may have another service's names, and `null` counts as absent. */
export const ImportRow = z.preprocess(renameFields, MemoryRow);

export type MemoryRow = z.input<typeof MemoryRow>;
export type ImportedRow = z.output<typeof MemoryRow>;

type Shown = z.infer<typeof wire.Memory>;

/** Fields of a memory that no file has: an import derives them, or they say what happened in this service. */
export const NOT_IN_ROWS = [
  "content_missing",
  "entities_left_out",
  "planned",
  "processing",
  "provenance",
  "tier",
  "repeats",
  "repeated_at",
  "left_out",
] as const satisfies (keyof Shown)[];

/** All fields of a row, and any field of a memory that neither a row nor NOT_IN_ROWS has, which is an error of types. */
type WholeRow = { [name in keyof Required<MemoryRow>]: MemoryRow[name] } & {
  [name in Exclude<keyof Shown, keyof MemoryRow | (typeof NOT_IN_ROWS)[number]>]: never;
};

/** Returns a memory as a row of a file, with the decisions about its facts. */
export function toRow(memory: Memory, fact_decisions?: CarriedDecision[]): WholeRow {
  const { id, content, user_id, category, type, metadata, created_at, updated_at, expire_at, version } = memory;
  const {
    categories,
    labels,
    speaker,
    in_reply_to,
    quote,
    entities,
    facts,
    compression,
    feedback_count: count,
    feedback_sum: sum,
  } = memory;
  return {
    id,
    content,
    user_id,
    category,
    categories,
    type,
    speaker,
    in_reply_to,
    quote,
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
    facts: facts.map(({ fact_ids: _derived, ...fact }) => fact),
    fact_decisions,
    compression,
    ratings: count > 0 ? { count, sum } : undefined,
  };
}

/** Returns the problem with a row's times, or undefined. The form of its fields has been checked before. */
export function problemOfTimes({ created_at, updated_at, expire_at }: ImportedRow, now: number) {
  if (expire_at !== undefined && Date.parse(expire_at) <= now) {
    return { field: "expire_at", problem: `is over: it was ${timestamp(now)} when the row was read` };
  }
  if (updated_at !== undefined && (created_at === undefined || updated_at < created_at)) {
    return { field: "updated_at", problem: "is before created_at, or without it" };
  }
  return undefined;
}

/**
 * Returns a problem if the record would be too large although each field is within its limit, otherwise undefined. The
 * content and the decisions about facts are not counted, because they have their own space or records.
 */
export function problemOfSize({ content: _content, fact_decisions: _decisions, ...others }: ImportedRow) {
  if (Buffer.byteLength(JSON.stringify(others)) <= MAX_BYTES_BESIDES_CONTENT) return undefined;
  return { field: "body", problem: `is more than ${MAX_BYTES_BESIDES_CONTENT} bytes besides its content` };
}
