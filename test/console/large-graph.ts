import { DAY_MS } from "../../shared/kernel/durations.ts";

export const LARGE_GRAPH_NODES = 500;
/** Nodes around the person; the others hang on one of these. */
const HUBS = 25;

/** A person with people around, each with what they know: as many names as the drawing has nodes. */
export function largeGraph() {
  const idOf = (node: number) => `node-${node}`;
  const edges = Array.from({ length: LARGE_GRAPH_NODES - 1 }, (_, index) => {
    const node = index + 1;
    const source = node <= HUBS ? 0 : 1 + (node % HUBS);
    const valid_from = new Date(Date.now() - node * DAY_MS).toISOString();
    const held = { status: "current", former: false, valid_from, memory_id: `mem_${node}` };
    return { fact_id: `fact_${node}`, source: idOf(source), target: idOf(node), verb: "lives in", ...held };
  });
  const kinds = ["person", "place", "organization", "value"];
  const nodes = Array.from({ length: LARGE_GRAPH_NODES }, (_, node) => ({
    id: idOf(node),
    name: `Name ${node}`,
    kind: node === 0 ? "user" : kinds[node % kinds.length],
    relevance: 1 / (1 + node),
  }));
  return { focus: idOf(0), nodes, edges, left_out: { nodes: 0, facts: 0 } };
}
