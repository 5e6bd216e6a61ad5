import * as z from "zod";
import type { Setting } from "../platform/settings.ts";

/** Most results of one page. */
export const MAX_RESULTS = 50;
/** How many of the best are looked at where more counts than the page: other orders, aggregations, boosts. */
export const WIDE_DEPTH = 1000;
/** Longest query, in characters. */
export const MAX_QUERY_LENGTH = 1000;
/** Most hops that activation spreads. */
export const MAX_HOPS = 5;
/** An API gateway hangs up after 30 s, and saying that a search timed out takes a moment too. */
const MAX_TIMEOUT_MS = 25_000;
const MIN_TIMEOUT_MS = 10;

const share = z.number().min(0).max(1);

/** What a search does where its request leaves a parameter out. */
export const SearchDefaults = z.object({
  limit: z.int().min(1).max(MAX_RESULTS),
  /** Least score of plain, filtered, advanced and hybrid search. */
  threshold: share,
  max_hops: z.int().min(1).max(MAX_HOPS),
  /** Share of an activation that the next hop is left with. */
  decay_factor: share,
  semantic_weight: share,
  keyword_weight: share,
});

export type SearchDefaults = z.output<typeof SearchDefaults>;

export const SearchSettings = z.object({
  ...SearchDefaults.shape,
  /** A search that takes longer is given up. */
  timeout_ms: z.int().min(MIN_TIMEOUT_MS).max(MAX_TIMEOUT_MS),
});

export type SearchSettings = z.output<typeof SearchSettings>;

/** PUT /search/config. */
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
