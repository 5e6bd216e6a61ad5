import type { OrgHome } from "../platform/context.ts";
import type { Embedder, SearchRequest } from "../platform/ports.ts";
import type { Settings } from "../platform/settings.ts";
import type { Rollups } from "../stats/rollups.ts";
import { countEvent, DEPLOYMENT } from "../stats/series.ts";
import { abortAfter } from "./deadline.ts";
import { queryEmbeddingsOf } from "./figures.ts";
import { searchSettings } from "./settings.ts";

/** Part of a search's time limit that the vector of its query may take: the rest is for the search by words. */
const TIME_SHARE = 1 / 4;
const KEPT_DAYS = 30;
/** How long the former embedder may take for a query that names no limit. */
const MAX_FORMER_MS = 1_000;

/** Whose query is embedded; what fails is logged and counted. */
export interface QueryEmbedding extends Pick<OrgHome, "org" | "clock" | "logger"> {
  rollups: Pick<Rollups, "count">;
  settings: Pick<Settings, "read">;
  ports: { embedder: Pick<Embedder, "id" | "embed"> };
}

/** The vector of a query and the time that embedding one may take, in milliseconds. */
interface EmbeddedQuery {
  vector: Float32Array | undefined;
  timeLimit: number;
}

/**
 * Embeds a query within a share of the search's time limit. The vector is undefined where the embedder fails or takes
 * longer, so that the search goes by words alone. Throws where the signal is aborted.
 */
export async function embedQuery(ctx: QueryEmbedding, query: string, signal?: AbortSignal): Promise<EmbeddedQuery> {
  const { timeout_ms } = await ctx.settings.read(searchSettings);
  const timeLimit = timeout_ms * TIME_SHARE;
  try {
    return { vector: await embedWithin(ctx.ports.embedder, query, { timeLimit, signal }), timeLimit };
  } catch (error) {
    signal?.throwIfAborted();
    const { org, ports, logger, rollups, clock } = ctx;
    logger.warn("QUERY_EMBEDDING_FAILED", { org, embedder: ports.embedder.id, error });
    for (const scope of [org, DEPLOYMENT]) {
      countEvent(rollups, queryEmbeddingsOf(scope), clock(), { failed: 1 }, undefined, KEPT_DAYS);
    }
    return { vector: undefined, timeLimit };
  }
}

/** The vector of a query; throws where it takes longer than so many milliseconds, however the embedder hangs. */
async function embedWithin(
  embedder: Pick<Embedder, "embed">,
  query: string,
  { timeLimit, signal }: { timeLimit: number; signal: AbortSignal | undefined },
): Promise<Float32Array | undefined> {
  const toError = () => new Error(`the embedder gave no vector of the query in ${timeLimit} ms`);
  return abortAfter(timeLimit, toError, async (late) => {
    const either = signal === undefined ? late : AbortSignal.any([late, signal]);
    const [vector] = await embedder.embed([query], { purpose: "query", signal: either });
    return vector;
  });
}

/**
 * The same search with its query embedded by the former embedder; by words alone where there is none, it fails or is late,
 * or the text is not known.
 */
export async function embedByFormer(
  { semantic, ...others }: SearchRequest,
  former: Pick<Embedder, "embed"> | undefined,
  logger: Pick<OrgHome["logger"], "warn">,
): Promise<SearchRequest> {
  if (semantic?.text === undefined || former === undefined) return others;
  const { text, timeLimit = MAX_FORMER_MS } = semantic;
  try {
    const vector = await embedWithin(former, text, { timeLimit, signal: others.signal });
    return vector ? { ...others, semantic: { ...semantic, vector } } : others;
  } catch (error) {
    others.signal?.throwIfAborted();
    logger.warn("FORMER_EMBEDDER_FAILED", { org: others.org, error });
    return others;
  }
}
