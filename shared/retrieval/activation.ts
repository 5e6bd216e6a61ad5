/**
 * Spreading activation (Collins & Loftus 1975; fan effect after Anderson 1983) in synchronous steps over a graph that is
 * read as far as activation gets. Pure but for the neighbourhood it is given.
 */

export interface Edge {
  to: string;
  /** 0..1 */
  weight: number;
}

/** Where activation can go. Answers the edges of each node asked for that has any; one call a step. */
export type Neighbourhood = (nodes: string[]) => Promise<Map<string, Edge[]>>;

export interface ActivationParameters {
  /** Steps taken at most; with 0 nothing spreads. */
  maxHops: number;
  /** Share that is left of an activation with each hop, 0..1. */
  decayFactor: number;
  /** Least strength (0..1) of a node that passes activation on and is answered. */
  threshold: number;
  /** Seeds that are answered however weak they are; they pass on no more for it. */
  kept?: ReadonlySet<string>;
  /** Most activation passed on in all, as a multiple of what the seeds start with. With 1 all flows that the decay leaves. */
  budget: number;
}

/** One node of the strongest way to a node: what arrived at it, and after how many hops. */
export interface PathStep {
  node: string;
  activation: number;
  hop: number;
}

export interface ActivatedNode {
  node: string;
  /** What it started with and CONTEXT_WEIGHT times what arrived; at least 0. */
  activation: number;
  /** Hops of the strongest way from a seed; 0 for a seed that no way excels. */
  hop: number;
  path: PathStep[];
}

export interface Activation {
  /** The strongest first, ties by id; those below the threshold are left out unless they are kept. */
  nodes: ActivatedNode[];
  stats: {
    /** Seeds that could spread. */
    initialNodes: number;
    activatedNodes: number;
    /** Steps in which something was passed on. */
    totalHops: number;
    /** Share of the activation passed on that ended up in nodes that are answered; 0 when nothing was. */
    propagationEfficiency: number;
  };
}

/** Share of its activation that a node passes on, divided among its neighbours. */
const SPREAD_SHARE = 0.5;
/** How much arrived activation counts beside a seed's own: it comes divided, and context is worth more than one share. */
const CONTEXT_WEIGHT = 4;
/** Nodes that pass on in one step, the strongest; it bounds the cost of a hop. */
const MOST_FIRING = 20;
/** Edges of a node that are followed, the heaviest. */
const MOST_NEIGHBOURS = 30;
/** Lateral inhibition: each of the so many strongest takes this share of its lead from every weaker node. */
const INHIBITORS = 7;
const INHIBITION = 0.05;
/** The sigmoid gate: how steep it is and what evidence passes half open. */
const GATE_STEEPNESS = 5;
const GATE_MIDPOINT = 0.5;

/**
 * Lets activation spread from the seeds (evidence in 0..1 by node). A seed starts with its gated evidence. At each step
 * u_i = sum over j of SPREAD_SHARE * decayFactor * w_ji * u_j / fan(j), where u_j is what arrived at j in the step before,
 * after lateral inhibition: only news is passed on, so nothing counts twice. a_i = seed_i + CONTEXT_WEIGHT * sum of u_i.
 */
export async function activate(
  seeds: Map<string, number>,
  neighbourhood: Neighbourhood,
  parameters: ActivationParameters,
): Promise<Activation> {
  const spreading = new Spreading(seeds, parameters);
  const initialNodes = spreading.firing().length;
  let totalHops = 0;
  while (totalHops < parameters.maxHops) {
    const firing = spreading.firing();
    if (firing.length === 0 || spreading.isSpent) break;
    const edges = await neighbourhood(firing.map(({ step }) => step.node));
    if (edges.size === 0) break;
    spreading.pass(firing, edges);
    totalHops++;
  }
  return spreading.result(initialNodes, totalHops);
}

/** How strong an activation is, in 0..1: 1 - e^-activation. */
export function strengthOf(activation: number): number {
  return 1 - Math.exp(-activation);
}

/** The sigmoid gate, scaled so that no evidence gives 0 and full evidence 1: weak evidence hardly counts. */
export function gate(evidence: number): number {
  const sigmoid = (x: number) => 1 / (1 + Math.exp(-GATE_STEEPNESS * (x - GATE_MIDPOINT)));
  return (sigmoid(evidence) - sigmoid(0)) / (sigmoid(1) - sigmoid(0));
}

/** A step on a way, and the way to it. */
interface Way {
  step: PathStep;
  before: Way | undefined;
}

interface NodeState {
  seed: number;
  arrived: number;
  /** The strongest way to the node. */
  way: Way;
}

/** The state of one activation: what every node has, and the front of what arrived last. */
class Spreading {
  readonly #threshold: number;
  readonly #kept: ReadonlySet<string>;
  readonly #passedShare: number;
  readonly #nodes = new Map<string, NodeState>();
  readonly #budget: number;
  #front: Way[] = [];
  #passed = 0;

