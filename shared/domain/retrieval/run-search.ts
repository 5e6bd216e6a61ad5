import { ServiceError } from "../../kernel/errors.ts";
import { Query } from "../../language/questions/query.ts";
import type { Context } from "../../runtime/context.ts";
import { within } from "./deadline.ts";
import type { Ranked } from "./ranking/fusion.ts";
import { MAX_QUERY_LENGTH, type SearchDefaults, searchSettings } from "./settings.ts";
import { countSearch, type SearchMode } from "./statistics.ts";

/** Returns the query. Throws INVALID_QUERY if it has no word, QUERY_TOO_LONG if it exceeds the limit. */
export function checkQuery(text: string): Query {
  const limits = { max_length: MAX_QUERY_LENGTH };
  if (text.length > MAX_QUERY_LENGTH) {
    const message = `The query has ${text.length} characters; at most ${MAX_QUERY_LENGTH} are searched.`;
    throw new ServiceError("QUERY_TOO_LONG", message, limits);
  }
  const query = new Query(text.toWellFormed());
  if (query.words.length === 0) {
    const message = "The query contains no words. Send at least one word.";
    throw new ServiceError("INVALID_QUERY", message, { query: text, ...limits });
  }
  return query;
}

/** A running search. */
export interface Search {
  query: Query;
  /** The values of parameters that the request leaves out. */
  defaults: SearchDefaults;
  /** Aborted at the time limit. */
  signal: AbortSignal;
}

/** A search's answer, and the memories it shows. */
interface Outcome<Answer> {
  answer: Answer;
  shown: Ranked[];
}

/**
 * Wraps every search: checks the query, applies the deployment's settings and time limit, and counts the outcome.
 * Throws INVALID_QUERY, QUERY_TOO_LONG, SEARCH_TIMEOUT and the search's own errors.
 */
export async function runSearch<Answer>(
  ctx: Context,
  mode: SearchMode,
  rawQuery: string,
  run: (search: Search) => Promise<Outcome<Answer>>,
): Promise<Answer> {
  const query = checkQuery(rawQuery);
  const { timeout_ms, ...defaults } = await ctx.settings.read(searchSettings);
  return countSearch(ctx, { mode, query }, async () =>
    within(timeout_ms, (signal) => run({ query, defaults, signal })),
  );
}
