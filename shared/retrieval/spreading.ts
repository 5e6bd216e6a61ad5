import { occurredMs } from "../kernel/event-time.ts";
import type { NeighbourRequest, SearchIndex, SearchScope, SearchSource } from "../platform/ports.ts";
import {
  type Activation,
  type ActivationParameters,
  activate,
  type Edge,
  type PathStep,
  strengthOf,
} from "./activation.ts";
import { byScoreThenId, evidence, type FusionWeights, type Ranked } from "./fusion.ts";

export interface SpreadingRequest {
  /** What the search found: the seeds, each as strong as the evidence of its own words and meaning. */
  ranked: Ranked[];
  weights: FusionWeights;
  /** Whatever activation adds is in it too. */
  scope: SearchScope;
  parameters: ActivationParameters;
}

export interface SpreadRanked extends Ranked {
  /** Strength of the memory's activation, 0..1. */
  activationScore: number;
  /** Hops of the strongest way to it; 0 where that is the search itself. */
  hop: number;
  /** The strongest way from a seed, memories and entities. */
  path: PathStep[];
}

export interface Spread {
  /** Best first, ties by id. */
  ranked: SpreadRanked[];
  stats: Activation["stats"];
}

/** Memories on either side of one that it activates. */
const REACH = 2;
/** An entity that more memories name says as little about them as a stop word. */
const MOST_MEMBERS = 30;
/** Time after which a memory reminds of its neighbour half as much. */
const HALF_LIFE_MS = 3_600_000;
const LAMBDA = Math.LN2 / HALF_LIFE_MS;
/** How far activation closes the gap between a memory's own score and 1. */
const ACTIVATION_SHARE = 0.1;
/** The score of a memory that activation alone found, as a share of its activation. */
const FOUND_SHARE = 0.6;

/**
 * Spreads activation from what a search found: it reaches the memories right before and after in the same session, and
 * through the entities that memories name. It adds memories and refines the order of those found. Each hop is one query.
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
    const score = scoreOf(seed?.score, activationScore);
    return { id: node, document, score, semanticScore, keywordScore, activationScore, hop, path };
  });
  return { ranked: ranked.sort(byScoreThenId), stats };
}

function scoreOf(own: number | undefined, activation: number): number {
  return own === undefined ? FOUND_SHARE * activation : own + (1 - own) * ACTIVATION_SHARE * activation;
}

/** The graph of memories and entities, read as far as it is asked for. */
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
    const limits = { reach: REACH, mostMembers: MOST_MEMBERS };
    const found = await this.#index.neighbours({ ...this.#scope, documents, entities, ...limits });
    for (const document of found.documents) this.#documents.set(document.id, document);
    for (const [entity, members] of found.members) this.#members.set(entity, members);
    return found.inTime;
  }

  #fromMemory(memory: SearchSource, inTime: string[]): Edge[] {
    const toEntities = memory.entity_ids.filter((entity) => (this.#members.get(entity)?.length ?? 0) > 1);
    const since = occurredMs(memory);
    const toNeighbours = inTime.map((id) => {
      const neighbour = occurredMs(this.#documents.get(id) ?? memory);
      return { to: id, weight: Math.exp(-LAMBDA * Math.abs(neighbour - since)) };
    });
    return [...toNeighbours, ...toEntities.map((to) => ({ to, weight: 1 }))];
  }

  #toMembers(entity: string): Edge[] {
    return (this.#members.get(entity) ?? []).map((to) => ({ to, weight: 1 }));
  }
}
