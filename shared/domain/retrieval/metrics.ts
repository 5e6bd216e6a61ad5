import { HOUR_MS } from "../../kernel/durations.ts";
import type { Runtime } from "../../runtime/context.ts";
import { sumCounters } from "../../runtime/stats/histogram.ts";
import { DEPLOYMENT, readSeries, type Subject } from "../../runtime/stats/series.ts";

/** Counters of the searches of an organization, or of the deployment, with a histogram of their durations. */
export const searchesOf = (scope: string): Subject => ({ scope, name: "searches" });

/** Counters of the searches whose best hits a reranker read, with a histogram of its durations. */
export const rerankingsOf = (scope: string): Subject => ({ scope, name: "rerankings" });

/**
 * Counter of the queries without a vector because the embedder failed or was late; keyword search alone answered them.
 */
export const queryEmbeddingsOf = (scope: string): Subject => ({ scope, name: "query_embeddings" });

/** Returns how many queries of the deployment got no vector since the start of the previous hour. */
export async function countUnembedded({ ports, clock, rollups }: Pick<Runtime, "ports" | "clock" | "rollups">) {
  await rollups.flush();
  const hours = await readSeries(ports.records, queryEmbeddingsOf(DEPLOYMENT), "hour", clock() - HOUR_MS);
  return sumCounters(hours.map(({ counters }) => counters)).failed ?? 0;
}
