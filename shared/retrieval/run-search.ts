import { ServiceError } from "../kernel/errors.ts";
import type { Context } from "../platform/context.ts";
import { within } from "./deadline.ts";
import type { Ranked } from "./fusion.ts";
import { MAX_QUERY_LENGTH, type SearchDefaults, searchSettings } from "./settings.ts";
import { countSearch, type SearchMode } from "./statistics.ts";
import { words } from "./text.ts";

/** The query itself. Throws INVALID_QUERY for one without any word, QUERY_TOO_LONG for one above the limit. */
export function checkQuery(query: string): string {
  const limits = { max_length: MAX_QUERY_LENGTH };
  if (query.length > MAX_QUERY_LENGTH) {
    const message = `The query has ${query.length} characters; at most ${MAX_QUERY_LENGTH} are searched.`;
    throw new ServiceError("QUERY_TOO_LONG", message, limits);
  }
  if (words(query).length === 0) {
    const message = "The query has no word in it. Say what to search for.";
    throw new ServiceError("INVALID_QUERY", message, { query, ...limits });
  }
  return query.toWellFormed();
}

/** One search while it runs. */
export interface Search {
  query: string;
  /** What holds where the request leaves a parameter out. */
  defaults: SearchDefaults;
  /** Aborted when the time is up. */
  signal: AbortSignal;
}

/** What a search answers, and the memories it shows. */
interface Outcome<Answer> {
  answer: Answer;
  shown: Ranked[];
}

/**
 * The frame of every search: checks the query, applies the deployment's settings and time limit, and counts what came
 * of it. Throws INVALID_QUERY, QUERY_TOO_LONG, SEARCH_TIMEOUT and what the search itself throws.
 */
export async function runSearch<Answer>(
  ctx: Context,
  mode: SearchMode,
  given: string,
  run: (search: Search) => Promise<Outcome<Answer>>,
): Promise<Answer> {
  const query = checkQuery(given);
  const { timeout_ms, ...defaults } = await ctx.settings.read(searchSettings);
  return countSearch(ctx, { mode, query }, async () =>
    within(timeout_ms, (signal) => run({ query, defaults, signal })),
  );
}
