import * as z from "zod";
import {
  MAX_QUERY_LENGTH,
  MAX_RESULTS,
  SearchDefaults,
  SearchSettings,
  WIDE_DEPTH,
} from "../../shared/domain/retrieval/settings.ts";
import { asOf, searchedAt, supersededBy, withoutVector } from "../../shared/domain/retrieval/wire.ts";
import { isObject } from "../../shared/kernel/objects.ts";
import type * as ports from "../../shared/ports/search-index.ts";
import {
  ALL,
  each,
  eventTime,
  inQuery,
  label,
  moment,
  occurredRange,
  Pagination,
  page,
  pageInBody,
  queryFlag,
  storedObject,
} from "../../shared/runtime/schemas/fields.ts";
import { leaveToVerb } from "../../shared/runtime/schemas/schema-parts.ts";
import { INTERVALS } from "./aggregations.ts";
import { BOOSTABLE, isBoostable, MAX_BOOST } from "./boosts.ts";
import { DEFAULT_ACTIVATION_THRESHOLD, ENHANCED_MODES } from "./modes.ts";

/** Accepts any value, because an invalid query is answered with INVALID_QUERY. */
const query = z
  .string()
  .catch("")
  .meta({ type: "string", minLength: 1, maxLength: MAX_QUERY_LENGTH, param: { required: true } });

const oneOrMore = z
  .union([label, z.array(label).min(1).max(100)], "must be a string or a list of 1 to 100 strings")
  .transform((value) => (Array.isArray(value) ? value : [value]));

/** Strict: an unknown filter is refused, so that none is silently dropped. */
export const SearchFilters = z
  .strictObject({
    user_id: oneOrMore.transform((users) => (users.includes(ALL) ? undefined : users)),
    category: oneOrMore,
    type: oneOrMore,
    created_after: moment,
    created_before: moment,
    ...occurredRange,
    /** Equality of nested metadata values, or tests by the operators of mem0's filters: `{prio: {gt: 9}}`. */
    // Not a record, because that would drop a key such as `__proto__` together with its filter.
    metadata: z.custom<object>(isObject, "must be an object").meta({ type: "object", additionalProperties: true }),
  } satisfies Record<Exclude<keyof ports.SearchFilters, "ids" | "entity_ids" | "where">, z.ZodType>)
  .partial();

/** Validated by `filters.ts`, which answers INVALID_FILTERS. */
const filters = leaveToVerb(z.unknown().optional().meta({ $ref: "#/components/schemas/SearchFilters" }), SearchFilters);

/** A label, validated by `filters.ts`. */
const filterInQuery = z.string().optional().meta({ type: "string", minLength: 1, maxLength: 256, pattern: "\\S" });
/** A moment, validated by `filters.ts`. */
const momentInQuery = z.string().optional().meta({ type: "string", format: "date-time" });
type FilterName = keyof typeof SearchFilters.shape;
/** Filters of bodies that searches by GET do not have, with the reason. */
export const NOT_IN_QUERY = {
  metadata: "A query string has no form for objects with numbers, booleans and tests.",
} as const satisfies Partial<Record<FilterName, string>>;
/** Every other filter; a missing one is an error of types. */
const filtersInQuery = {
  ...each(filterInQuery, "user_id", "category", "type"),
  ...each(momentInQuery, "created_after", "created_before", "occurred_after", "occurred_before"),
} satisfies Record<Exclude<FilterName, keyof typeof NOT_IN_QUERY>, z.ZodType>;
/** The filters of searches by GET. */
export const FILTERS_IN_QUERY = Object.keys(filtersInQuery) as (keyof typeof filtersInQuery)[];

/** A parameter whose default is a deployment setting. */
const configured = <Schema extends z.ZodType>(schema: Schema) =>
  schema.optional().describe("The default is in GET /search/config.");

const { limit, threshold, max_hops, decay_factor } = SearchDefaults.shape;
/** Weights are normalized together, so any scale works. */
const weight = z.number().min(0).max(1000);
const { offset } = pageInBody(MAX_RESULTS, MAX_RESULTS);
const { offset: offsetInQuery } = page(MAX_RESULTS, MAX_RESULTS);
const included = { include_content: z.boolean().default(true), include_metadata: z.boolean().default(true) };
const includedInQuery = { include_content: queryFlag(true), include_metadata: queryFlag(true) };
/** Describes what sorting and aggregations cover, which is more than the page. */
const WIDELY = `Covers relevant memories among the ${WIDE_DEPTH} best by meaning and the ${WIDE_DEPTH} best by words.`;
const order = z.enum(["asc", "desc"]).default("desc");

