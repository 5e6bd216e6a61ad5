import type { ViewerHome } from "../platform/context.ts";
import type { SearchFilters, SearchSource } from "../platform/ports.ts";
import type { Ranked } from "../retrieval/fusion.ts";
import { confidenceOf } from "../retrieval/ranking/confidence.ts";
import { retrieve } from "../retrieval/retrieve.ts";
import type { LabelledLine } from "./block.ts";
import { compose } from "./compose.ts";
import type { LineRole } from "./line.ts";
import { loadTokenizer, type Tokenizer } from "./tokenizers.ts";

export interface RecallRequest {
  query: string;
  filters: SearchFilters;
  /** Of the context, in the vocabulary of the tokenizer. */
  maxTokens: number;
  tokenizer: Tokenizer;
  /** The moment that what held is asked for, and the one that the query is asked at; in epoch milliseconds. */
  asOf?: number | undefined;
  now?: number | undefined;
  /** Gives the search up. */
  signal?: AbortSignal;
}

/** How a line came to be chosen. */
export interface RecallWhy {
  words: number;
  meaning: number;
  path: LineRole;
}

export interface RecalledItem {
  label: string;
  memory_id: string;
  score: number;
  why: RecallWhy;
  document: SearchSource;
  /** The search's hit; absent for what only gives a line its context. */
  hit: Ranked | undefined;
}

export interface Recalled {
  context: string;
  tokens: number;
  confident: boolean;
  /** Best first. */
  items: RecalledItem[];
}

/** What is known for a query, as a block of at most so many tokens. Costs what a search costs. */
export async function recall(
  ctx: Pick<ViewerHome, "ports" | "org" | "clock">,
  { query, filters, maxTokens, tokenizer, asOf, now, signal }: RecallRequest,
): Promise<Recalled> {
  const [found, counter] = await Promise.all([
    retrieve(ctx, { query, filters, depth: 0, now: asOf ?? now, ...(signal && { signal }) }),
    loadTokenizer(tokenizer),
  ]);
  const { context, tokens, lines } = compose({ query, found, maxTokens, asOf, counter });
  const items = lines.map(toItem).sort((one, other) => other.score - one.score || orderOf(one) - orderOf(other));
  const { isConfident } = confidenceOf(ctx.ports.embedder, found);
  return { context, tokens, confident: isConfident, items };
}

/** What only gives a line its context comes after it. */
function orderOf({ why }: RecalledItem): number {
  return why.path === "found" ? 0 : 1;
}

function toItem({ id, label, role, score, hit, document }: LabelledLine): RecalledItem {
  const why = { words: hit?.keywordScore ?? 0, meaning: hit?.semanticScore ?? 0, path: role };
  return { label, memory_id: id, score, why, document, hit };
}
