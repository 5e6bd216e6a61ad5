import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placesOf, QUERY, spreadOf } from "./spread.js";

const found = (score: number, ...path: string[]) => ({
  id: path.at(-1)!,
  content: path.at(-1)!,
  activation_score: score,
  hop_distance: path.length - 1,
  activation_path: path.map((node, hop) => ({ node, activation: 1 / (hop + 1), hop })),
});

const RESULTS = [
  found(0.8, "mem_a"),
  found(0.6, "mem_b"),
  found(0.4, "mem_a", "ent_x", "mem_c"),
  found(0.3, "mem_b", "ent_x", "mem_d"),
];

describe("spreadOf", () => {
  it("merges the paths to all results", () => {
    const { nodes, links } = spreadOf(RESULTS);
    expect(nodes.map(({ id, kind, depth, parent, rank }) => [id, kind, depth, parent, rank])).toEqual([
      [QUERY, "query", 0, undefined, undefined],
      ["mem_a", "memory", 1, QUERY, 1],
      ["mem_b", "memory", 1, QUERY, 2],
      ["ent_x", "entity", 2, "mem_a", undefined],
      ["mem_c", "memory", 3, "ent_x", 3],
      ["mem_d", "memory", 3, "ent_x", 4],
    ]);
    expect(links.map(({ from, to }) => `${from} ${to}`)).toEqual([
      "query mem_a",
      "query mem_b",
      "mem_a ent_x",
      "ent_x mem_c",
      "mem_b ent_x",
      "ent_x mem_d",
    ]);
  });

  it("shows the results' own activation, and the incoming activation of other nodes", () => {
    const activations = spreadOf(RESULTS).nodes.map(({ activation }) => activation);
    expect(activations).toEqual([1, 0.8, 0.6, 1 / 2, 0.4, 0.3]);
  });

  it("draws a link that is used in both directions once", () => {
    const { links } = spreadOf([found(1, "mem_a", "mem_b"), found(1, "mem_b", "mem_a")]);
    expect(links).toHaveLength(3);
  });
});

/** Paths through few nodes, so that they share some. */
const path = fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 5 });
const paths = fc.array(path, { minLength: 1, maxLength: 30 });
const asResults = (given: number[][]) => given.map((ids) => found(0.5, ...ids.map((id) => `mem_${id}`)));

describe("placesOf", () => {
  it("puts every node at a different place within the drawing", () => {
    fc.assert(
      fc.property(paths, (given) => {
        const { nodes } = spreadOf(asResults(given));
        const places = [...placesOf(nodes).values()];
        expect(places).toHaveLength(nodes.length);
        for (const { x, y } of places) for (const at of [x, y]) expect(at >= 0 && at <= 1).toBe(true);
        const distinct = new Set(places.map(({ x, y }) => `${x.toFixed(6)} ${y.toFixed(6)}`));
        expect(distinct.size).toBe(nodes.length);
      }),
    );
  });

  it("puts the same nodes at the same places", () => {
    expect(placesOf(spreadOf(RESULTS).nodes)).toEqual(placesOf(spreadOf(RESULTS).nodes));
  });

  it("puts a node alone in the middle", () => {
    expect([...placesOf(spreadOf([]).nodes).values()]).toEqual([{ x: 0.5, y: 0.5 }]);
  });
});