const ONLY_CURRENT = { description: "Leave out statements that are no longer true." };
const overTime = { as_of: asOf, current_only: z.boolean().default(false).meta(ONLY_CURRENT) };

/** What every search asks for, in a body and in a query. */
const asked = { query, filters, now: searchedAt, ...overTime };
const askedInQuery = {
  q: query,
  ...filtersInQuery,
  now: searchedAt,
  as_of: asOf,
  current_only: queryFlag(false).meta(ONLY_CURRENT),
};

export const SimpleSearch = z.object({
  ...askedInQuery,
  limit: configured(inQuery(limit)),
  offset: offsetInQuery,
  threshold: configured(inQuery(threshold)),
  ...includedInQuery,
});

export const FilteredSearch = z
  .object({
    ...asked,
    options: z
      .object({
        limit: configured(limit),
        offset,
        threshold: configured(threshold),
        ...included,
        sort: z.enum(["score", "created_at", "occurred_at", "updated_at"]).default("score").describe(WIDELY),
        order,
      })
      .prefault({}),
  })
  .meta({ required: ["query"] });

const boostFields = z.record(z.string(), z.number().min(0).max(MAX_BOOST)).superRefine((boosts, { addIssue }) => {
  for (const field of Object.keys(boosts)) {
    if (!isBoostable(field)) addIssue({ code: "custom", path: [field], message: `can be for ${BOOSTABLE}` });
  }
});

export const AdvancedSearch = z
  .object({
    ...asked,
    ranking: z
      .object({
        sort_by: z.enum(["boosted_score", "score", "created_at", "occurred_at", "updated_at"]).default("boosted_score"),
        order,
        boost_fields: boostFields
          .default({})
          .describe(
            `Factors by field (${BOOSTABLE}). A full match of the query with the field multiplies the score by the factor; for dates, recency counts as the match.`,
          ),
      })
      .prefault({}),
    aggregation: z
      .object({
        by_category: z.boolean().default(false),
        by_user: z.boolean().default(false),
        by_date: z
          .object({ interval: z.enum(INTERVALS).default("day"), limit: z.int().min(1).max(366).default(30) })
          .optional(),
      })
      .prefault({})
      .describe(WIDELY),
    options: z.object({ limit: configured(limit), offset, threshold: configured(threshold), ...included }).prefault({}),
  })
  .meta({ required: ["query"] });

export const HybridSearch = z
  .object({
    query,
    semantic_weight: configured(weight),
    keyword_weight: configured(weight),
    filters,
    now: searchedAt,
    ...overTime,
    options: z
      .object({
        limit: configured(limit),
        offset,
        threshold: threshold
          .optional()
          .describe("Minimum hybrid_score. If absent, returns memories that plain search considers relevant."),
        include_explanation: z.boolean().default(true),
        ...included,
      })
      .prefault({}),
  })
  .meta({ required: ["query"] });

/** Validated by the verb, which answers INVALID_MODE. */
const mode = z
  .unknown()
  .default("spreading")
  .meta({ type: "string", enum: [...ENHANCED_MODES], default: "spreading" });
const budget = z.number().min(0).max(10);
const DEFAULT_BUDGET = 1;

const activationThreshold = (value: z.ZodType<number>) =>
  value
    .optional()
    .describe(
      `Minimum activation; in the other modes, minimum score. If absent, it is ${DEFAULT_ACTIVATION_THRESHOLD}, and results of GET /search are returned with any activation.`,
    );

export const SpreadingParameters = z.object({
  max_hops: configured(max_hops),
  decay_factor: configured(decay_factor),
  threshold: activationThreshold(threshold),
  budget: budget
    .default(DEFAULT_BUDGET)
    .describe("Maximum activation to spread, as a multiple of the initial activation."),
});

export const EnhancedSearch = z.object({
  ...askedInQuery,
  mode,
  max_hops: configured(inQuery(max_hops)),
  decay_factor: configured(inQuery(decay_factor)),
  threshold: activationThreshold(inQuery(threshold)),
  budget: inQuery(budget).default(DEFAULT_BUDGET),
  limit: configured(inQuery(limit)),
  ...includedInQuery,
  include_path: queryFlag(false),
});

export const EnhancedSearchBody = z
  .object({
    query,
    mode,
    filters,
    now: searchedAt,
    ...overTime,
    parameters: SpreadingParameters.prefault({}),
    options: z.object({ limit: configured(limit), ...included, include_path: z.boolean().default(false) }).prefault({}),
  })
  .meta({ required: ["query"] });

export const SearchConfigChange = z.object({ settings: SearchSettings.partial() });

