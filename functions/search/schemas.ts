import * as z from "zod";
import { inQuery, label, metadata, moment, Pagination, page, pageInBody, queryFlag } from "../../shared/http/fields.ts";

const DEFAULT_THRESHOLD = 0.7;
const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 50;

/** Longest query, in characters. */
export const MAX_QUERY_LENGTH = 1000;

/** Any string, or none: what is wrong with it is INVALID_QUERY, not a matter of form. */
const query = z
  .string()
  .catch("")
  .meta({ type: "string", minLength: 1, maxLength: MAX_QUERY_LENGTH, param: { required: true } });

const oneOrMore = z
  .union([label, z.array(label).min(1).max(100)], "must be a string or a list of 1 to 100 strings")
  .transform((value) => (Array.isArray(value) ? value : [value]));

/** Strict: a key that is no filter is refused, so that none is ever silently dropped. */
export const SearchFilters = z
  .strictObject({
    user_id: oneOrMore,
    category: oneOrMore,
    type: oneOrMore,
    created_after: moment,
    created_before: moment,
    /** Values to equal, nested as they are in the memories' own. */
    metadata: z.record(z.string().min(1), z.unknown()),
  })
  .partial();

/** Checked by `filters.ts`, which answers INVALID_FILTERS. */
const filters = z.unknown().optional().meta({ $ref: "#/components/schemas/SearchFilters" });

const threshold = z.number().min(0).max(1);

export const SimpleSearch = z.object({
  q: query,
  user_id: z.string().optional(),
  category: z.string().optional(),
  type: z.string().optional(),
  ...page(DEFAULT_LIMIT, MAX_LIMIT),
  threshold: inQuery(threshold).default(DEFAULT_THRESHOLD),
  include_content: queryFlag(true),
  include_metadata: queryFlag(true),
});

export const FilteredSearch = z
  .object({
    query,
    filters,
    options: z
      .object({
        ...pageInBody(DEFAULT_LIMIT, MAX_LIMIT),
        threshold: threshold.default(DEFAULT_THRESHOLD),
        include_content: z.boolean().default(true),
        include_metadata: z.boolean().default(true),
        sort: z.enum(["score", "created_at", "updated_at"]).default("score"),
        order: z.enum(["asc", "desc"]).default("desc"),
      })
      .prefault({}),
  })
  .meta({ required: ["query"] });

const result = {
  id: z.string(),
  score: z.number(),
  content: z.string().optional(),
  user_id: z.string().optional(),
  category: z.string().optional(),
  type: z.string().optional(),
  created_at: z.string(),
  updated_at: z.string(),
  metadata: metadata.optional(),
  highlight: z.string().optional(),
};

export const SimpleResults = z.object({
  query: z.string(),
  results: z.array(z.object(result)),
  pagination: Pagination,
  search_metadata: z.object({
    query_tokens: z.number().int(),
    processing_time_ms: z.number().int(),
    similarity_threshold_used: z.number(),
  }),
});

export const FilteredResults = z.object({
  query: z.string(),
  results: z.array(z.object(result)),
  pagination: Pagination,
  query_analysis: z.object({
    tokens: z.array(z.string()),
    entities: z.array(z.object({ name: z.string(), type: z.string() })),
    semantic_intent: z.string(),
  }),
});
