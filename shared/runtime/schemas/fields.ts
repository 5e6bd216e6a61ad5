import * as z from "zod";
import { eventTimeOfNumber, isTimeZone, toEventTime } from "../../kernel/event-time.ts";
import { isObject } from "../../kernel/objects.ts";
import { MAX_OFFSET } from "../../kernel/pagination.ts";
import type { JsonObject } from "../../ports/json.ts";
import { measured } from "./schema-parts.ts";

const MAX_METADATA_BYTES = 16 * 1024;
/** Maximum nesting of objects and lists in metadata, including the metadata object. */
export const MAX_METADATA_DEPTH = 20;
/** Smallest number that both platforms store; JSON allows smaller ones (DynamoDB Developer Guide, "Constraints"). */
const MIN_AMOUNT = 1e-130;
/** A lone surrogate as JSON.stringify writes it: escaped, after an even number of backslashes. */
const LONE_SURROGATE = /((?<!\\)(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/** Returns fields with these names that all have the same schema. */
export function each<const Schema, Name extends string>(schema: Schema, ...names: Name[]): Record<Name, Schema> {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
}

/** Text that every store can keep: lone surrogates are replaced. */
export const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .transform((value) => value.toWellFormed());

const filled = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((value) => value.trim() !== "", "must not be empty");

const asText = (schema: ReturnType<typeof filled>) =>
  schema.transform((value) => value.toWellFormed()).meta({ minLength: 1, pattern: "\\S" });

/** Text with at least one character that is not white space. */
export const filledText = (maxLength: number) => asText(filled(maxLength));

/** Characters that reverse or isolate the text after them, so that an id is shown as another one. */
const OVERRIDES_DIRECTION = /[\u202a-\u202e\u2066-\u2069]/;

/** A client's name for something, such as a user id, a category or a type. */
export const label = asText(
  filled(256).refine(
    (value) => !OVERRIDES_DIRECTION.test(value),
    "must not contain characters that change the direction of text",
  ),
);

/** In searches, recalls and deletions: all users, agents or sessions. Nobody's own name. */
export const ALL = "*";

/** The user under whom data is stored: trimmed, and never `*`. */
export const storedUserId = label
  .transform((name) => name.trim())
  .refine((name) => name !== ALL, "must name one user; * means all of them")
  .meta({ minLength: 1, pattern: "\\S" });

/** ISO 8601 with a time zone; returned as UTC with milliseconds. A bare date is its first moment in UTC. */
export const moment = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], "use ISO 8601, such as 2026-01-31T12:00:00Z")
  .transform((value) => new Date(value).toISOString());

const EVENT_TIME = "use ISO 8601 with its offset, such as 2026-01-31T14:00:00+02:00, in the years 0001 to 9999";

/** The time at which something happened or was said: ISO 8601, past or future, with its offset. See `toEventTime`. */
export const occurredAt = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], EVENT_TIME)
  .transform((given, { addIssue }) => toEventTime(given) ?? refuseEventTime(addIssue));

/** As `occurredAt`, or a number of seconds or milliseconds since the epoch. */
export const occurredAtOrNumber = z.union(
  [occurredAt, z.number().transform((given, { addIssue }) => eventTimeOfNumber(given) ?? refuseEventTime(addIssue))],
  `${EVENT_TIME}, or seconds or milliseconds since 1970`,
);

function refuseEventTime(addIssue: (message: string) => void): never {
  addIssue(EVENT_TIME);
  return z.NEVER;
}

/** When something happened, as it was sent, and whether that is in the future at the time of the response. */
export const eventTime = {
  occurred_at: z.string().describe("As sent, with its offset; `created_at` if it was not sent."),
  // It changes only with time, so a PUT may send back any value.
  planned: measured(z.literal(true).optional().describe("Present while `occurred_at` is in the future.")),
};

