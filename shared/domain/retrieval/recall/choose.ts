import { countShared } from "../../../kernel/text/text.ts";
import type { Line } from "./line.ts";

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
}

/**
 * Chooses lines for a budget of tokens greedily: next is the line of most worth for its length that still fits; words
 * already chosen count less. Returns the lines in the order of choice.
 */
export function choose(lines: Line[], { maxTokens, followUps }: Choice): Line[] {
  const chosen: Line[] = [];
  const headings = new Set<string>();
  const said = new Set<string>();
  const left = new Map(lines.map((line) => [line.id, line]));
  const taken = new Set<string>();
  let room = maxTokens;
  for (;;) {
    const best = bestOf(left.values(), { room, headings, said });
    if (best === undefined) return chosen;
    const { line, cost } = best;
    left.delete(line.id);
    taken.add(line.id);
    if (chosen.some((other) => repeats(line, other))) continue;
    chosen.push(line);
    room -= cost;
    headings.add(line.heading);
    for (const term of line.terms) said.add(term);
    for (const next of followUps(line)) {
      const known = left.get(next.id);
      if (known !== undefined) left.set(next.id, { ...known, worth: Math.max(known.worth, next.worth) });
      else if (!taken.has(next.id)) left.set(next.id, next);
    }
  }
}

interface State {
  room: number;
  headings: Set<string>;
  said: Set<string>;
}

function bestOf(lines: Iterable<Line>, { room, headings, said }: State): { line: Line; cost: number } | undefined {
  let best: { line: Line; cost: number; gain: number } | undefined;
  for (const line of lines) {
    const cost = line.tokens + (headings.has(line.heading) ? 0 : HEADING_TOKENS);
    if (cost > room) continue;
    const gain = (line.worth * (1 - REPETITION_LOSS * shareIn(line.terms, said))) / cost ** LENGTH_EXPONENT;
    if (best === undefined || gain > best.gain) best = { line, cost, gain };
  }
  return best;
}

function shareIn(terms: ReadonlySet<string>, said: ReadonlySet<string>): number {
  return terms.size === 0 ? 1 : countShared(terms, said) / terms.size;
}

/** Whether a line says nothing that the other does not. On another day it is another event. */
function repeats(line: Line, other: Line): boolean {
  if (line.heading !== other.heading) return false;
  if (line.terms.size < MIN_TERMS) return line.text === other.text;
  return shareIn(line.terms, other.terms) >= REPEATED_SHARE;
}
