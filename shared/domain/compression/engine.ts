import { unchanged } from "./algorithms/algorithm.ts";
import { ALGORITHMS, type AlgorithmName } from "./algorithms/index.ts";
import { loadTokenCounter, type TokenCounter } from "./condensing/tokens.ts";

export const COMPRESSION_MODES = ["extract", "balanced", "aggressive"] as const;
export type CompressionMode = (typeof COMPRESSION_MODES)[number];

/** extract keeps nearly every word that informs, balanced also drops asides, aggressive keeps only the gist. */
export const MODE_PROFILES: Record<CompressionMode, { algorithm: AlgorithmName; min_retention: number }> = {
  extract: { algorithm: "smart_hybrid", min_retention: 0.98 },
  balanced: { algorithm: "smart_hybrid", min_retention: 0.92 },
  aggressive: { algorithm: "real_best", min_retention: 0.83 },
};

/** Selects a mode (default balanced) or an algorithm. `min_retention`, 0..1, overrides the mode's own. */
export interface CompressionOptions {
  mode?: CompressionMode | undefined;
  algorithm?: AlgorithmName | undefined;
  min_retention?: number | undefined;
}

export interface Compression {
  /** The text to give a model instead of the original; the original itself if nothing was saved. */
  content: string;
  algorithm: AlgorithmName;
  /** Whether `content` begins with a dictionary; `decode` in algorithms/ expands it. */
  folded: boolean;
  /** o200k_base tokens of the original and of `content`. */
  original_tokens: number;
  compressed_tokens: number;
  /** Percentage of tokens saved, 0..100, with two decimals. */
  reduction_percentage: number;
  /** Share of the salience-weighted terms, 0..1, that are retained. */
  retention: number;
  /** Bytes at rest: of the original in UTF-8, and of the stored result. */
  original_bytes: number;
  compressed_bytes: number;
}

/** Shorter texts are not compressed: no fold saves tokens, and every word matters. */
const MIN_TOKENS = 8;

/** Compresses a text of any length and language. Loads the vocabulary on first use. */
export async function compress(text: string, options: CompressionOptions = {}): Promise<Compression> {
  return compressWith(await loadTokenCounter(), text, options);
}

/** `compress` for callers that already have the token counter. */
export function compressWith(tokens: TokenCounter, text: string, options: CompressionOptions = {}): Compression {
  const profile = MODE_PROFILES[options.mode ?? "balanced"];
  const algorithm = options.algorithm ?? profile.algorithm;
  const minRetention = options.min_retention ?? profile.min_retention;
  const source = { text, tokenCount: tokens.count(text), tokens };
  const worthwhile = source.tokenCount >= MIN_TOKENS;
  const encoded = worthwhile ? ALGORITHMS[algorithm].encode(source, minRetention) : unchanged(source);
  return {
    content: encoded.content,
    algorithm,
    folded: encoded.folded,
    original_tokens: source.tokenCount,
    compressed_tokens: encoded.tokenCount,
    reduction_percentage: percentage(source.tokenCount - encoded.tokenCount, source.tokenCount),
    retention: encoded.retention,
    original_bytes: Buffer.byteLength(text),
    compressed_bytes: encoded.storedBytes ?? Buffer.byteLength(encoded.content),
  };
}

function percentage(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
}
