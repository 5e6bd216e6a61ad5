import type { Subject } from "../stats/series.ts";

/** Counters of the searches of an organization, or the deployment, with a histogram of how long they took. */
export const searchesOf = (scope: string): Subject => ({ scope, name: "searches" });

/** Counters of the searches whose best a reranker read, with a histogram of how long that took. */
export const rerankingsOf = (scope: string): Subject => ({ scope, name: "rerankings" });

/** Counter of the queries that the embedder gave no vector of in time, which words alone answered. */
export const queryEmbeddingsOf = (scope: string): Subject => ({ scope, name: "query_embeddings" });
