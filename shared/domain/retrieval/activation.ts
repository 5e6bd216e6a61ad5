import { compareTexts } from "../../kernel/strings.ts";
/**
 * Spreading activation (Collins & Loftus 1975; fan effect after Anderson 1983) in synchronous steps over a graph. The
 * graph is read only as far as activation spreads. Pure except for the neighbourhood function.
 */

export interface Edge {
  to: string;
  /** 0..1 */
  weight: number;
}

/** Returns the edges of the given nodes, without nodes that have none. Called once per hop. */
export type Neighbourhood = (nodes: string[]) => Promise<Map<string, Edge[]>>;

export interface ActivationParameters {
  /** Maximum number of hops; with 0 nothing spreads. */
  maxHops: number;
  /** Share of an activation that remains after each hop, 0..1. */
  decayFactor: number;
  /** Minimum strength (0..1) of a node that passes activation on and is returned. */
  threshold: number;
  /** Seeds that are returned even below the threshold; below it, they still pass nothing on. */
  kept?: ReadonlySet<string>;
  /**
   * Maximum total activation passed on, as a multiple of the seeds' initial activation. With 1, only the decay limits
   * the flow.
   */
  budget: number;
}

/** One node of the strongest path to a node: the activation that arrived at it, and the number of hops. */
export interface PathStep {
  node: string;
  activation: number;
  hop: number;
}

export interface ActivatedNode {
  node: string;
  /** Initial activation plus CONTEXT_WEIGHT times the arrived activation; at least 0. */
  activation: number;
  /** Hops of the strongest path from a seed; 0 for a seed that has no stronger path from another seed. */
  hop: number;
  path: PathStep[];
}

export interface Activation {
  /** By descending activation, then by id; nodes below the threshold are left out unless they are in `kept`. */
  nodes: ActivatedNode[];
  stats: {
    /** Seeds that could pass activation on. */
    initialNodes: number;
    activatedNodes: number;
    /** Hops in which activation was passed on. */
    totalHops: number;
    /** Share of the passed activation that ended up in returned nodes; 0 if none was passed. */
    propagationEfficiency: number;
  };
}

/** Share of its activation that a node passes on, divided among its neighbours. */
const SPREAD_SHARE = 0.5;
/**
 * Weight of arrived activation relative to a seed's own: it arrives divided, and context is worth more than one share.
 */
const CONTEXT_WEIGHT = 4;
/** Maximum number of nodes that pass activation on in one hop, strongest first; it bounds the cost of a hop. */
const MAX_ACTIVE_NODES = 20;
/** Maximum number of edges followed per node, heaviest first. */
const MAX_NEIGHBOURS = 30;
/** Lateral inhibition: each of the INHIBITORS strongest nodes takes this share of its lead from every weaker node. */
const INHIBITORS = 7;
const INHIBITION = 0.05;
/** The sigmoid gate: its steepness, and the evidence at its midpoint. */
const GATE_STEEPNESS = 5;
const GATE_MIDPOINT = 0.5;

/**
 * Spreads activation from the seeds (evidence in 0..1 by node). A seed starts with its gated evidence. At each hop u_i
 * = sum over j of SPREAD_SHARE * decayFactor * w_ji * u_j / fan(j), where u_j is what arrived at j in the previous hop,
 * after lateral inhibition: only newly arrived activation is passed on, so nothing counts twice. a_i = seed_i +
 * CONTEXT_WEIGHT * sum of u_i.
 */
export async function activate(
  seeds: Map<string, number>,
  neighbourhood: Neighbourhood,
  parameters: ActivationParameters,
): Promise<Activation> {
  const spreading = new Spreading(seeds, parameters);
  const initialNodes = spreading.active().length;
  let totalHops = 0;
  while (totalHops < parameters.maxHops) {
    const active = spreading.active();
    if (active.length === 0 || spreading.isSpent) break;
    const edges = await neighbourhood(active.map(({ step }) => step.node));
    if (edges.size === 0) break;
    spreading.pass(active, edges);
    totalHops++;
  }
  return spreading.result(initialNodes, totalHops);
}

/** Returns the strength of an activation in 0..1: 1 - e^-activation. */
export function strengthOf(activation: number): number {
  return 1 - Math.exp(-activation);
}

/** Returns evidence after a sigmoid gate that maps 0 to 0 and 1 to 1, so that weak evidence hardly counts. */
export function gate(evidence: number): number {
  const sigmoid = (x: number) => 1 / (1 + Math.exp(-GATE_STEEPNESS * (x - GATE_MIDPOINT)));
  return (sigmoid(evidence) - sigmoid(0)) / (sigmoid(1) - sigmoid(0));
}

/** A step of a path, and the path before it. */
interface Path {
  step: PathStep;
  before: Path | undefined;
}

interface NodeState {
  seed: number;
  arrived: number;
  /** The strongest path to the node. */
  path: Path;
}

