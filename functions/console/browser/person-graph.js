import { addressOf } from "./address.js";
import { badge, field, h, ownName, ownWords, selectOf, table } from "./dom.js";
import { count, day } from "./format.js";
import { nodeGraph } from "./graph.js";
import { panel } from "./panel.js";
import { personLinks } from "./person-links.js";
import { placesOf } from "./spread.js";

/** @typedef {import("./api.js").Answer<typeof import("../../facts/schemas.ts").Graph>} Graph */
/** @typedef {Graph["nodes"][number]} GraphNode */
/** @typedef {Graph["edges"][number]} GraphEdge */
/** @typedef {import("./main.js").Page} Page */

const LIMITS = [40, 100, 300];
const DEFAULT_LIMIT = 40;
/** Names are shown below nodes up to this number of nodes. */
const MAX_NAMED = 40;
/** With more nodes on a ring, every second one is closer to the middle, so that names do not overlap. */
const CROWDED = 10;
const STAGGER = 0.3;

/** @type {import("./main.js").View} */
export const personGraph = {
  id: "graph",
  title: "Graph",
  group: "Memory",
  changes: false,
  isFor: ({ permissions }) => permissions.includes("memory:read"),
  open: (page) => {
    const { params, go } = page;
    const wanted = {
      user: params.get("user") ?? "",
      focus: params.get("focus") ?? "",
      on: params.get("on") ?? "",
      limit: Number(params.get("limit")) || DEFAULT_LIMIT,
    };
    const user = h("input", { id: "user", required: true, autocomplete: "off", value: wanted.user });
    const on = h("input", { id: "on", type: "date", value: wanted.on });
    const limit = selectOf("limit", LIMITS, wanted.limit);
    const onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const isSame = user.value.trim() === wanted.user;
      go({ user: user.value.trim(), focus: isSame ? wanted.focus : "", on: on.value, limit: Number(limit.value) });
    };
    const form = h(
      "form",
      { class: "bar-form", onsubmit },
      field("Person", user),
      field("What held on this day (all, when empty)", on),
      field("Most names", limit),
      h("button", { type: "submit" }, "Show the graph"),
    );
    if (wanted.user !== "") return [personLinks(wanted.user, "graph"), form, graphPanel(page, wanted)];
    return [form, h("p", {}, "Name a person, or choose one under ", h("a", { href: "#people" }, "People"), ".")];
  },
};

/**
 * @param {Page} page
 * @param {{ user: string, focus: string, on: string, limit: number }} wanted
 */
function graphPanel({ api, signal }, wanted) {
  const { user, focus, on, limit } = wanted;
  const addressWith = (/** @type {string} */ middle) => addressOf("graph", { ...wanted, focus: middle });
  return panel({
    title: on === "" ? "What is known" : `What held on ${day(on)}`,
    signal,
    load: (signal) => {
      const query = { user_id: user, focus, limit, as_of: on };
      return /** @type {Promise<Graph>} */ (api.get("/graph", { query, signal }));
    },
    show: (graph) => {
      const { nodes, edges, left_out } = graph;
      if (edges.length === 0) return [h("p", {}, "No fact names anybody or anything.")];
      const more = [
        left_out.nodes > 0 && `and ${count(left_out.nodes)} more names`,
        left_out.facts > 0 && `${count(left_out.facts)} facts were not read`,
      ];
      const told = [`${count(nodes.length)} names, ${count(edges.length)} facts`, ...more.filter(Boolean)];
      return [
        h("p", {}, told.join(", "), ". ", focus !== "" && h("a", { href: addressWith("") }, "Back to the person")),
        drawingOf(graph, addressWith),
        factTable(graph),
      ];
    },
  }).element;
}

/**
 * @param {Graph} graph
 * @param {(focus: string) => string} addressWith
 */
