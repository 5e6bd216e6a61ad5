import { LRUCache } from "lru-cache";
import { sha256 } from "../../kernel/digest.ts";
import type { Query } from "../../language/questions/query.ts";
import type { Embedder } from "../../ports/embedder.ts";
import type { SearchRequest } from "../../ports/search-index.ts";
import type { OrgRuntime } from "../../runtime/context.ts";
import type { Settings } from "../../runtime/settings.ts";
import type { Rollups } from "../../runtime/stats/rollups.ts";
import { countEvent, DEPLOYMENT } from "../../runtime/stats/series.ts";
import { abortAfter } from "./deadline.ts";
import { queryEmbeddingsOf } from "./metrics.ts";
import { embedQuestion, type QueryVectors } from "./query-vector.ts";
import { searchSettings } from "./settings.ts";

/** Share of a search's time limit for the query embedding: the rest is for the keyword search. */
const TIME_SHARE = 1 / 4;
const RETENTION_DAYS = 30;
/** Time limit of the former embedder for a query without a limit of its own. */
const MAX_FORMER_MS = 1_000;

/** The context in which a query is embedded; failures are logged and counted. */
export interface QueryEmbedding extends Pick<OrgRuntime, "org" | "clock" | "logger" | "isModelLoading"> {
  rollups: Pick<Rollups, "count">;
  settings: Pick<Settings, "read">;
  ports: { embedder: Pick<Embedder, "id" | "embed" | "isLexical"> };
}

/** Queries of an embedder whose vectors are kept: a few megabytes. */
const MAX_KEPT = 1_000;

/** The vectors of each embedder's last queries, by a hash of organization and text. */
const lastVectors = new WeakMap<object, LRUCache<string, QueryVectors>>();

/** The vectors of a query and the time limit of embedding one, in milliseconds. */
interface EmbeddedQuery extends QueryVectors {
  timeLimit: number;
}

/**
 * Embeds a query, unless it was one of the last, within a share of the search's time limit. The vector is undefined if
 * the embedder's model is still being loaded, and if the embedder fails or takes longer; then the search uses keywords
 * only. Throws if the signal is aborted.
 */
export async function embedQuery(ctx: QueryEmbedding, query: Query, signal?: AbortSignal): Promise<EmbeddedQuery> {
  const { timeout_ms } = await ctx.settings.read(searchSettings);
  const timeLimit = timeout_ms * TIME_SHARE;
  try {
    const { embedder } = ctx.ports;
    const kept = keptOf(embedder);
    const name = sha256(JSON.stringify([ctx.org, query.text]));
    const known = kept.get(name);
    if (known === undefined && ctx.isModelLoading?.()) return { vector: undefined, timeLimit };
    const vectors =
      known ?? (await within({ timeLimit, signal }, (combined) => embedQuestion(embedder, query, combined)));
    kept.set(name, vectors);
    return { ...vectors, timeLimit };
  } catch (error) {
    signal?.throwIfAborted();
    const { org, ports, logger, rollups, clock } = ctx;
    logger.warn("QUERY_EMBEDDING_FAILED", { org, embedder: ports.embedder.id, error });
    for (const scope of [org, DEPLOYMENT]) {
      countEvent(rollups, queryEmbeddingsOf(scope), clock(), { failed: 1 }, undefined, RETENTION_DAYS);
    }
    return { vector: undefined, timeLimit };
  }
}

function keptOf(embedder: object): LRUCache<string, QueryVectors> {
  const kept = lastVectors.get(embedder) ?? new LRUCache({ max: MAX_KEPT });
  lastVectors.set(embedder, kept);
  return kept;
}

/** Returns the embedder's result; throws if it takes longer than the time limit, even if it hangs. */
async function within<Answer>(
  { timeLimit, signal }: { timeLimit: number; signal: AbortSignal | undefined },
  embed: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const toError = () => new Error(`the embedder gave no vector of the query in ${timeLimit} ms`);
  return abortAfter(timeLimit, toError, (timeout) =>
    embed(signal === undefined ? timeout : AbortSignal.any([timeout, signal])),
  );
}

/**
 * Returns the same search with its query embedded by the former embedder; by keywords only if there is no such
 * embedder, it fails or is late, or the text is unknown.
 */
export async function embedByFormer(
  { semantic, ...others }: SearchRequest,
  former: Pick<Embedder, "embed"> | undefined,
  logger: Pick<OrgRuntime["logger"], "warn">,
): Promise<SearchRequest> {
  if (semantic?.text === undefined || former === undefined) return others;
  const { text, timeLimit = MAX_FORMER_MS } = semantic;
  try {
    const [vector] = await within({ timeLimit, signal: others.signal }, (signal) =>
      former.embed([text], { purpose: "query", signal }),
    );
    return vector ? { ...others, semantic: { ...semantic, vector } } : others;
  } catch (error) {
    others.signal?.throwIfAborted();
    logger.warn("FORMER_EMBEDDER_FAILED", { org: others.org, error });
    return others;
  }
}
