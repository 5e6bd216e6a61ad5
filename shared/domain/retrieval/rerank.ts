import { logit } from "../../kernel/math.ts";
import type { Query } from "../../language/questions/query.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Context } from "../../runtime/context.ts";
import type { Rollups } from "../../runtime/stats/rollups.ts";
import { countEvent, DEPLOYMENT } from "../../runtime/stats/series.ts";
import { timeLeft } from "./deadline.ts";
import { rerankingsOf } from "./metrics.ts";
import type { Ranked } from "./ranking/fusion.ts";

/** Maximum number of hits that the reranker reads. */
const MAX_RERANKED = 30;
/** The reranker's weight in the mean of its log-odds and the ranking's. */
const RERANKER_SHARE = 0.5;
/** Share of a search's remaining time that the reranker may take. */
const TIME_SHARE = 0.5;

/** Days for which the daily counters are kept. */
const KEPT_DAYS = 30;

/** The context of a search: a request, in its organization. */
export type Reranking = Pick<Context, "org" | "clock" | "logger"> & {
  rollups: Pick<Rollups, "count">;
  ports: Pick<Ports, "reranker">;
};

/**
 * Returns the hits with the best ones ordered by the mean of both stages' log-odds. The scores keep their positions:
 * they say how likely the ranking found an answer. Returns undefined if the ranking's order remains: without a
 * reranker, or if it fails or takes too long, which is counted.
 */
export async function rerank(
  searcher: Reranking,
  { query, ranked, signal }: { query: Query; ranked: Ranked[]; signal?: AbortSignal | undefined },
): Promise<Ranked[] | undefined> {
  const { reranker } = searcher.ports;
  if (reranker === undefined || ranked.length < 2) return undefined;
  const best = ranked.slice(0, MAX_RERANKED);
  const startedAt = performance.now();
  const count = (counts: Record<string, number>) => {
    const duration = performance.now() - startedAt;
    countEvent(searcher.rollups, rerankingsOf(DEPLOYMENT), searcher.clock(), counts, duration, KEPT_DAYS);
  };
  try {
    const timeoutMs = Math.floor(Math.min(reranker.timeoutMs, signal ? TIME_SHARE * timeLeft(signal) : Infinity));
    const ended = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]);
    const texts = best.map(({ document }) => document.content);
    const limits = { org: searcher.org, timeoutMs, signal: ended };
    const relevances = await unlessAborted(reranker.rerank(query.text, texts, limits), ended);
    const ordered = reorder(best, checked(relevances, best.length));
    count({ succeeded: 1 });
    return [...ordered, ...ranked.slice(MAX_RERANKED)];
  } catch (error) {
    signal?.throwIfAborted();
    count({ failed: 1 });
    searcher.logger.warn("RERANKING_FAILED", { reranker: reranker.id, error });
    return undefined;
  }
}

function reorder(best: Ranked[], relevances: number[]): Ranked[] {
  const odds = best.map(
    ({ score }, index) => (1 - RERANKER_SHARE) * logit(score) + RERANKER_SHARE * logit(relevances[index] ?? 0),
  );
  const order = [...best.keys()].sort((one, other) => (odds[other] ?? 0) - (odds[one] ?? 0));
  return order.flatMap((from, to) => {
    const [hit, replaced] = [best[from], best[to]];
    return hit && replaced ? [{ ...hit, score: replaced.score }] : [];
  });
}

/** Returns the reranker's answer; throws unless it has one relevance from 0 to 1 per text. */
function checked(relevances: number[], count: number): number[] {
  const isValid = relevances.length === count && relevances.every((relevance) => relevance >= 0 && relevance <= 1);
  if (isValid) return relevances;
  throw new Error(`the reranker answered something else than ${count} numbers from 0 to 1`);
}

/** Returns the work's result; rejects with the signal's reason as soon as the signal is aborted. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const giveUp = () => reject(signal.reason);
  if (signal.aborted) giveUp();
  signal.addEventListener("abort", giveUp, { once: true });
  work.then(resolve, reject);
  return promise.finally(() => signal.removeEventListener("abort", giveUp));
}
