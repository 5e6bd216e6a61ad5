/** What a text is embedded for: some models encode queries and passages differently. */
export type EmbeddingPurpose = "query" | "passage";

export interface EmbeddingOptions {
  purpose: EmbeddingPurpose;
  /** Aborts the embedding. */
  signal?: AbortSignal;
}

/** The distribution of cosines between unrelated texts, which differs between models. */
export interface CosineBackground {
  mean: number;
  deviation: number;
}

/** An embedder's properties that ranking needs. */
export type Calibrated = Pick<Embedder, "background" | "isLexical">;

export interface Embedder {
  /** Identifies model and dimensions; vectors of different ids are not comparable. */
  readonly id: string;
  readonly dimensions: number;
  /** Whether it compares words, like keyword search, instead of meaning. */
  readonly isLexical?: boolean;
  /** Measured on questions and the turns of one person's conversations that do not answer them. */
  readonly background: CosineBackground;
  /** One unit-length vector per text, in order; texts may be empty or long. Rejects when the signal is aborted. */
  embed(texts: string[], options: EmbeddingOptions): Promise<Float32Array[]>;
}
