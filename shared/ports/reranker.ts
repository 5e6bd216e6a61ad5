export interface RerankOptions {
  /** The organization of the request. */
  org: string;
  timeoutMs: number;
  /** Aborts the reranking. */
  signal: AbortSignal;
}

/** The second stage of a search: reads the best results together with the query. */
export interface Reranker {
  /** Identifies the model. */
  readonly id: string;
  /** Maximum milliseconds that a search waits for it. */
  readonly timeoutMs: number;
  /** How well each of at most 30 texts answers the query, 0..1, in order. The caller checks the result. */
  rerank(query: string, texts: string[], options: RerankOptions): Promise<number[]>;
}
