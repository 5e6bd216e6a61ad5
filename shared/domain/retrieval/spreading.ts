import { occurredMs } from "../../kernel/event-time.ts";
import type { NeighbourRequest, SearchIndex, SearchScope, SearchSource } from "../../ports/search-index.ts";
import {
  type Activation,
  type ActivationParameters,
  activate,
  type Edge,
  type PathStep,
  strengthOf,
} from "./activation.ts";
import { byScoreThenId, evidence, type FusionWeights, type Ranked } from "./ranking/fusion.ts";

export interface SpreadingRequest {
  /** The search's hits: the seeds of the activation. Their initial strength is their keyword and semantic evidence. */
  ranked: Ranked[];
  weights: FusionWeights;
  /** Also restricts the memories that activation adds. */
  scope: SearchScope;
  parameters: ActivationParameters;
}

export interface SpreadRanked extends Ranked {
  /** Strength of the memory's activation, 0..1. */
  activationScore: number;
  /** Number of hops of the strongest path to it; 0 for a seed that is strongest by itself. */
  hop: number;
  /** The strongest path from a seed, through memories and entities. */
  path: PathStep[];
}

export interface Spread {
  /** Best first, ties by id. */
  ranked: SpreadRanked[];
  stats: Activation["stats"];
}

/** Number of memories before and after it in the session that a memory activates. */
const REACH = 2;
/** An entity named by more memories says as little about them as a stop word. */
const MAX_MEMBERS = 30;
/** Time distance between two neighbours at which the activation between them halves. */
const HALF_LIFE_MS = 3_600_000;
const LAMBDA = Math.LN2 / HALF_LIFE_MS;
/** Share of the gap between a memory's own score and 1 that activation closes. */
const ACTIVATION_SHARE = 0.1;
/** The score of a memory found by activation alone, as a share of its activation. */
const FOUND_SHARE = 0.6;

/**
 * Spreads activation from a search's hits: to the memories right before and after in the same session, and through the
 * entities that memories name. It adds memories and refines the order of the hits. Each hop is one query.
 */
export async function spread(index: Pick<SearchIndex, "neighbours">, request: SpreadingRequest): Promise<Spread> {
  const { ranked: seeds, weights, scope, parameters } = request;
  const graph = new MemoryGraph(
    index,
    scope,
    seeds.map(({ document }) => document),
  );
  const strengths = new Map(
    seeds.map(({ id, semanticScore, keywordScore }) => [id, evidence(semanticScore, keywordScore, weights)]),
  );
  const { nodes, stats } = await activate(strengths, (asked) => graph.edgesOf(asked), parameters);
  const found = new Map(seeds.map((seed) => [seed.id, seed]));
  const ranked = nodes.flatMap(({ node, activation, hop, path }) => {
    const document = graph.document(node);
    if (document === undefined) return [];
    const activationScore = strengthOf(activation);
    const seed = found.get(node);
    const { semanticScore = 0, keywordScore = 0 } = seed ?? {};
    const score = seed
      ? seed.score + (1 - seed.score) * ACTIVATION_SHARE * activationScore
      : FOUND_SHARE * activationScore;
    return { id: node, document, score, semanticScore, keywordScore, activationScore, hop, path };
  });
  return { ranked: ranked.sort(byScoreThenId), stats };
}

/** The graph of memories and entities, loaded as far as it is needed. */
class MemoryGraph {
  readonly #index: Pick<SearchIndex, "neighbours">;
  readonly #scope: SearchScope;
  readonly #documents: Map<string, SearchSource>;
  readonly #members = new Map<string, string[]>();

  constructor(index: Pick<SearchIndex, "neighbours">, scope: SearchScope, documents: SearchSource[]) {
    this.#index = index;
    this.#scope = scope;
    this.#documents = new Map(documents.map((document) => [document.id, document]));
  }

  document(node: string): SearchSource | undefined {
    return this.#documents.get(node);
  }

  /** Returns the edges of the nodes that have any, by node. Reads neighbours that are not loaded yet. */
  async edgesOf(nodes: string[]): Promise<Map<string, Edge[]>> {
    const memories = nodes.flatMap((node) => this.#documents.get(node) ?? []);
    const entities = new Set(memories.flatMap(({ entity_ids }) => entity_ids).filter((id) => !this.#members.has(id)));
    const inTime = await this.#read(memories, [...entities]);
    const edges = nodes.map((node): [string, Edge[]] => {
      const memory = this.#documents.get(node);
      return [node, memory === undefined ? this.#toMembers(node) : this.#fromMemory(memory, inTime.get(node) ?? [])];
    });
    return new Map(edges.filter(([, found]) => found.length > 0));
  }

  async #read(documents: NeighbourRequest["documents"], entities: string[]): Promise<Map<string, string[]>> {
    if (documents.length === 0) return new Map();
    const limits = { reach: REACH, maxMembers: MAX_MEMBERS };
    const found = await this.#index.neighbours({ ...this.#scope, documents, entities, ...limits });
    for (const document of found.documents) this.#documents.set(document.id, document);
    for (const [entity, members] of found.members) this.#members.set(entity, members);
    return found.inTime;
  }

  #fromMemory(memory: SearchSource, inTime: string[]): Edge[] {
    const toEntities = memory.entity_ids.filter((entity) => (this.#members.get(entity)?.length ?? 0) > 1);
    const time = occurredMs(memory);
    const toNeighbours = inTime.map((id) => {
      const neighbourTime = occurredMs(this.#documents.get(id) ?? memory);
      return { to: id, weight: Math.exp(-LAMBDA * Math.abs(neighbourTime - time)) };
    });
    return [...toNeighbours, ...toEntities.map((to) => ({ to, weight: 1 }))];
  }

  #toMembers(entity: string): Edge[] {
    return (this.#members.get(entity) ?? []).map((to) => ({ to, weight: 1 }));
  }
}
