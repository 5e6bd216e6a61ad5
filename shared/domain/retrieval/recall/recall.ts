import { occurredMs } from "../../../kernel/event-time.ts";
import { termSet, words } from "../../../kernel/text/text.ts";
import { askedSlotsOf } from "../../../language/questions/asked-slots.ts";
import type { Query } from "../../../language/questions/query.ts";
import { questionTimeOf } from "../../../language/questions/question-time.ts";
import { INSTRUCTION, USER } from "../../../language/slots/fact.ts";
import type { SearchAnswer, SearchFilters } from "../../../ports/search-index.ts";
import { isChunk } from "../../memory/chunk-ids.ts";
import type { PlacedFact } from "../../memory/fact-reader.ts";
import { type StoredFact, slotOf } from "../../memory/facts/records.ts";
import type { Memory } from "../../memory/memory.ts";
import type { MemoryReader } from "../../memory/records.ts";
import { onlyUserOf, revealerFor } from "../../memory/reveal-secrets.ts";
import { matchingQuery } from "../../patterns/matching.ts";
import { seenBy, stateOf } from "../../patterns/read-patterns.ts";
import { type Pattern, storedPatterns } from "../../patterns/records.ts";
import { type KnownFacts, latestOfSlots, NO_FACTS, placeStated, type StatingMemory } from "../profiles/known-facts.ts";
import { instructionsOf, profileOf } from "../profiles/profile.ts";
import { embedderOf, isUnrelated } from "../ranking/confidence.ts";
import type { Ranked } from "../ranking/fusion.ts";
import { meaningOf, type RankedInContext, rankInContext } from "../ranking/rank.ts";
import { leadersFirst, restatementsAmong } from "../ranking/restated.ts";
import { semanticScorer } from "../ranking/weighted.ts";
import { type Finder, findHits, type Retrieval } from "../retrieve.ts";
import { baselineOf } from "./baseline.ts";
import type { LabelledLine } from "./block.ts";
import { compose } from "./compose.ts";
import { isAnswered } from "./confidence.ts";
import { DerivedPart } from "./derived.ts";
import type { LineDocument, LineRole } from "./line.ts";
import { loadTokenizer, type Tokenizer } from "./tokenizers.ts";

/** Maximum number of hits per query of the search whose facts are read. */
const MAX_JUDGED = 30;
/** Attributes of the user's own names. */
const OWN_NAMES = new Set(["name", "nickname"]);
/** Slots that matter for every query, whether found or not. */
const STANDING_SLOTS = [INSTRUCTION, ...OWN_NAMES].map((attribute) => slotOf({ subject: USER, attribute }));

export interface RecallRequest extends Pick<Retrieval, "query" | "now" | "asOf" | "signal"> {
  filters: SearchFilters;
  /** Size limit of the context, in the vocabulary of the tokenizer. */
  maxTokens: number;
  tokenizer: Tokenizer;
  /** Minimum score of a line, 0..1. */
  minRelevance?: number | undefined;
  /** Whether to score random memories, too. */
  withBaseline?: boolean;
}

/** Why a line was chosen. */
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
  /** Tokens of its line, with the label and without the heading. */
  tokens: number;
  why: RecallWhy;
  document: LineDocument;
  /** Who stored it; undefined for chunks of sources. */
  writer: Writer | undefined;
  /** The search's hit; undefined for a line that the search did not find. */
  hit: Ranked | undefined;
}

/** The principal that stored a memory, and the agent of its key. */
export interface Writer {
  id: string;
  agent_id?: string | undefined;
}

export function writerOf({ created_by, agent_id }: Pick<Memory, "created_by" | "agent_id">): Writer {
  return { id: created_by, agent_id };
}

/**
 * Returns what is known for a query, as a block of at most `maxTokens` tokens; its items, best first; and a profile:
 * what is known from users' own words and concerns the query; and the best memories that are not in the block. First it reads the index's hits, concurrently with the
 * user's instructions and names and the slots that the query asks about; then the neighbours, concurrently with the
 * facts that the nearest hits state.
 */