function drawingOf({ nodes, edges }, addressWith) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const nameOf = (/** @type {string} */ id) => byId.get(id)?.name ?? id;
  const isNamed = nodes.length <= MAX_NAMED;
  const describe = (/** @type {string} */ id) => {
    const facts = edges.filter(({ source, target }) => source === id || target === id);
    const items = facts.map((edge) => h("li", {}, ...sentence(edge, nameOf)));
    return [
      h("p", {}, h("strong", {}, ownName(nameOf(id))), ` · ${byId.get(id)?.kind}`),
      h("ul", {}, ...items),
      h("p", {}, h("a", { href: addressWith(id) }, "Put it in the middle")),
    ];
  };
  return nodeGraph({
    title: "Facts around a person",
    hint: "Nodes with more facts that hold are larger. A dashed line no longer holds.",
    legend: [
      ["square", "the user"],
      ["circle", "person"],
      ["diamond", "place, organization, thing"],
      ["dot", "other value"],
    ],
    nodes: nodes.map(({ id, name, kind, relevance }, place) => ({
      id,
      shape: shapeOf(kind),
      label: `${kind} ${name}`,
      name,
      inside: "",
      weight: place === 0 ? 1 : Math.min(1, relevance),
      isNamed,
    })),
    links: edges.map(({ source, target, verb, former }) => ({
      from: source,
      to: target,
      verb,
      ...(former && { kind: /** @type {const} */ ("former") }),
    })),
    places: placesOf(treeOf(nodes, edges)),
    describe,
  });
}

/** @param {GraphNode["kind"]} kind */
function shapeOf(kind) {
  if (kind === "user") return "square";
  if (kind === "person") return "circle";
  return kind === "value" ? "dot" : "diamond";
}

/**
 * The nodes as a tree around the first: each hangs on the first of its neighbours before it.
 * @param {GraphNode[]} nodes
 * @param {GraphEdge[]} edges
 */
export function treeOf(nodes, edges) {
  const places = new Map(nodes.map(({ id }, place) => [id, place]));
  /** @type {Map<string, string>} */
  const parents = new Map();
  for (const { source, target } of edges) {
    const [one = 0, other = 0] = [places.get(source), places.get(target)];
    const [parent, child] = one < other ? [source, target] : [target, source];
    const known = places.get(parents.get(child) ?? "");
    if (known === undefined || (places.get(parent) ?? 0) < known) parents.set(child, parent);
  }
  /** @type {Map<string, number>} */
  const depths = new Map();
  /** @type {Map<string | undefined, number>} */
  const siblings = new Map();
  return nodes.map(({ id }) => {
    const parent = parents.get(id);
    const depth = parent === undefined ? 0 : (depths.get(parent) ?? 0) + 1;
    depths.set(id, depth);
    const place = siblings.get(parent) ?? 0;
    siblings.set(parent, place + 1);
    const isInner = place % 2 === 1 && nodes.length > CROWDED;
    return { id, parent, depth: isInner ? depth - STAGGER : depth };
  });
}

/**
 * @param {GraphEdge} edge
 * @param {(id: string) => string} nameOf
 */
function sentence({ source, verb, target, former, valid_from, valid_to, memory_id }, nameOf) {
  const time = former ? `until ${day(valid_to)}` : `since ${day(valid_from)}`;
  return [
    ownName(nameOf(source)),
    ` ${verb} `,
    ownName(nameOf(target)),
    h("small", {}, ` ${time} · `, h("a", { href: addressOf("memories", { open: memory_id }) }, "memory")),
  ];
}

/** @param {Graph} graph */
function factTable({ nodes, edges }) {
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const rows = edges.map(({ source, verb, target, status, valid_from, valid_to }) => [
    ownWords(names.get(source) ?? source),
    verb,
    ownWords(names.get(target) ?? target),
    badge(status),
    day(valid_from),
    day(valid_to),
  ]);
  return h(
    "details",
    {},
    h("summary", {}, "Show as a list"),
    table("Facts of the graph", ["About", "Fact", "Value", "State", "From", "Until"], rows),
  );
}
