import * as z from "zod";
import { RESULT_EVENTS } from "../../../shared/domain/memory/memory-results.ts";
import { searchedAt } from "../../../shared/domain/retrieval/wire.ts";
import { MAX_OFFSET } from "../../../shared/kernel/pagination.ts";
import {
  each,
  filledText,
  inQuery,
  label,
  metadata,
  occurredAt,
  occurredAtOrNumber,
  storedObject,
} from "../../../shared/runtime/schemas/fields.ts";
import { expirationDate, MAX_CONTENT_LENGTH, messages } from "../common/messages.ts";
import { about, aboutInQuery, namesInFilters, namesInQuery } from "../common/names.ts";
import { TOLERATED } from "../common/tolerated.ts";

const MAX_CATEGORIES = 50;
const MAX_TOP_K = 1000;
const MAX_PAGE_SIZE = 200;
const DEFAULT_PAGE_SIZE = 100;

const timestamp = occurredAtOrNumber.describe(
  "When it happened or was said, past or future; `occurred_at` takes precedence.",
);
const guideline = z.string().max(20_000).nullish();

export const AddMemories = z
  .object({
    ...TOLERATED.add,
    messages: messages.optional(),
    memory: filledText(MAX_CONTENT_LENGTH).optional().describe("A memory to store as it is."),
    ...about,
    filters: namesInFilters.nullish(),
    metadata: metadata.nullish(),
    categories: z.array(label).max(MAX_CATEGORIES).nullish(),
    custom_categories: z
      .array(z.record(z.string(), z.string()))
      .max(MAX_CATEGORIES)
      .nullish()
      .describe("Names with descriptions; memories are assigned the ones that fit."),
    infer: z.boolean().nullish().meta({
      default: true,
      description:
        "true: extract memories from `messages`, usually in the background; false: store each message as it is.",
    }),
    includes: guideline.describe("Topics: only sentences about these topics are stored."),
    excludes: guideline.describe("Topics: sentences about these topics are not stored."),
    custom_instructions: guideline.describe("What to store and what not; the default is the project's setting."),
    agent_custom_instructions: guideline.describe(
      "What to store of an assistant's messages, and what not; the default is the project's setting.",
    ),
    expiration_date: expirationDate.nullish(),
    timestamp: timestamp.nullish(),
    occurred_at: occurredAt.nullish(),
  })
  .refine(({ messages, memory }) => messages !== undefined || memory !== undefined, "give messages or memory");

export const CompatAdded = z.object({
  id: z.string(),
  memory: z.string(),
  data: z.object({ memory: z.string() }).describe("The text again, where older clients expect it."),
  event: z
    .enum(RESULT_EVENTS)
    .describe(
      "UPDATE: the memory replaces `previous_memory`. DELETE: the memory is no longer true; it is kept. NOOP: it was known already.",
    ),
  previous_memory_id: z.string().optional(),
  previous_memory: z.string().optional(),
  occurred_at: z.string().optional(),
  user_id: z.string().nullish(),
  categories: z.array(z.string()).optional(),
});

export const AddAnswer = z.object({
  event_id: z.string(),
  status: z.enum(["PENDING", "completed", "SUCCEEDED", "FAILED"]),
  memory_ids: z.array(z.string()),
  results: z.array(CompatAdded),
});

const filters = z.unknown().optional().meta({
  type: "object",
  additionalProperties: true,
  description:
    'Fields and AND, OR, NOT; values, lists, null, "*" or operators: eq, ne, in, gt, gte, lt, lte, contains, icontains.',
});

/** Filters of a search or a list besides `filters`. */
const narrowing = {
  ...about,
  filters,
  metadata: z.record(z.string(), z.unknown()).nullish().describe("Values that the metadata must equal."),
  categories: z
    .array(label)
    .min(1)
    .max(MAX_CATEGORIES)
    .nullish()
    .describe("Only memories with any of these categories."),
  start_date: z.unknown().optional().meta({ type: "string" }),
  end_date: z.unknown().optional().meta({ type: "string" }),
  show_expired: z.boolean().nullish().describe("Include expired memories that are not deleted yet."),
};

export const CompatMemory = z.object({
  id: z.string(),
  memory: z.string(),
  ...each(z.string().nullable(), "user_id", "agent_id", "app_id", "run_id"),
  session_id: z.string().nullable().describe("The same as `run_id`."),
  hash: z.string(),
  metadata: storedObject,
  categories: z.array(z.string()),
  occurred_at: z.string().describe("When it happened or was said, as sent, with its offset."),
  created_at: z.string().describe("`occurred_at` in UTC, under mem0's name."),
  updated_at: z.string(),
  expiration_date: z.string().nullable(),
});

/** Fields that a response can be limited to. */
export const PROJECTABLE = [...Object.keys(CompatMemory.shape), "score", "score_breakdown"] as const;

const included = z
  .object({
    documents: z.boolean().default(false).describe("Add the sources of each result."),
    summaries: z.boolean().default(false).describe("Add the sources of each result, with their summaries."),
    related_memories: z
      .boolean()
      .default(false)
      .describe("Add memories stored right before and after, or that mention the same entities."),
    forgotten_memories: z
      .boolean()
      .default(false)
      .describe("Include expired results that are not deleted yet, marked `is_forgotten`."),
  })
  .prefault({});

