import { USER } from "../facts/fact.ts";
import { type StoredFact, slotOf } from "../facts/records.ts";
import type { MemoryReader } from "../memory/records.ts";
import type { SearchAnswer, SearchFilters } from "../platform/ports.ts";
import { observedOf, placeVisible } from "../profiles/known-facts.ts";
import { INSTRUCTION, isOfProfile, type Profile, profileOf } from "../profiles/profile.ts";
import type { Ranked } from "../retrieval/fusion.ts";
import { rankInContext } from "../retrieval/ranking/rank.ts";
import { type Finder, findHits } from "../retrieval/retrieve.ts";
import { analyse, words } from "../retrieval/text.ts";
import type { LabelledLine } from "./block.ts";
import { compose } from "./compose.ts";
import { isAnswered } from "./confidence.ts";
import type { LineDocument, LineRole } from "./line.ts";
import { loadTokenizer, type Tokenizer } from "./tokenizers.ts";

/** Facts of the user that are looked at. */
const MAX_OBSERVED = 2000;
/** Of either query of the search, hits whose slots are read. */
const MAX_JUDGED = 30;
/** Facts that tell what a user is called. */
const OWN_NAMES = new Set(["name", "nickname"]);

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
  fact_id: string | undefined;
  score: number;
  why: RecallWhy;
  document: LineDocument;
  /** The search's hit; absent for what only gives a line its context. */
  hit: Ranked | undefined;
}

export interface Recalled {
  context: string;
  tokens: number;
  confident: boolean;
  /** Best first. */
  items: RecalledItem[];
  /** What is known of the user by their own words that concerns the query. */
  profile: Profile;
}

/**
 * What is known for a query, as a block of at most so many tokens. Beside the two round trips of a search it reads the
 * facts of the user, if it is of one: what was observed, then the memories that state it.
 */
export async function recall(
  ctx: MemoryReader & Finder,
  { query, filters, maxTokens, tokenizer, asOf, now, signal }: RecallRequest,
): Promise<Recalled> {
  const [user, ...others] = filters.user_id ?? [];
  const isOfOne = user !== undefined && others.length === 0;
  const [{ answer, scope }, observed, counter] = await Promise.all([
    findHits(ctx, { query, filters, depth: 0, ...(signal && { signal }) }),
    isOfOne ? observedOf(ctx, user, MAX_OBSERVED) : [],
    loadTokenizer(tokenizer),
  ]);
  const [ranking, known] = await Promise.all([
    rankInContext(ctx.ports, { query, answer, scope, now: asOf ?? now ?? scope.now }),
    placeVisible(ctx, concerning(answer, observedWithin(observed, filters))),
  ]);
  const found = { ...ranking, answer };
  const { context, tokens, lines } = compose({ query, found, known, maxTokens, asOf, counter });
  const factOf = factFinder(observed, query);
  const items = lines
    .map((line) => toItem(line, factOf(line.id)))
    .sort((one, other) => other.score - one.score || orderOf(one) - orderOf(other));
  const judged = { query, now: now ?? scope.now, ...found, ownNames: ownNamesOf(observed) };
  const confident = isAnswered(ctx.ports.embedder, judged);
  return { context, tokens, confident, items, profile: profileOf(known, now ?? ctx.clock()) };
}

/** What was observed in a range of time: what is outside of it closes nothing. */
function observedWithin(observed: StoredFact[], { occurred_after = "", occurred_before = "" }: SearchFilters) {
  const [after, before] = [Date.parse(occurred_after), Date.parse(occurred_before)];
  return observed.filter(({ observed_at }) => {
    const at = Date.parse(observed_at);
    return !(at < after) && !(at > before);
  });
}

/**
 * What was observed that the block may turn on: slots of the nearest memories that were spoken of more than once or that
 * belong to a profile, and what the user asked the assistant to do.
 */
function concerning({ semantic, keyword }: SearchAnswer, observed: StoredFact[]): StoredFact[] {
  const near = new Set([...semantic.slice(0, MAX_JUDGED), ...keyword.slice(0, MAX_JUDGED)].map(({ id }) => id));
  // A statement that no rule takes apart is of no attribute, and nothing takes its place.
  const stated = observed.filter(({ attribute }) => attribute !== "");
  return [...Map.groupBy(stated, slotOf).values()].flatMap((slot) => {
    if (slot.some(({ attribute }) => attribute === INSTRUCTION)) return slot;
    const matters = slot.length > 1 || slot.some(isOfProfile);
    return matters && slot.some(({ memory_id }) => near.has(memory_id)) ? slot : [];
  });
}

/** Of a memory the fact that holds most of the query's words, if it states any that does. */
function factFinder(observed: StoredFact[], query: string): (memory: string) => string | undefined {
  const asked = new Set(analyse(query));
  const byMemory = Map.groupBy(observed, ({ memory_id }) => memory_id);
  return (memory) => {
    let best: { id: string; shared: number } | undefined;
    for (const { id, content, attribute } of byMemory.get(memory) ?? []) {
      const terms = new Set(analyse(`${attribute.replaceAll("_", " ")} ${content}`));
      const shared = [...terms].filter((term) => asked.has(term)).length;
      if (shared > (best?.shared ?? 0)) best = { id, shared };
    }
    return best?.id;
  };
}

/** What only gives a line its context comes after it. */
function orderOf({ why }: RecalledItem): number {
  return why.path === "found" ? 0 : 1;
}

function toItem({ id, label, role, score, hit, document }: LabelledLine, fact_id: string | undefined): RecalledItem {
  const why = { words: hit?.keywordScore ?? 0, meaning: hit?.semanticScore ?? 0, path: role };
  return { label, memory_id: id, fact_id, score, why, document, hit };
}

/** What the user is called by their own account, folded. */
function ownNamesOf(observed: StoredFact[]): Set<string> {
  const names = observed.filter(({ subject, attribute }) => subject === USER && OWN_NAMES.has(attribute));
  return new Set(names.flatMap(({ value }) => words(value).map(({ folded }) => folded)));
}
