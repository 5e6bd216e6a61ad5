import { ApiError } from "./api.js";
import { field, figures, h, ownWords, selectOf, table } from "./dom.js";
import { amount, beginning, count, NOTHING, share } from "./format.js";
import { nodeGraph } from "./graph.js";
import { panel } from "./panel.js";
import { placesOf, QUERY, spreadOf } from "./spread.js";

/** @typedef {import("./spread.js").Found} Found */
/** @typedef {import("./spread.js").SpreadNode} SpreadNode */
/** @typedef {import("./spread.js").SpreadAnswer & { results: Found[] }} SpreadAnswer */

/** Maximum number of concurrent name requests. */
const CONCURRENCY = 4;
const SHOWN_LENGTH = 120;
const STEP_LENGTH = 24;
const SPOKEN_LENGTH = 80;
/** Memories are named in a drawing with at most this many nodes. */
const MAX_NAMED = 24;
/** @type {Record<SpreadNode["kind"], import("./graph.js").Shape>} */
const SHAPES = { query: "square", memory: "circle", entity: "diamond" };

/** @type {import("./main.js").View} */
export const activation = {
  id: "activation",
  title: "Spreading activation",
  group: "Memory",
  changes: false,
  isFor: ({ permissions }) => permissions.includes("search:read"),
  open: (page) => {
    const place = h("div", {});
    return [queryForm((request) => place.replaceChildren(resultOf(page, request))), place];
  },
};

/** @param {(request: { query: string, parameters: object }) => void} go */
function queryForm(go) {
  const query = h("input", { id: "query", type: "search", required: true, autocomplete: "off", maxlength: 1000 });
  const hops = selectOf("hops", [1, 2, 3, 4, 5], 2);
  const limit = selectOf("limit", [5, 10, 20, 50], 10);
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const parameters = { max_hops: Number(hops.value), limit: Number(limit.value), include_paths: true };
    go({ query: query.value.trim(), parameters });
  };
  return h(
    "form",
    { class: "bar-form", onsubmit },
    field("Query to start from", query),
    field("Maximum hops", hops),
    field("Memories shown", limit),
    h("button", { type: "submit" }, "Spread"),
  );
}

/**
 * @param {import("./main.js").Page} page
 * @param {{ query: string, parameters: object }} request
 */
function resultOf({ api, signal, may }, request) {
  return panel({
    title: `From “${request.query}”`,
    signal,
    load: async (signal) => {
      /** @type {SpreadAnswer} */
      const answer = await api.post("/compression/spreading-activation", { body: request, signal });
      const spread = spreadOf(answer.results);
      return { answer, spread, names: await namesOf(may("memory:read") ? spread.nodes : [], answer, api, signal) };
    },
    show: ({ answer, spread, names }) => {
      const { initial_nodes, activated_nodes, total_hops, propagation_efficiency } = answer.spreading_stats;
      return [
        figures([
          ["Start", count(initial_nodes), "memories that pass activation on"],
          ["Activated", count(activated_nodes), "nodes"],
          ["Hops", count(total_hops)],
          ["Passed on", initial_nodes === 0 ? NOTHING : share(propagation_efficiency), "of it reached results"],
        ]),
        drawingOf(spread, names),
        resultTable(answer.results, names),
      ];
    },
  }).element;
}

/**
 * Returns the names of nodes by id: the content of memories, the names of entities. A node that is not found has no name. After
 * any other error, such as a missing permission, no further names are requested.
 * @param {SpreadNode[]} nodes
 * @param {SpreadAnswer} answer
 * @param {import("./api.js").Api} api
 * @param {AbortSignal} signal
 */
async function namesOf(nodes, { query, results }, api, signal) {
  const names = new Map([
    [QUERY, query],
    ...results.map(({ id, content }) => /** @type {[string, string]} */ ([id, content])),
  ]);
  const unknown = nodes.filter(({ id }) => !names.has(id));
  let mayRead = true;
  const nameNext = async () => {
    for (let node = unknown.shift(); node && mayRead; node = unknown.shift()) {
      const { id, kind } = node;
      try {
        const path = `/${kind === "entity" ? "entities" : "memories"}/${encodeURIComponent(id)}`;
        const { name, content } = await api.get(path, { signal });
        names.set(id, name ?? content);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status !== 404) mayRead = false;
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, nameNext));
  return names;
}

/**
 * @param {import("./spread.js").Spread} spread
 * @param {Map<string, string>} names
 */
function drawingOf({ nodes, links }, names) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return nodeGraph({
    title: "Activation paths",
    hint: "Larger nodes have more activation.",
    legend: [
      ["square", "query"],
      ["circle", "memory, with its rank"],
      ["diamond", "entity"],
    ],
    nodes: nodes.map(({ id, kind, activation, rank }) => {
      const name = names.get(id) ?? id;
      return {
        id,
        shape: SHAPES[kind],
        label: `${kind} ${rank ?? ""} ${beginning(name, SPOKEN_LENGTH)}, activation ${amount(activation)}`,
        name: kind === "query" ? "" : name,
        inside: kind === "query" ? "?" : (rank ?? ""),
        weight: activation,
        isNamed: kind === "entity",
      };
    }),
    links: links.map((link) => (link.from === QUERY ? { ...link, kind: "seed" } : link)),
    places: placesOf(nodes),
    maxNamed: MAX_NAMED,
    describe: (id) => {
      const node = byId.get(id);
      return node === undefined ? [] : describeNode(node, names);
    },
  }).element;
}

/**
 * @param {SpreadNode} node
 * @param {Map<string, string>} names
 */
function describeNode({ id, kind, activation, rank, parent }, names) {
  const title = rank === undefined ? kind : `${kind}, result ${rank}`;
  const from = parent === undefined ? undefined : beginning(names.get(parent) ?? parent, SHOWN_LENGTH);
  return [
    h("p", {}, h("strong", {}, title), kind !== "query" && ` · activation ${amount(activation)}`),
    h("p", { class: "content" }, names.get(id) ?? id),
    ...(from === undefined ? [] : [h("p", { class: "dim" }, `reached from: ${from}`)]),
    ...(kind === "query" ? [] : [h("p", { class: "dim" }, h("code", {}, id))]),
  ];
}

/**
 * @param {Found[]} results
 * @param {Map<string, string>} names
 */
function resultTable(results, names) {
  const rows = results.map(({ content, activation_score, hop_distance, activation_path }, place) => [
    place + 1,
    ownWords(beginning(content, SHOWN_LENGTH)),
    amount(activation_score),
    hop_distance,
    activation_path.map(({ node }) => beginning(names.get(node) ?? node, STEP_LENGTH)).join(" → "),
  ]);
  return table("Activated memories", ["Rank", "Memory", "Activation", "Hops", "Path"], rows);
}
