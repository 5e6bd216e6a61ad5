import fc from "fast-check";
import { expect, test } from "vitest";
import { type ActivationParameters, activate, type Edge, gate, strengthOf } from "./activation.ts";

const DEFAULTS: ActivationParameters = { maxHops: 3, decayFactor: 0.85, threshold: 0, budget: 1 };
/** The activation that a lone node of activation 1 passes to one neighbour in a hop, at the default decay. */
const PASSED_SHARE = 0.5 * 0.85;
const CONTEXT_WEIGHT = 4;

type Graph = Record<string, Edge[]>;

/** Returns a graph with bidirectional edges of weight 1, written "a-b a-c". */
function graphOf(edges: string): Graph {
  const graph: Graph = {};
  for (const [from = "", to = ""] of edges.split(" ").map((edge) => edge.split("-"))) {
    graph[from] = [...(graph[from] ?? []), { to, weight: 1 }];
    graph[to] = [...(graph[to] ?? []), { to: from, weight: 1 }];
  }
  return graph;
}

async function run(graph: Graph, seeds: Record<string, number>, parameters: Partial<ActivationParameters> = {}) {
  const asked: string[][] = [];
  const neighbourhood = async (nodes: string[]) => {
    asked.push(nodes);
    return new Map(nodes.flatMap((node) => (graph[node] ? [[node, graph[node]] as const] : [])));
  };
  const activation = await activate(new Map(Object.entries(seeds)), neighbourhood, { ...DEFAULTS, ...parameters });
  const byNode = Object.fromEntries(activation.nodes.map((node) => [node.node, node]));
  return { ...activation, byNode, asked };
}

test("gates evidence: none stays none, full stays full, weak hardly counts", () => {
  expect(gate(0)).toBe(0);
  expect(gate(1)).toBe(1);
  expect(gate(0.5)).toBeCloseTo(0.5);
  expect(gate(0.2)).toBeLessThan(0.15);
  expect(gate(0.8)).toBeGreaterThan(0.85);
});

test("spreads nothing and asks nothing without hops", async () => {
  const { nodes, asked, stats } = await run(graphOf("a-b"), { a: 1, c: 0.5 }, { maxHops: 0 });
  expect(nodes.map(({ node, hop }) => [node, hop])).toEqual([
    ["a", 0],
    ["c", 0],
  ]);
  expect(asked).toEqual([]);
  expect(stats).toMatchObject({ initialNodes: 2, activatedNodes: 2, totalHops: 0, propagationEfficiency: 0 });
});

test("divides what a node passes on among its neighbours, and takes the decay once a hop", async () => {
  const { byNode } = await run(graphOf("a-b a-c b-d"), { a: 1 }, { maxHops: 2 });
  const first = PASSED_SHARE / 2;
  expect(byNode.b?.activation).toBeCloseTo(CONTEXT_WEIGHT * first);
  expect(byNode.c?.activation).toBeCloseTo(CONTEXT_WEIGHT * first);
  expect(byNode.d?.activation).toBeCloseTo((CONTEXT_WEIGHT * (first * PASSED_SHARE)) / 2);
  const half = await run(graphOf("a-b"), { a: 1 }, { maxHops: 1, decayFactor: 0.5 });
  expect(half.byNode.b?.activation).toBeCloseTo(CONTEXT_WEIGHT * 0.25);
});

test("takes the weight of an edge", async () => {
  const { byNode } = await run({ a: [{ to: "b", weight: 0.25 }] }, { a: 1 }, { maxHops: 1 });
  expect(byNode.b?.activation).toBeCloseTo((CONTEXT_WEIGHT * PASSED_SHARE) / 4);
});

test("fires everything of a step before anything arrives, whatever the order of the seeds", async () => {
  const graph = graphOf("a-b b-c c-d");
  const forwards = await run(graph, { a: 0.9, b: 0.8, c: 0.7 });
  const backwards = await run(graph, { c: 0.7, b: 0.8, a: 0.9 });
  for (const { node, activation, path } of forwards.nodes) {
    expect(backwards.byNode[node]?.activation).toBeCloseTo(activation, 12);
    expect(backwards.byNode[node]?.path.map((step) => step.node)).toEqual(path.map((step) => step.node));
  }
});

test("adds up what comes from several sides", async () => {
  const { nodes } = await run(graphOf("a-m b-m a-x"), { a: 0.9, b: 0.9 }, { maxHops: 1 });
  expect(nodes.map(({ node }) => node)).toEqual(["m", "a", "b", "x"]);
});

test("answers the strongest way to a node, node by node", async () => {
  const { byNode } = await run(graphOf("weak-m strong-m m-end"), { strong: 1, weak: 0.6 });
  expect(byNode.end?.path.map(({ node, hop }) => [node, hop])).toEqual([
    ["strong", 0],
    ["m", 1],
    ["end", 2],
  ]);
  expect(byNode.end?.hop).toBe(2);
  const activations = byNode.end?.path.map(({ activation }) => activation) ?? [];
  expect(activations).toEqual(activations.toSorted((a, b) => b - a));
  expect(byNode.strong).toMatchObject({ hop: 0, path: [{ node: "strong", hop: 0 }] });
});

