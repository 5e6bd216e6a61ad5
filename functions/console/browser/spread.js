/** @typedef {import("./api.js").Answer<typeof import("../../compression/schemas.ts").SpreadAnswer>} SpreadAnswer */
/** @typedef {Required<SpreadAnswer["results"][number]>} Result */
/** @typedef {Pick<Result, "id" | "content" | "activation_score" | "hop_distance" | "activation_path">} Found */
/** @typedef {"query" | "memory" | "entity"} Kind */
/**
 * @typedef {object} SpreadNode
 * @property {string} id
 * @property {Kind} kind
 * @property {number} activation 0..1
 * @property {number} depth number of steps from the query, which has depth 0
 * @property {string | undefined} parent the previous node on its path
 * @property {number | undefined} rank of a memory among the results, from 1
 */
/** @typedef {Pick<SpreadNode, "id" | "depth" | "parent">} Placed */
/** @typedef {{ from: string, to: string }} Link */
/** @typedef {{ nodes: SpreadNode[], links: Link[] }} Spread */

export const QUERY = "query";

/**
 * Returns the nodes that activation passed through and the links between them, from the strongest path to each result. A node
 * on several paths has its parent from the best result's path. Results have their own activation; other nodes have the highest
 * activation that arrived at them.
 * @param {Found[]} results best first
 * @returns {Spread}
 */
export function spreadOf(results) {
  /** @type {Map<string, SpreadNode>} */
  const nodes = new Map();
  /** @type {Map<string, Link>} */
  const links = new Map();
  nodes.set(QUERY, { id: QUERY, kind: "query", activation: 1, depth: 0, parent: undefined, rank: undefined });
  const ranks = new Map(results.map(({ id }, place) => [id, place + 1]));
  for (const { activation_path: path } of results) {
    let previous = QUERY;
    for (const { node: id, activation } of path) {
      const depth = (nodes.get(previous)?.depth ?? 0) + 1;
      const known = nodes.get(id);
      if (!known) nodes.set(id, { id, kind: kindOf(id), activation, depth, parent: previous, rank: ranks.get(id) });
      else known.activation = Math.max(known.activation, activation);
      if (!links.has(`${id} ${previous}`)) links.set(`${previous} ${id}`, { from: previous, to: id });
      previous = id;
    }
  }
  for (const { id, activation_score } of results) {
    const node = nodes.get(id);
    if (node) node.activation = activation_score;
  }
  return { nodes: [...nodes.values()], links: [...links.values()] };
}

/**
 * @param {string} id
 * @returns {Kind}
 */
function kindOf(id) {
  return id.startsWith("ent_") ? "entity" : "memory";
}

/** Offset of all rings in ring widths; without it, the innermost ring would have too little space. */
const INNER = 0.4;

/**
 * Returns the positions of nodes, with coordinates from 0 to 1 that use the whole range. Nodes surround the query: each is on
 * the ring of its depth and in its parent's sector, whose width is proportional to its number of leaves. The same nodes always
 * have the same positions.
 * @param {Placed[]} nodes parents before their children
 * @returns {Map<string, { x: number, y: number }>}
 */
export function placesOf(nodes) {
  const children = Map.groupBy(nodes, ({ parent }) => parent);
  const rings = Math.max(1, ...nodes.map(({ depth }) => depth));
  /** @type {Map<string, number>} */
  const ends = new Map();
  for (const { id } of nodes.toReversed()) {
    const beyond = children.get(id) ?? [];
    ends.set(id, beyond.length === 0 ? 1 : beyond.reduce((sum, child) => sum + (ends.get(child.id) ?? 0), 0));
  }
  /** @type {Map<string, { x: number, y: number }>} */
  const places = new Map();
  const place = (/** @type {Placed} */ { id, depth }, /** @type {number} */ from, /** @type {number} */ to) => {
    const angle = (from + to) / 2 - Math.PI / 2;
    const radius = depth === 0 ? 0 : (depth + INNER) / (rings + INNER);
    places.set(id, { x: radius * Math.cos(angle), y: radius * Math.sin(angle) });
    const turn = (to - from) / (ends.get(id) ?? 1);
    let begin = from;
    for (const child of children.get(id) ?? []) {
      const end = begin + turn * (ends.get(child.id) ?? 1);
      place(child, begin, end);
      begin = end;
    }
  };
  for (const root of children.get(undefined) ?? []) place(root, 0, 2 * Math.PI);
  return stretched(places);
}

/**
 * @param {Map<string, { x: number, y: number }>} places
 * @returns {Map<string, { x: number, y: number }>}
 */
function stretched(places) {
  const across = stretching([...places.values()].map(({ x }) => x));
  const down = stretching([...places.values()].map(({ y }) => y));
  return new Map([...places].map(([id, { x, y }]) => [id, { x: across(x), y: down(y) }]));
}

/**
 * Returns a function that maps the lowest value to 0 and the highest to 1, and all values to 0.5 if they are equal.
 * @param {number[]} values
 * @returns {(value: number) => number}
 */
function stretching(values) {
  const min = Math.min(...values);
  const extent = Math.max(...values) - min;
  // Sines and cosines of aligned points differ by a rounding error.
  return (value) => (extent < 1e-9 ? 0.5 : (value - min) / extent);
}
