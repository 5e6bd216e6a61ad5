import * as z from "zod";
import type { Setting } from "../../runtime/settings.ts";

/** Maximum results per page. */
export const MAX_RESULTS = 50;
/** Maximum number of hits by meaning, and by words, that a search returns on all its pages. */
export const WIDE_DEPTH = 1000;
/** Maximum length of a query, in characters. */
export const MAX_QUERY_LENGTH = 1000;
/** Maximum number of hops that activation spreads. */
export const MAX_HOPS = 5;
/** An API gateway closes the connection after 30 s, and reporting a timeout takes a moment too. */
const MAX_TIMEOUT_MS = 25_000;
const MIN_TIMEOUT_MS = 10;

const share = z.number().min(0).max(1);

/** Default values of a search's parameters. */
export const SearchDefaults = z.object({
  limit: z.int().min(1).max(MAX_RESULTS),
  /** Minimum score of plain, filtered, advanced and hybrid search. */
  threshold: share,
  max_hops: z.int().min(1).max(MAX_HOPS),
  /** Share of an activation that remains after each hop. */
  decay_factor: share,
  semantic_weight: share,
  keyword_weight: share,
});

export type SearchDefaults = z.output<typeof SearchDefaults>;

export const SearchSettings = z.object({
  ...SearchDefaults.shape,
  /** Time limit of a search, in milliseconds. */
  timeout_ms: z.int().min(MIN_TIMEOUT_MS).max(MAX_TIMEOUT_MS),
});

export type SearchSettings = z.output<typeof SearchSettings>;

/** The setting that PUT /search/config changes. */
export const searchSettings: Setting<SearchSettings> = {
  name: "search",
  schema: SearchSettings,
  initial: {
    limit: 10,
    threshold: 0.7,
    max_hops: 3,
    decay_factor: 0.85,
    semantic_weight: 0.8,
    keyword_weight: 0.2,
    timeout_ms: 5000,
  },
};
