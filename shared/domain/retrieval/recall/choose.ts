import { countShared } from "../../../kernel/text/text.ts";
import { keyOf, type Line } from "./line.ts";

/** Exponent of the penalty for length: 0 is no penalty, 1 is proportional to the length. */
const LENGTH_EXPONENT = 0.5;
/** Share of a line's worth that is lost if the chosen lines already contain all of its words. */
const REPETITION_LOSS = 0.5;
/** A line repeats a chosen one if that contains at least this share of its words. */
const REPEATED_SHARE = 0.9;
const MIN_TERMS = 3;
/** Estimated tokens of a heading. */
const HEADING_TOKENS = 6;

export interface Choice {
  maxTokens: number;
  /** Returns the lines to consider once this one is chosen, such as the context that it needs. */
  followUps(line: Line): Line[];
  /** Whether a line is worth a place, even if there is space; `filled` is the share of the budget that is used, 0..1. */
  serves(line: Line, filled: number): boolean;
}

export interface Chosen {
  /** In the order of choice. */
  chosen: Line[];
  /** Ids of lines that say nothing which a chosen one does not. */
  repeated: ReadonlySet<string>;
  /** Share of the budget that is used, 0..1. */
  filled: number;
}

/**
 * Chooses lines for a budget of tokens greedily: next is the line with the most worth for its length that fits; words
 * already chosen count less.
 */
export function choose(lines: Line[], { maxTokens, followUps, serves }: Choice): Chosen {
  const chosen: Line[] = [];
  const repeated = new Set<string>();
  const headings = new Set<string>();
  const chosenTerms = new Set<string>();
  const candidates = new Map(lines.map((line) => [keyOf(line), line]));
  const used = new Set<string>();
  let remaining = maxTokens;
  for (;;) {
    const filled = 1 - remaining / maxTokens;
    const serving = [...candidates.values()].filter((line) => serves(line, filled));
    const best = bestOf(serving, { remaining, headings, chosenTerms });
    if (best === undefined) return { chosen, repeated, filled };
    const { line, cost } = best;
    candidates.delete(keyOf(line));
    used.add(keyOf(line));
    if (chosen.some((other) => repeats(line, other))) {
      repeated.add(line.id);
      continue;
    }
    chosen.push(line);
    remaining -= cost;
    headings.add(line.heading);
    for (const term of line.terms) chosenTerms.add(term);
    for (const next of followUps(line)) {
      const key = keyOf(next);
      const known = candidates.get(key);
      if (known !== undefined) candidates.set(key, { ...known, worth: Math.max(known.worth, next.worth) });
      else if (!used.has(key)) candidates.set(key, next);
    }
  }
}

interface State {
  remaining: number;
  headings: Set<string>;
  chosenTerms: Set<string>;
}

function bestOf(
  lines: Iterable<Line>,
  { remaining, headings, chosenTerms }: State,
): { line: Line; cost: number } | undefined {
  let best: { line: Line; cost: number; gain: number } | undefined;
  for (const line of lines) {
    const cost = line.tokens + (headings.has(line.heading) ? 0 : HEADING_TOKENS);
    if (cost > remaining) continue;
    const gain = (line.worth * (1 - REPETITION_LOSS * shareIn(line.terms, chosenTerms))) / cost ** LENGTH_EXPONENT;
    if (best === undefined || gain > best.gain) best = { line, cost, gain };
  }
  return best;
}

function shareIn(terms: ReadonlySet<string>, chosenTerms: ReadonlySet<string>): number {
  return terms.size === 0 ? 1 : countShared(terms, chosenTerms) / terms.size;
}

/** Whether a line says nothing that the other does not. On another day it is another event. */
function repeats(line: Line, other: Line): boolean {
  if (line.heading !== other.heading) return false;
  if (line.terms.size < MIN_TERMS) return line.text === other.text;
  return shareIn(line.terms, other.terms) >= REPEATED_SHARE;
}