/** The origin of a chunk of a source. */
export const ChunkOrigin = z.object({
  id: z.string(),
  title: z.string().optional(),
  url: z.string().optional(),
  position: z.int(),
});

const found = {
  id: z.string(),
  content: z.string().optional(),
  user_id: z.string().optional(),
  category: z.string().optional(),
  type: z.string().optional(),
  ...eventTime,
  created_at: z.string(),
  updated_at: z.string(),
  metadata: storedObject.optional(),
  superseded_by: supersededBy,
  source: ChunkOrigin.optional(),
};

/** A search returns only the best by meaning and by words; the total counts only these. */
export const FoundPagination = Pagination.extend({
  total: z
    .int()
    .describe(
      `Relevant memories among the ${WIDE_DEPTH} best by meaning and the ${WIDE_DEPTH} best by words; the same on every page.`,
    ),
});

export const SearchHit = z.object({
  ...found,
  score: z.number(),
  highlight: z.string().describe("The content around the first match, matching words in <em>; not escaped."),
});

export const SimpleResults = z.object({
  query: z.string(),
  results: z.array(SearchHit),
  pagination: FoundPagination,
  search_metadata: z.object({
    query_tokens: z.int(),
    processing_time_ms: z.int(),
    similarity_threshold_used: z.number(),
    without_vector: withoutVector,
  }),
});

export const FilteredResults = z.object({
  query: z.string(),
  results: z.array(SearchHit),
  pagination: FoundPagination,
  query_analysis: z.object({
    tokens: z.array(z.string()),
    entities: z.array(z.object({ name: z.string(), type: z.string() })),
    semantic_intent: z.string(),
  }),
  without_vector: withoutVector,
});

const counts = z.record(z.string(), z.int()).optional();

export const AdvancedResults = z.object({
  query: z.string(),
  results: z.array(z.object({ ...found, score: z.number(), boosted_score: z.number(), rank: z.int() })),
  aggregations: z.object({
    by_category: counts,
    by_user: counts,
    by_date: z.array(z.object({ date: z.string(), count: z.int() })).optional(),
  }),
  pagination: FoundPagination,
  without_vector: withoutVector,
});

export const HybridResults = z.object({
  query: z.string(),
  results: z.array(
    z.object({
      ...found,
      semantic_score: z.number(),
      keyword_score: z.number(),
      hybrid_score: z.number(),
      explanation: z.string().optional(),
    }),
  ),
  pagination: FoundPagination,
  search_breakdown: z.object({
    semantic_matches: z.int(),
    keyword_matches: z.int(),
    total_documents_searched: z.int(),
  }),
  weights: z
    .object({ semantic_weight: z.number(), keyword_weight: z.number(), normalized: z.boolean() })
    .describe("The weights used; `normalized` is true if the given ones did not sum to 1."),
  without_vector: withoutVector,
});

export const EnhancedResults = z.object({
  query: z.string(),
  mode: z.enum(ENHANCED_MODES),
  results: z.array(
    z.object({
      ...found,
      score: z.number(),
      activation_score: z.number(),
      hop_distance: z.int(),
      activation_path: z
        .array(z.object({ node: z.string(), activation: z.number(), hop: z.int() }))
        .optional()
        .describe("The strongest activation path to this result, as ids of memories and entities."),
    }),
  ),
  spreading_stats: z.object({
    initial_nodes: z.int(),
    activated_nodes: z.int(),
    total_hops: z.int(),
    propagation_efficiency: z.number(),
  }),
  without_vector: withoutVector,
});

export const SearchConfig = z.object({
  default_settings: SearchDefaults,
  limits: z.object({ max_results: z.int(), max_query_length: z.int(), timeout_ms: z.int() }),
});

const measured = z.number().nullable();

export const SearchStatistics = z.object({
  total_searches: z.int(),
  by_mode: z.object({ semantic: z.int(), advanced: z.int(), hybrid: z.int(), spreading: z.int() }),
  avg_response_time_ms: measured,
  p95_response_time_ms: measured,
  success_rate: measured,
  popular_queries: z
    .array(z.object({ query: z.string(), count: z.int() }))
    .describe("Queries of the last 30 days: the organization's for `admin:all`, an agent's for its keys, else empty."),
  search_quality: z
    .object({
      avg_relevance_score: measured.describe("Mean score of the returned memories."),
      avg_precision: measured.describe(
        "Share of the rated results that are rated above 3; mean over searches with rated results.",
      ),
      avg_recall: z.null().describe("Always null: missed results are not known."),
    })
    .describe("null if nothing was measured."),
});
