import type { Subject } from "../stats/series.ts";

/** Counters of the searches of an organization, or the deployment, with a histogram of how long they took. */
export const searchesOf = (scope: string): Subject => ({ scope, name: "searches" });

/** Counter of the queries that the embedder gave no vector of in time, which words alone answered. */
export const queryEmbeddingsOf = (scope: string): Subject => ({ scope, name: "query_embeddings" });