/** The state of one activation: the activation of every node, and the front (what arrived in the last hop). */
class Spreading {
  readonly #threshold: number;
  readonly #kept: ReadonlySet<string>;
  readonly #passedShare: number;
  readonly #nodes = new Map<string, NodeState>();
  readonly #budget: number;
  #front: Path[] = [];
  #passed = 0;

  constructor(seeds: Map<string, number>, { threshold, decayFactor, budget, kept }: ActivationParameters) {
    this.#threshold = threshold;
    this.#kept = kept ?? new Set();
    this.#passedShare = SPREAD_SHARE * decayFactor;
    for (const [node, evidence] of seeds) {
      const seed = gate(evidence);
      const path = { step: { node, activation: seed, hop: 0 }, before: undefined };
      this.#nodes.set(node, { seed, arrived: 0, path });
      this.#front.push(path);
    }
    this.#budget = budget * this.#front.reduce((sum, { step }) => sum + step.activation, 0);
  }

  get isSpent(): boolean {
    return this.#passed >= this.#budget;
  }

  /** Returns the strongest nodes of the front that can pass activation on, after lateral inhibition. */
  active(): Path[] {
    const candidates = this.#front.filter(({ step }) => this.#isAbove(step.node)).sort(byActivation);
    const leaders = candidates.slice(0, INHIBITORS);
    const leadOver = (activation: number) =>
      leaders.reduce((sum, { step }) => sum + Math.max(0, step.activation - activation), 0);
    return candidates
      .map(({ step, before }) => {
        const activation = step.activation - INHIBITION * leadOver(step.activation);
        return { step: { ...step, activation }, before };
      })
      .filter(({ step }) => step.activation > 0)
      .slice(0, MAX_ACTIVE_NODES);
  }

  /** Performs one synchronous hop: all active nodes pass activation on before any of it arrives. */
  pass(active: Path[], edges: Map<string, Edge[]>): void {
    const arrivals = new Map<string, Arrival>();
    for (const from of active) {
      const followed = heaviest(edges.get(from.step.node) ?? []);
      for (const { to, weight } of followed) {
        const share = (this.#passedShare * weight * from.step.activation) / followed.length;
        const passed = Math.min(share, this.#budget - this.#passed);
        this.#passed += passed;
        arrive(arrivals, to, from, passed);
      }
    }
    this.#front = [...arrivals].map(([node, { activation, from }]) => ({
      step: { node, activation, hop: from.step.hop + 1 },
      before: from,
    }));
    for (const path of this.#front) this.#keep(path);
  }

  #keep(path: Path): void {
    const state = this.#nodes.get(path.step.node) ?? { seed: 0, arrived: 0, path };
    state.arrived += path.step.activation;
    if (path.step.activation > state.path.step.activation) state.path = path;
    this.#nodes.set(path.step.node, state);
  }

  #isAbove(node: string): boolean {
    const state = this.#nodes.get(node);
    return state !== undefined && strengthOf(activationOf(state)) >= this.#threshold;
  }

  result(initialNodes: number, totalHops: number): Activation {
    const returned = [...this.#nodes].filter(([node]) => this.#kept.has(node) || this.#isAbove(node));
    const nodes = returned
      .map(([node, state]) => {
        const path = stepsOf(state.path);
        return { node, activation: activationOf(state), hop: state.path.step.hop, path };
      })
      .sort((a, b) => b.activation - a.activation || compareTexts(a.node, b.node));
    const arrivedSum = returned.reduce((sum, [, { arrived }]) => sum + arrived, 0);
    // Both sums are rounded, so their ratio may slightly exceed 1.
    const propagationEfficiency = this.#passed === 0 ? 0 : Math.min(1, arrivedSum / this.#passed);
    return { nodes, stats: { initialNodes, activatedNodes: nodes.length, totalHops, propagationEfficiency } };
  }
}

/** The activation that arrives at a node in one hop, and the path that brings most of it. */
interface Arrival {
  activation: number;
  from: Path;
  max: number;
}

function arrive(arrivals: Map<string, Arrival>, node: string, from: Path, passed: number): void {
  const arrival = arrivals.get(node) ?? { activation: 0, from, max: passed };
  arrival.activation += passed;
  if (passed > arrival.max) {
    arrival.from = from;
    arrival.max = passed;
  }
  arrivals.set(node, arrival);
}

function activationOf({ seed, arrived }: NodeState): number {
  return seed + CONTEXT_WEIGHT * arrived;
}

function heaviest(edges: Edge[]): Edge[] {
  if (edges.length <= MAX_NEIGHBOURS) return edges;
  return edges.toSorted((a, b) => b.weight - a.weight).slice(0, MAX_NEIGHBOURS);
}

function byActivation(a: Path, b: Path): number {
  return b.step.activation - a.step.activation || compareTexts(a.step.node, b.step.node);
}

function stepsOf(path: Path): PathStep[] {
  const steps: PathStep[] = [];
  for (let current: Path | undefined = path; current !== undefined; current = current.before) steps.push(current.step);
  return steps.reverse();
}
