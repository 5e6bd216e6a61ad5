import type { Word } from "../../../kernel/text/text.ts";
import { type TermWeights, termOf } from "./salience.ts";

/** Number of occurrences of each term. */
export type Tally = ReadonlyMap<string, number>;

/** Salience lost: of dropped mentions, and of terms whose last mention is dropped. */
export interface Loss {
  mentions: number;
  terms: number;
}

/** Below 1, so that each further mention of a term counts less than the one before, but always more than zero. */
const MENTION_EXPONENT = 0.75;

export function tallyOf(words: Word[]): Tally {
  const tally = new Map<string, number>();
  for (const word of words) {
    const term = termOf(word);
    tally.set(term, (tally.get(term) ?? 0) + 1);
  }
  return tally;
}

export function sumOf(tallies: Tally[]): Tally {
  const [first, ...others] = tallies;
  if (first !== undefined && others.length === 0) return first;
  const sum = new Map(first);
  for (const tally of others) for (const [term, count] of tally) sum.set(term, (sum.get(term) ?? 0) + count);
  return sum;
}

/** Tracks the salience left in a text whose parts are dropped: weight * n^0.75 for a term with n mentions left. */
export class Ledger {
  readonly total: Loss;
  readonly #weights: TermWeights;
  readonly #left: Map<string, number>;
  #lost: Loss = { mentions: 0, terms: 0 };

  constructor(words: Word[], weights: TermWeights) {
    this.#weights = weights;
    this.#left = new Map(tallyOf(words));
    this.total = this.lossOf(this.#left);
  }

  /** Returns the loss if these occurrences were dropped now. */
  lossOf(tally: Tally): Loss {
    const loss = { mentions: 0, terms: 0 };
    for (const [term, count] of tally) {
      const left = this.left(term);
      const weight = this.#weights.get(term) ?? 0;
      loss.mentions += weight * (left ** MENTION_EXPONENT - (left - count) ** MENTION_EXPONENT);
      if (left === count) loss.terms += weight;
    }
    return loss;
  }

  /** Whether the mentions and the terms lost so far, plus this loss, both stay within a share of the total. */
  affords({ mentions, terms }: Loss, share: number): boolean {
    return (
      this.#lost.mentions + mentions <= share * this.total.mentions &&
      this.#lost.terms + terms <= share * this.total.terms
    );
  }

  drop(tally: Tally): void {
    const { mentions, terms } = this.lossOf(tally);
    this.#lost = { mentions: this.#lost.mentions + mentions, terms: this.#lost.terms + terms };
    for (const [term, count] of tally) this.#left.set(term, this.left(term) - count);
  }

  left(term: string): number {
    return this.#left.get(term) ?? 0;
  }
}
