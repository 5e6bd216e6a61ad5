import { expect, it } from "vitest";
import { recalledHops } from "./person-graph.js";

// biome-ignore lint/suspicious/noExplicitAny: only the fields that hops are counted from
const edge = (source: string, target: string, memory_id: string): any => ({ source, target, memory_id });

const sister = edge("ada", "mia", "mem_1");
const home = edge("porto", "mia", "mem_2");
const river = edge("porto", "douro", "mem_2");
const apart = edge("tom", "oslo", "mem_3");

it("recalled facts are as many hops away as facts lead to them from the middle", () => {
  const graph = { focus: "ada", edges: [sister, home, river, apart] };
  expect([...recalledHops(graph, ["mem_1", "mem_2"])]).toEqual([
    [sister, 1],
    [home, 2],
    [river, 3],
  ]);
  expect([...recalledHops(graph, [])]).toEqual([]);
});

it("counts more hops to a recalled fact without a path from the middle than to any other", () => {
  const hops = recalledHops({ focus: "ada", edges: [sister, apart] }, ["mem_1", "mem_3"]);
  expect(hops.get(apart)).toBeGreaterThan(hops.get(sister) ?? 0);
});
