import type { TokenCounter } from "../compression/tokens.ts";
import { occurredMs } from "../kernel/event-time.ts";
import type { SearchAnswer, SearchSource } from "../platform/ports.ts";
import type { Ranked } from "../retrieval/fusion.ts";
import type { RankedInContext } from "../retrieval/ranking/rank.ts";
import { analyse } from "../retrieval/text.ts";
import { type Block, render } from "./block.ts";
import { bridgesAmong } from "./bridges.ts";
import { choose } from "./choose.ts";
import { neededBefore } from "./context-lines.ts";
import { excerpt, type TermWorth } from "./excerpt.ts";
import { dayOf, type Line, type LineRole, onOneLine } from "./line.ts";

/** A memory of a smaller share of the best one's odds has little to do with the query, and is no line however much room there is. */
const MIN_SHARE = 0.05;
/** Lines are weighed by their share of the best one's odds, to this power. */
const ODDS_EXPONENT = 2;
const MAX_ODDS = 1e6;
/** Share of a line's worth that what it needs to be understood has. */
const CONTEXT_SHARE = 0.1;
/** Share of its worth that a statement has which was made after the day that is asked for. */
const LATER_SHARE = 0.3;
/** Longest line, as a share of the budget, but at least so many tokens. */
const LINE_SHARE = 0.25;
const MIN_LINE_TOKENS = 40;
const MAX_CONTEXT_TOKENS = 24;
/** Candidates that are read: those that a budget has room for, and as many again. */
const MIN_CANDIDATES = 40;
const TOKENS_PER_CANDIDATE = 10;
/** Stands for the label of any line. */
const LABEL = "[10] ";

export interface CompositionRequest {
  query: string;
  found: RankedInContext & { answer: Pick<SearchAnswer, "statistics"> };
  maxTokens: number;
  /** The moment that what held is asked for, in epoch milliseconds. */
  asOf?: number | undefined;
  counter: TokenCounter;
}

/** The block of the memories that are worth most for a query, within a budget of tokens. */
export function compose({ query, found, maxTokens, asOf, counter }: CompositionRequest): Block {
  const { ranked, neighbours, answer } = found;
  const termWorth = worthOfTerms(answer);
  const maxLine = Math.min(maxTokens, Math.max(MIN_LINE_TOKENS, Math.floor(maxTokens * LINE_SHARE)));
  const hits = new Map(ranked.map((hit) => [hit.id, hit]));
  const toLine = (document: SearchSource, role: LineRole, score: number, worth: number, most: number): Line => {
    const text = onOneLine(document, excerpt(document.content, termWorth, most, counter));
    const tokens = counter.count(`${LABEL}${text}\n`);
    const hit = hits.get(document.id);
    const terms = new Set(analyse(text));
    return {
      id: document.id,
      role,
      document,
      score,
      ...(hit && { hit }),
      text,
      day: dayOf(document),
      at: occurredMs(document),
      worth,
      tokens,
      terms,
    };
  };
  const most = Math.max(MIN_CANDIDATES, Math.ceil(maxTokens / TOKENS_PER_CANDIDATE));
  const bestOdds = Math.max(...ranked.map(oddsOf));
  const lines = ranked
    .filter((hit) => oddsOf(hit) >= MIN_SHARE * bestOdds)
    .slice(0, most)
    .map((hit) => toLine(hit.document, "found", hit.score, worthOf(hit, bestOdds, asOf), maxLine));
  const bridges = bridgesAmong(lines, query);
  const followUps = (line: Line): Line[] => {
    if (line.role === "context") return [];
    const needed = neededBefore(line.document, neighbours);
    if (needed === undefined) return bridges(line);
    return [...bridges(line), toLine(needed, "context", line.score, line.worth * CONTEXT_SHARE, MAX_CONTEXT_TOKENS)];
  };
  return render(choose(lines, { maxTokens, followUps }), maxTokens, counter);
}

function oddsOf({ score }: Pick<Ranked, "score">): number {
  return Math.min(MAX_ODDS, score / (1 - score));
}

function worthOf(hit: Ranked, bestOdds: number, asOf: number | undefined): number {
  const isLater = asOf !== undefined && occurredMs(hit.document) > asOf;
  return (oddsOf(hit) / bestOdds) ** ODDS_EXPONENT * (isLater ? LATER_SHARE : 1);
}

/** Rare terms of the query are worth more. */
function worthOfTerms({ statistics }: Pick<SearchAnswer, "statistics">): TermWorth {
  if (statistics === undefined) return new Map();
  const { documents, terms } = statistics;
  return new Map(terms.map(({ term, documents: holding }) => [term, Math.log(1 + documents / Math.max(1, holding))]));
}
