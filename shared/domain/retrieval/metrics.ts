import type { Subject } from "../../runtime/stats/series.ts";

/** Counters of the searches of an organization, or of the deployment, with a histogram of their durations. */
export const searchesOf = (scope: string): Subject => ({ scope, name: "searches" });

/** Counters of the searches whose best hits a reranker read, with a histogram of its durations. */
export const rerankingsOf = (scope: string): Subject => ({ scope, name: "rerankings" });

/**
 * Counter of the queries without a vector because the embedder failed or was late; keyword search alone answered them.
 */
export const queryEmbeddingsOf = (scope: string): Subject => ({ scope, name: "query_embeddings" });