test("stops at the hops allowed", async () => {
  const chain = graphOf("a-b b-c c-d d-e e-f f-g");
  const { byNode, stats, asked } = await run(chain, { a: 1 }, { maxHops: 5 });
  expect(byNode.f?.hop).toBe(5);
  expect(byNode.g).toBeUndefined();
  expect(stats.totalHops).toBe(5);
  expect(asked).toHaveLength(5);
});

test("leaves nodes below the threshold out, and lets them pass nothing on", async () => {
  const weak = await run(graphOf("a-b b-c c-d"), { a: 1 }, { threshold: 0.5, maxHops: 5 });
  expect(Object.keys(weak.byNode).sort()).toEqual(["a", "b"]);
  expect(weak.nodes.every(({ activation }) => strengthOf(activation) >= 0.5)).toBe(true);
  expect(weak.stats.propagationEfficiency).toBeLessThan(1);
  const none = await run(graphOf("a-b"), { a: 0.05 }, { threshold: 0.5 });
  expect(none).toMatchObject({ nodes: [], asked: [], stats: { initialNodes: 0, totalHops: 0 } });
});

test("passes on no more than the budget", async () => {
  const arrived = async (budget: number) => {
    const { nodes } = await run(graphOf("a-b b-c c-d d-e"), { a: 1 }, { budget, maxHops: 5 });
    const total = nodes.reduce((sum, { activation }) => sum + activation, 0);
    return (total - gate(1)) / CONTEXT_WEIGHT;
  };
  expect(await arrived(0)).toBe(0);
  expect(await arrived(0.1)).toBeCloseTo(0.1);
  expect(await arrived(0.5)).toBeCloseTo(0.5);
  expect(await arrived(1)).toBeLessThan(1);
  expect(await arrived(1)).toBeCloseTo(await arrived(100));
});

test("follows no more than 30 edges of a node and fires no more than 20 nodes a step", async () => {
  const hub = { hub: Array.from({ length: 40 }, (_, i) => ({ to: `n${i}`, weight: i / 40 })) };
  const { nodes } = await run(hub, { hub: 1 }, { maxHops: 1 });
  expect(nodes.map(({ node }) => node).filter((node) => node !== "hub")).toHaveLength(30);
  expect(nodes.some(({ node }) => node === "n39")).toBe(true);
  const crowd = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`s${i}`, 0.5 + i / 1000]));
  const { asked } = await run(graphOf("s0-x"), crowd);
  expect(asked[0]).toHaveLength(20);
  expect(asked[0]).toContain("s49");
  expect(asked[0]).not.toContain("s0");
});

test("lets the strongest inhibit the weak", async () => {
  const graph = graphOf("weak-x strong-y");
  const alone = await run(graph, { weak: 0.4 }, { maxHops: 1 });
  const beside = await run(graph, { weak: 0.4, strong: 1 }, { maxHops: 1 });
  expect(beside.byNode.x?.activation).toBeLessThan(alone.byNode.x?.activation ?? 0);
});

test("on any graph: seeds keep what they have, ways begin at a seed, and all is counted", async () => {
  const nodes = ["a", "b", "c", "d", "e", "f"];
  const edges = fc.array(fc.tuple(fc.constantFrom(...nodes), fc.constantFrom(...nodes)), { maxLength: 15 });
  const seeds = fc.dictionary(fc.constantFrom(...nodes), fc.double({ min: 0, max: 1, noNaN: true }));
  const parameters = fc.record({
    maxHops: fc.nat(5),
    decayFactor: fc.double({ min: 0, max: 1, noNaN: true }),
    budget: fc.double({ min: 0, max: 2, noNaN: true }),
  });
  await fc.assert(
    fc.asyncProperty(edges, seeds, parameters, async (pairs, evidence, given) => {
      const graph = graphOf(pairs.map((pair) => pair.join("-")).join(" "));
      const { nodes: found, byNode, stats } = await run(graph, evidence, given);
      for (const [node, strength] of Object.entries(evidence)) {
        expect(byNode[node]?.activation).toBeGreaterThanOrEqual(gate(strength));
      }
      for (const { node, hop, path } of found) {
        expect(path[0]?.node).toSatisfy((first: string) => first in evidence);
        expect(path.at(-1)?.node).toBe(node);
        expect(path.map((step) => step.hop)).toEqual(Array.from({ length: hop + 1 }, (_, i) => i));
      }
      expect(stats.activatedNodes).toBe(found.length);
      expect(stats.totalHops).toBeLessThanOrEqual(given.maxHops);
      expect(stats.propagationEfficiency).toBeLessThanOrEqual(1 + 1e-9);
    }),
  );
});