/** A time zone of the IANA database, which determines "today". Offsets are refused: they change with the season. */
export const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, "must be a time zone of the IANA database, such as Europe/Berlin")
  .meta({ examples: ["Europe/Berlin"] });

/** Filters by when something happened; both ends are inclusive. */
export const occurredRange = { occurred_after: moment.optional(), occurred_before: moment.optional() };

/** Whether a value is nested deeper than `levels`; stops at the first value that is too deep. */
function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

/** Whether a value contains a number that JSON.parse makes infinite or inexact (beyond 2^53), or that is too small. */
function holdsUnfitNumber(value: unknown): boolean {
  if (typeof value === "number") {
    const amount = Math.abs(value);
    return amount > Number.MAX_SAFE_INTEGER || (amount > 0 && amount < MIN_AMOUNT);
  }
  return typeof value === "object" && value !== null && Object.values(value).some(holdsUnfitNumber);
}

/** A JSON object of at most 16 KB. The input was parsed from JSON, so it contains only JSON values. */
export const metadata = z
  .custom<JsonObject>(isObject, "must be an object")
  .refine((value) => !isDeeperThan(MAX_METADATA_DEPTH, value), {
    error: `at most ${MAX_METADATA_DEPTH} levels deep`,
    abort: true,
  })
  .refine(
    (value) => !holdsUnfitNumber(value),
    "numbers beyond 2^53 or below 1e-130 would not be kept: send them as text",
  )
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= MAX_METADATA_BYTES, "at most 16 KB")
  .transform(wellFormed)
  .meta({ type: "object", additionalProperties: true });

/** Replaces lone surrogates in names and texts, as `text` does. */
function wellFormed(value: JsonObject): JsonObject {
  const json = JSON.stringify(value);
  const wellFormed = json.replace(LONE_SURROGATE, "$1\ufffd");
  return wellFormed === json ? value : JSON.parse(wellFormed);
}

/** A JSON object in responses; returned as stored, without the limits of requests. */
export const storedObject = z.custom<JsonObject>().meta({ type: "object", additionalProperties: true });

/** A number in a query string; other text reaches the schema unchanged and fails there. */
export const inQuery = (schema: z.ZodNumber) =>
  z.preprocess((value) => (typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value), schema);

const limitUpTo = (maxLimit: number) => z.int().min(1).max(maxLimit);
const MAX_CURSOR = 5_000;
const offset = z.int().min(0).max(MAX_OFFSET);

/** `limit` and `offset` of a query string. */
export const page = (defaultLimit: number, maxLimit: number) => ({
  limit: inQuery(limitUpTo(maxLimit)).default(defaultLimit),
  offset: inQuery(offset).default(0),
});

/** The same, and the `next_cursor` of the page before. */
export const pageWithCursor = (defaultLimit: number, maxLimit: number) => ({
  ...page(defaultLimit, maxLimit),
  cursor: z.string().max(MAX_CURSOR).optional(),
});

/** `limit` and `offset` of a body. */
export const pageInBody = (defaultLimit: number, maxLimit: number) => ({
  limit: limitUpTo(maxLimit).default(defaultLimit),
  offset: offset.default(0),
});

const flag = z.enum(["true", "false", "1", "0"]).transform((value) => value === "true" || value === "1");

/** `true` or `false` in a query string. */
export const queryFlag = (byDefault: boolean) => flag.default(byDefault).meta({ type: "boolean", default: byDefault });

/** An optional flag whose absence differs from both values. */
export const optionalQueryFlag = flag.optional().meta({ type: "boolean" });

export const Pagination = z.object({
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
  has_next: z.boolean(),
  next_cursor: z.string().optional(),
});

/**
 * A batch of items that are validated one by one, so that an invalid one fails alone; the document shows their schema.
 */
export const batchOf = (item: string, maxItems: number) =>
  z
    .array(z.unknown().meta({ $ref: `#/components/schemas/${item}` }))
    .min(1)
    .max(maxItems);
