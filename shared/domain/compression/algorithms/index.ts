import { unfold } from "../condensing/fold.ts";
import type { Algorithm, Encoded } from "./algorithm.ts";
import { gzip } from "./gzip.ts";
import { radix, smartRadix } from "./radix.ts";
import { realBest, smartHybrid } from "./real-best.ts";

/** Names in the order the service lists them. */
export const ALGORITHM_NAMES = ["radix", "smart_radix", "smart_hybrid", "real_best", "gzip"] as const;
export type AlgorithmName = (typeof ALGORITHM_NAMES)[number];

export const ALGORITHMS: Record<AlgorithmName, Algorithm> = {
  radix,
  smart_radix: smartRadix,
  smart_hybrid: smartHybrid,
  real_best: realBest,
  gzip,
};

/** Returns the full text from the output of an algorithm: exactly the original if the algorithm is lossless. */
export function decode({ content, folded }: Pick<Encoded, "content" | "folded">): string {
  return folded ? unfold(content) : content;
}