export const CompatSearch = z.object({
  ...TOLERATED.search,
  query: z
    .string()
    .catch("")
    .meta({ type: "string", minLength: 1, param: { required: true } }),
  ...narrowing,
  top_k: z.int().min(1).max(MAX_TOP_K).nullish(),
  limit: z.int().min(1).max(MAX_TOP_K).nullish(),
  now: searchedAt,
  threshold: z.number().min(0).max(1).nullish().describe("Minimum score; if absent, relevant memories are returned."),
  rerank: z
    .boolean()
    .nullish()
    .describe("Order by spreading activation: results that other results support come first."),
  fields: z.array(z.enum(PROJECTABLE)).nullish(),
  include: included,
});

export const CompatRelated = CompatMemory.pick(
  each(true, "id", "memory", "user_id", "occurred_at", "created_at", "updated_at"),
);

export const CompatHit = CompatMemory.partial().extend({
  id: z.string(),
  score: z.number().optional(),
  score_breakdown: z
    .object({ semantic: z.number(), keyword: z.number(), activation: z.number().optional() })
    .optional(),
  is_forgotten: z.boolean().optional(),
  documents: z
    .array(
      z.object({
        id: z.string(),
        title: z.string().optional(),
        url: z.string().optional(),
        summary: z.string().optional(),
      }),
    )
    .optional(),
  related_memories: z.array(CompatRelated).optional(),
});

/** A search has a single page. */
export const CompatFound = z.object({
  results: z.array(CompatHit),
  count: z.int(),
  next: z.null(),
  previous: z.null(),
});

const page = z.int().min(1).max(MAX_OFFSET);
const pageSize = z.int().min(1).max(MAX_PAGE_SIZE);

export const CompatPage = z.object({
  page: inQuery(page).optional(),
  page_size: inQuery(pageSize).optional(),
  ...TOLERATED.query,
});

export const CompatList = z.object({
  ...TOLERATED.list,
  ...narrowing,
  keywords: z
    .string()
    .max(1000)
    .nullish()
    .describe("Only memories with all these words, among the 1,000 best matches."),
  page: page.nullish(),
  page_size: pageSize.nullish().meta({ default: DEFAULT_PAGE_SIZE }),
  fields: z.array(z.enum(PROJECTABLE)).nullish(),
});

/** Older names of a list's page size. */
const sizes = { limit: pageSize.nullish(), top_k: pageSize.nullish() };

export const OlderList = CompatList.extend(sizes);

const inText = z.string().max(1000).optional();

/** The same in a query string: names, dates, words and pages, without filters. */
export const OlderListQuery = z.object({
  ...TOLERATED.listQuery,
  ...aboutInQuery,
  keywords: inText,
  start_date: inText,
  end_date: inText,
  output_format: inText,
  page: inQuery(page).optional(),
  page_size: inQuery(pageSize).optional(),
  limit: inQuery(pageSize).optional(),
  top_k: inQuery(pageSize).optional(),
});

export const DEFAULTS = { page: 1, page_size: DEFAULT_PAGE_SIZE };

export const CompatListedMemory = CompatMemory.partial().extend({ id: z.string() });

export const CompatListed = z.object({
  count: z.int(),
  next: z.string().nullable(),
  previous: z.string().nullable(),
  results: z.array(CompatListedMemory),
});

/** A memory, or a message that the request is still being processed. */
export const OlderAdded = CompatAdded.partial().extend({
  message: z.string().optional(),
  status: AddAnswer.shape.status,
  event_id: z.string(),
});

export const OlderAddAnswer = z.union([
  z.array(OlderAdded),
  z.object({ ...AddAnswer.shape, results: z.array(OlderAdded) }),
]);
export const OlderListed = z.union([CompatListed.shape.results, CompatListed]);
export const OlderFound = z.union([CompatFound.shape.results, CompatFound]);

export const CompatChange = z
  .object({
    ...TOLERATED.body,
    text: filledText(MAX_CONTENT_LENGTH).optional(),
    metadata: metadata.optional(),
    timestamp: timestamp.optional(),
    occurred_at: occurredAt.optional(),
    expiration_date: expirationDate.nullable().optional(),
  })
  .refine(
    ({ text, metadata, timestamp, occurred_at, expiration_date }) =>
      [text, metadata, timestamp, occurred_at, expiration_date].some((value) => value !== undefined),
    "give text, metadata, timestamp, occurred_at or expiration_date",
  );

export const CompatDeletion = z.object({
  ...TOLERATED.deletion,
  ...aboutInQuery,
  filters: namesInQuery.optional(),
});

export const CompatDeletionOfOne = z.object(TOLERATED.deletion);

export const CompatStatusMessage = z.object({ message: z.string() });

export const CompatDeletionStarted = z.object({
  message: z.string(),
  deleted_count: z.int(),
  event_id: z.string().describe("The job that deletes the rest in the background, if one request is not enough."),
});

export const CompatHistory = z.array(
  z.object({
    id: z.string(),
    memory_id: z.string(),
    input: z.array(z.unknown()),
    old_memory: z.string().nullable(),
    new_memory: z.string().nullable(),
    user_id: z.string().nullable(),
    categories: z.array(z.string()),
    metadata: z.union([storedObject, z.null()]),
    event: z.enum(["ADD", "UPDATE", "DELETE"]),
    created_at: z.string(),
    updated_at: z.string(),
  }),
);