export async function recall(
  ctx: MemoryReader & Finder,
  { query, filters, maxTokens, tokenizer, minRelevance, asOf, now, signal, withBaseline = false }: RecallRequest,
) {
  const user = onlyUserOf(filters);
  // A slot has facts of all agents and sessions, and a recall limited to one of them must not return others' facts.
  const slots = user === undefined || filters.where !== undefined ? [] : askedSlotsOf(query);
  const hasPatterns = user !== undefined && asOf === undefined && isWholeUser(filters);
  const [hits, standing, patterns, counter] = await Promise.all([
    findHits(ctx, { query, filters, depth: 0, now, ...(signal && { signal }) }),
    user === undefined ? [] : latestOfSlots(ctx, user, [...new Set([...STANDING_SLOTS, ...slots])]),
    hasPatterns ? storedPatterns(ctx, user) : [],
    loadTokenizer(tokenizer),
  ]);
  const { answer, scope, asked, query: searched, isByWords: isUnembedded } = hits;
  const rankedAt = asOf ?? now ?? scope.now;
  const [ranking, stated, derived] = await Promise.all([
    rankInContext(ctx.ports, { query: searched, answer, scope, now: rankedAt, asked }),
    placeStated(ctx, nearestOf(answer), observedWithin(standing, filters)),
    activeFor(ctx, patterns, query),
  ]);
  const part = new DerivedPart(derived, maxTokens, counter);
  const { ranked, neighbours, known } = await revealFound(ctx, user, ranking, stated);
  const found = { ...ranking, ranked: latestFirst(ranked, query, asOf), neighbours, answer };
  // A caller who reads several users' memories gets nobody's instructions and no mixture of profiles.
  const ofUser = user === undefined ? NO_FACTS : known;
  const instructions = instructionsOf(ofUser);
  const embedder = embedderOf(answer, ctx.ports.embedder);
  const limit = maxTokens - part.tokens;
  // What has nothing to do with the query fills no block, as searches do not show it.
  const minScore = isUnrelated(ctx.ports.embedder, found) ? 1 : minRelevance;
  const limits = { query, slots, asOf, maxTokens: limit, minRelevance: minScore };
  const ownNames = user === undefined ? new Set<string>() : ownNamesOf(known.facts);
  const confident = isAnswered(ctx.ports.embedder, { ...found, ownNames, slots: hits.slots, facts: known.facts });
  const { isLexical: isByWords } = embedder;
  const block = compose({ ...limits, found, known, instructions, counter, isByWords, isAnswered: confident });
  const { lines, leftOut } = block;
  const factOf = factFinder(known.facts, query);
  const scoreOf = semanticScorer(ctx.ports.embedder, found);
  const nearness = (semanticScore: number) => scoreOf(meaningOf(embedder, semanticScore));
  const whyOf = ({ hit, role }: LabelledLine): RecallWhy => ({
    words: hit?.keywordScore ?? 0,
    meaning: hit === undefined ? 0 : nearness(hit.semanticScore),
    path: role,
  });
  const items = lines
    .map((line) => toItem(line, whyOf(line), factOf(line.id), known.memories.get(line.id)))
    .sort((one, other) => other.score - one.score || orderOf(one) - orderOf(other));
  const profile = profileOf(ofUser, now ?? ctx.clock());
  const baseline = withBaseline
    ? await baselineOf(ctx, {
        found: hits,
        now: rankedAt,
        without: new Set(items.map(({ memory_id }) => memory_id)),
        meaningOf: ({ score }) => nearness(score),
      })
    : undefined;
  return { ...part.appendTo(block), confident, items, leftOut, profile, baseline, isByWords: isUnembedded };
}

/** Moves a text that says the same thing anew before the older one, as searches do; facts are compared per line. */
function latestFirst(ranked: Ranked[], query: Query, asOf: number | undefined): Ranked[] {
  const stated = asOf === undefined ? ranked : ranked.filter(({ document }) => occurredMs(document) <= asOf);
  const byId = new Map(ranked.map((hit) => [hit.id, hit]));
  const restated = restatementsAmong(stated, query, asOf === undefined ? questionTimeOf(query) : "now");
  return leadersFirst(ranked, ({ id }) => byId.get(restated.get(id) ?? ""));
}

