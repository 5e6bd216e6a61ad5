import { ServiceError } from "../../kernel/errors.ts";
import { pick } from "../../kernel/objects.ts";
import { takeTurn } from "../../kernel/turns.ts";
import type { RecordStore } from "../../ports/record-store.ts";
import type { SearchFilters, SearchIndex } from "../../ports/search-index.ts";
import type { MemoryScope } from "../../runtime/context.ts";
import { percentile } from "../../runtime/stats/histogram.ts";
import { countEvent, DEPLOYMENT, readTotal, type Subject } from "../../runtime/stats/series.ts";
import type { Activation, ActivationParameters } from "./activation.ts";
import type { Asker } from "./asked-time.ts";
import { plainWeights, type Ranked } from "./ranking/fusion.ts";
import { showable } from "./relevance.ts";
import { type Retrieval, type Retrieved, retrieve } from "./retrieve.ts";
import type { SearchDefaults } from "./settings.ts";
import { type Spread, type SpreadRanked, spread } from "./spreading.ts";

export interface SpreadingSearch extends Pick<Retrieval, "query" | "now" | "asOf" | "signal"> {
  filters: SearchFilters;
  parameters: Omit<ActivationParameters, "kept" | "threshold">;
  /**
   * Minimum activation. The request's own is applied exactly; without it, the default applies, and hits that plain
   * search shows are returned even below it.
   */
  threshold: { own: number | undefined; byDefault: number };
  defaults: Pick<SearchDefaults, "threshold">;
  /**
   * Maximum number of hits that activation starts from. The other hits are then found only if activation reaches them;
   * if all are starting points, they fill the answer and no path is longer than its start.
   */
  maxSeeds?: number;
}

/** The context of a search: a request, in its organization. */
type Searcher = Pick<MemoryScope, "ports" | "clock" | "org" | "viewer" | "rollups" | "logger" | "settings"> &
  Pick<Asker, "principal">;

/**
 * Searches for a query, spreads activation from the hits, and counts the activation. Throws INSUFFICIENT_RESULTS if
 * there is no memory that activation could start from.
 */
export async function spreadFrom(
  searcher: Searcher,
  search: SpreadingSearch,
): Promise<Spread & Pick<Retrieved, "isByWords" | "slots">> {
  const { ports, clock, org } = searcher;
  const { query, filters, threshold, defaults, now, asOf, signal } = search;
  const startedAt = performance.now();
  const found = await retrieve(searcher, { query, filters, depth: 0, now, asOf, signal });
  const { answer } = found;
  const seeds = found.ranked.slice(0, search.maxSeeds);
  if (answer.semantic.length + answer.keyword.length === 0) {
    throw new ServiceError("INSUFFICIENT_RESULTS", "No memory is available as a starting point for activation.", {
      query: query.text,
    });
  }
  const scope = { org, filters, now: clock(), signal };
  const weights = plainWeights(ports.embedder);
  const shownAnyway =
    threshold.own === undefined ? showable(ports.embedder, found, { threshold: undefined, defaults }) : [];
  const parameters = {
    ...search.parameters,
    threshold: threshold.own ?? threshold.byDefault,
    kept: new Set(shownAnyway.map(({ id }) => id)),
  };
  const { ranked, stats } = await spread(yielding(ports.search), { ranked: seeds, weights, scope, parameters });
  countActivation(searcher, stats, performance.now() - startedAt);
  return {
    ranked: found.isReranked ? inOrderOf(seeds, ranked) : ranked,
    stats,
    ...pick(found, ["isByWords", "slots"]),
  };
}

/**
 * Returns the hits with the seeds in the reranker's order, because activation is less accurate. Every position keeps
 * the score that activation gave it.
 */
function inOrderOf(seeds: Ranked[], ranked: SpreadRanked[]): SpreadRanked[] {
  const found = new Map(ranked.map((hit) => [hit.id, hit]));
  const ordered = seeds.flatMap(({ id }) => found.get(id) ?? []).values();
  const isSeed = new Set(seeds.map(({ id }) => id));
  return ranked.map((hit) => ({ ...((isSeed.has(hit.id) && ordered.next().value) || hit), score: hit.score }));
}

/** Wraps the index so that each hop waits for a turn, and the timer of the search's time limit can run. */
function yielding(index: SearchIndex): Pick<SearchIndex, "neighbours"> {
  return {
    async neighbours(request) {
      await takeTurn(request.org);
      request.signal?.throwIfAborted();
      return index.neighbours(request);
    },
  };
}

// ---------------------------------------------------------------- statistics

/** Days for which the daily counters are kept. */
const KEPT_DAYS = 30;

const activationsOf = (scope: string): Subject => ({ scope, name: "activations" });

function countActivation({ rollups, clock, org }: Searcher, stats: Activation["stats"], durationMs: number): void {
  const { initialNodes, activatedNodes, totalHops, propagationEfficiency } = stats;
  const counts = {
    activations: 1,
    initial_nodes: initialNodes,
    activated_nodes: activatedNodes,
    hops: totalHops,
    efficiency: propagationEfficiency,
  };
  for (const scope of [org, DEPLOYMENT]) {
    countEvent(rollups, activationsOf(scope), clock(), counts, durationMs, KEPT_DAYS);
  }
}

/**
 * Reads the all-time counters of the activations of an organization or of the deployment. Means and times are null if
 * there were no activations.
 */
export async function readActivationStatistics(records: RecordStore, scope: string) {
  const counters = await readTotal(records, activationsOf(scope));
  const { activations = 0 } = counters;
  const mean = (name: string) => (activations === 0 ? null : (counters[name] ?? 0) / activations);
  return {
    activations,
    avg_initial_nodes: mean("initial_nodes"),
    avg_activated_nodes: mean("activated_nodes"),
    avg_hops: mean("hops"),
    avg_propagation_efficiency: mean("efficiency"),
    avg_processing_time_ms: mean("duration_ms"),
    p95_processing_time_ms: percentile(counters, 0.95),
  };
}
