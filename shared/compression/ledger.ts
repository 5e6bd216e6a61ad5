import type { Word } from "../retrieval/text.ts";
import type { TermWeights } from "./salience.ts";

/** How often each term of something occurs. */
export type Tally = ReadonlyMap<string, number>;

export function tallyOf(words: Word[]): Tally {
  const tally = new Map<string, number>();
  for (const { folded } of words) tally.set(folded, (tally.get(folded) ?? 0) + 1);
  return tally;
}

/**
 * Keeps account of what a text still says while parts of it are dropped. A term that is left n times is worth
 * weight * log2(1 + n): the first mention says most, each further one less, none nothing.
 */
export class Ledger {
  readonly total: number;
  lost = 0;
  readonly #weights: TermWeights;
  readonly #left: Map<string, number>;

  constructor(words: Word[], weights: TermWeights) {
    this.#weights = weights;
    this.#left = new Map(tallyOf(words));
    this.total = this.lossOf(this.#left);
  }

  /** What would be lost if these occurrences went now. */
  lossOf(tally: Tally): number {
    let loss = 0;
    for (const [term, count] of tally) {
      const left = this.left(term);
      loss += (this.#weights.get(term) ?? 0) * Math.log2((1 + left) / (1 + left - count));
    }
    return loss;
  }

  drop(tally: Tally): void {
    this.lost += this.lossOf(tally);
    for (const [term, count] of tally) this.#left.set(term, this.left(term) - count);
  }

  left(term: string): number {
    return this.#left.get(term) ?? 0;
  }
}