/** Whether filters select everything of their users: patterns are counted from all memories of a user. */
function isWholeUser({ user_id: _, ...filters }: SearchFilters): boolean {
  return Object.values(filters).every((value) => value === undefined);
}

/** Returns the patterns that the query is about, as far as the reader may see them. */
function activeFor(ctx: MemoryReader, patterns: Pattern[], query: Query): Promise<Pattern[]> {
  const active = patterns.filter((pattern) => stateOf(pattern) === "active");
  return seenBy(ctx, matchingQuery(active, query));
}

/** Returns what was found as its user may see it: what placeholders stand for, if it is about exactly one user. */
async function revealFound(
  ctx: MemoryReader,
  user: string | undefined,
  { ranked, neighbours }: RankedInContext,
  stated: KnownFacts,
) {
  const stating = [...stated.memories.values()].flatMap(({ content, ...memory }) =>
    content === undefined ? [] : [{ ...memory, content }],
  );
  const documents = [...ranked.map(({ document }) => document), ...neighbours.documents];
  const reveal = await revealerFor(ctx, user, [...documents, ...stating]);
  return {
    ranked: ranked.map((hit) => ({ ...hit, document: reveal(hit.document) })),
    neighbours: { ...neighbours, documents: neighbours.documents.map((document) => reveal(document)) },
    known: {
      ...stated,
      memories: new Map([...stated.memories, ...stating.map((memory) => [memory.id, reveal(memory)] as const)]),
    },
  };
}

/** Returns the memories whose facts are read: the nearest by meaning and by keywords. Chunks of sources state none. */
export function nearestOf({ semantic, keyword }: SearchAnswer): string[] {
  const nearest = [...semantic.slice(0, MAX_JUDGED), ...keyword.slice(0, MAX_JUDGED)].map(({ id }) => id);
  return [...new Set(nearest)].filter((id) => !isChunk(id));
}

/** Returns the facts observed in the filters' time range: a fact outside of it must not end another fact. */
function observedWithin(observed: StoredFact[], { occurred_after = "", occurred_before = "" }: SearchFilters) {
  const [after, before] = [Date.parse(occurred_after), Date.parse(occurred_before)];
  return observed.filter(({ observed_at }) => {
    const at = Date.parse(observed_at);
    return !(at < after) && !(at > before);
  });
}

/**
 * Returns a function that finds the id of the memory's fact that shares the most words with the query; undefined if no
 * fact shares a word.
 */
function factFinder(facts: PlacedFact[], query: Query): (memory: string) => string | undefined {
  const asked = query.terms;
  const byMemory = Map.groupBy(facts, ({ memory_id }) => memory_id);
  return (memory) => {
    let best: { id: string; shared: number } | undefined;
    for (const { id, content, attribute } of byMemory.get(memory) ?? []) {
      const terms = termSet(`${attribute.replaceAll("_", " ")} ${content}`);
      const shared = [...terms].filter((term) => asked.has(term)).length;
      if (shared > (best?.shared ?? 0)) best = { id, shared };
    }
    return best?.id;
  };
}

/** Sort key: lines that the search found come first. */
function orderOf({ why }: RecalledItem): number {
  return why.path === "found" ? 0 : 1;
}

function toItem(
  line: LabelledLine,
  why: RecallWhy,
  fact_id: string | undefined,
  memory: StatingMemory | undefined,
): RecalledItem {
  const { id, label, score, tokens, hit, document } = line;
  return { label, memory_id: id, fact_id, score, tokens, why, document, writer: memory && writerOf(memory), hit };
}

/** Returns the user's names from the known facts, folded. */
function ownNamesOf(facts: PlacedFact[]): Set<string> {
  const names = facts.filter(({ subject, attribute }) => subject === USER && OWN_NAMES.has(attribute));
  return new Set(names.flatMap(({ value }) => words(value).map(({ folded }) => folded)));
}