  constructor(seeds: Map<string, number>, { threshold, decayFactor, budget, kept }: ActivationParameters) {
    this.#threshold = threshold;
    this.#kept = kept ?? new Set();
    this.#passedShare = SPREAD_SHARE * decayFactor;
    for (const [node, evidence] of seeds) {
      const seed = gate(evidence);
      const way = { step: { node, activation: seed, hop: 0 }, before: undefined };
      this.#nodes.set(node, { seed, arrived: 0, way });
      this.#front.push(way);
    }
    this.#budget = budget * this.#front.reduce((sum, { step }) => sum + step.activation, 0);
  }

  get isSpent(): boolean {
    return this.#passed >= this.#budget;
  }

  /** The strongest of the front that pass something on, after lateral inhibition. */
  firing(): Way[] {
    const able = this.#front.filter(({ step }) => this.#isAbove(step.node)).sort(byActivation);
    const leaders = able.slice(0, INHIBITORS);
    const leadOver = (activation: number) =>
      leaders.reduce((sum, { step }) => sum + Math.max(0, step.activation - activation), 0);
    return able
      .map(({ step, before }) => {
        const activation = step.activation - INHIBITION * leadOver(step.activation);
        return { step: { ...step, activation }, before };
      })
      .filter(({ step }) => step.activation > 0)
      .slice(0, MOST_FIRING);
  }

  /** One synchronous step: everything that fires does so before anything arrives. */
  pass(firing: Way[], edges: Map<string, Edge[]>): void {
    const arrivals = new Map<string, Arrival>();
    for (const from of firing) {
      const followed = heaviest(edges.get(from.step.node) ?? []);
      for (const { to, weight } of followed) {
        const due = (this.#passedShare * weight * from.step.activation) / followed.length;
        const passed = Math.min(due, this.#budget - this.#passed);
        this.#passed += passed;
        arrive(arrivals, to, from, passed);
      }
    }
    this.#front = [...arrivals].map(([node, { activation, from }]) => ({
      step: { node, activation, hop: from.step.hop + 1 },
      before: from,
    }));
    for (const way of this.#front) this.#keep(way);
  }

  #keep(way: Way): void {
    const state = this.#nodes.get(way.step.node) ?? { seed: 0, arrived: 0, way };
    state.arrived += way.step.activation;
    if (way.step.activation > state.way.step.activation) state.way = way;
    this.#nodes.set(way.step.node, state);
  }

  #isAbove(node: string): boolean {
    const state = this.#nodes.get(node);
    return state !== undefined && strengthOf(activationOf(state)) >= this.#threshold;
  }

  result(initialNodes: number, totalHops: number): Activation {
    const answered = [...this.#nodes].filter(([node]) => this.#kept.has(node) || this.#isAbove(node));
    const nodes = answered
      .map(([node, state]) => {
        const path = stepsOf(state.way);
        return { node, activation: activationOf(state), hop: state.way.step.hop, path };
      })
      .sort((a, b) => b.activation - a.activation || (a.node < b.node ? -1 : 1));
    const landed = answered.reduce((sum, [, { arrived }]) => sum + arrived, 0);
    // Both sums round, so that all of it may seem a little more than that.
    const propagationEfficiency = this.#passed === 0 ? 0 : Math.min(1, landed / this.#passed);
    return { nodes, stats: { initialNodes, activatedNodes: nodes.length, totalHops, propagationEfficiency } };
  }
}

/** What arrives at a node in one step, and what brings most of it. */
interface Arrival {
  activation: number;
  from: Way;
  most: number;
}

function arrive(arrivals: Map<string, Arrival>, node: string, from: Way, passed: number): void {
  const arrival = arrivals.get(node) ?? { activation: 0, from, most: passed };
  arrival.activation += passed;
  if (passed > arrival.most) {
    arrival.from = from;
    arrival.most = passed;
  }
  arrivals.set(node, arrival);
}

function activationOf({ seed, arrived }: NodeState): number {
  return seed + CONTEXT_WEIGHT * arrived;
}

function heaviest(edges: Edge[]): Edge[] {
  if (edges.length <= MOST_NEIGHBOURS) return edges;
  return edges.toSorted((a, b) => b.weight - a.weight).slice(0, MOST_NEIGHBOURS);
}

function byActivation(a: Way, b: Way): number {
  return b.step.activation - a.step.activation || (a.step.node < b.step.node ? -1 : 1);
}

function stepsOf(way: Way): PathStep[] {
  const steps: PathStep[] = [];
  for (let at: Way | undefined = way; at !== undefined; at = at.before) steps.push(at.step);
  return steps.reverse();
}
