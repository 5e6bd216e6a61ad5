import { addressOf } from "./address.js";
import { badge, field, h, ownName, ownWords, selectOf, table } from "./dom.js";
import { count, dateOnly, day } from "./format.js";
import { nodeGraph } from "./graph.js";
import { notice, panel } from "./panel.js";
import { personLinks } from "./person-links.js";
import { placesOf } from "./spread.js";
import { rangeOf } from "./timeline.js";
import { heldOn, spanOf } from "./truth.js";
import { userField } from "./user-field.js";

/** @typedef {import("./api.js").Answer<typeof import("../../facts/schemas.ts").Graph>} Graph */
/** @typedef {Graph["nodes"][number]} GraphNode */
/** @typedef {Graph["edges"][number]} GraphEdge */
/** @typedef {import("./main.js").Page} Page */
/** @typedef {{ user: string, focus: string, on: string, q: string, hops: number, limit: number }} Wanted `hops`: all, when 0 */

const DAY_MS = 86_400_000;
/** Facts in words of a selected node. */
const TOLD = 10;
const RECALLED_TOKENS = 300;
const LIMITS = [40, 100, 300];
const DEFAULT_LIMIT = 40;
/** Names are shown below nodes up to this number of nodes. */
const MAX_NAMED = 40;
/** The list follows the day when it has rested this long. */
const LIST_AFTER_MS = 150;
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
    /** @type {Wanted} */
    const wanted = {
      user: params.get("user") ?? "",
      focus: params.get("focus") ?? "",
      on: params.get("on") ?? "",
      q: params.get("q") ?? "",
      hops: Number(params.get("hops")) || 0,
      limit: Number(params.get("limit")) || DEFAULT_LIMIT,
    };
    const options = { id: "user", label: "Person", value: wanted.user, required: true };
    const { input: user, fields } = userField(page, options);
    const limit = selectOf("limit", LIMITS, wanted.limit);
    const onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const isSame = user.value.trim() === wanted.user;
      const kept = isSame ? wanted : { on: wanted.on };
      go({ ...kept, user: user.value.trim(), limit: Number(limit.value) });
    };
    const form = h(
      "form",
      { class: "bar-form", onsubmit },
      ...fields,
      field("Maximum names", limit),
      h("button", { type: "submit" }, "Show the graph"),
    );
    if (wanted.user !== "") return [personLinks(wanted.user, "graph"), form, graphPanel(page, wanted)];
    return [
      form,
      h("p", {}, "Name a person, or choose one under ", h("a", { href: addressOf("people") }, "People"), "."),
    ];
  },
};

/**
 * @param {Page} page
 * @param {Wanted} wanted
 */
function graphPanel(page, wanted) {
  const { api, signal } = page;
  const { user, focus, limit } = wanted;
  const read = (/** @type {string} */ middle, /** @type {AbortSignal} */ signal, depth = 2) => {
    const query = { user_id: user, focus: middle, limit, depth };
    return /** @type {Promise<Graph>} */ (api.get("/graph", { query, signal }));
  };
  return panel({
    title: "What is known",
    signal,
    load: async (signal) => {
      const [graph, recalled] = await Promise.all([read(focus, signal), recalledFor(page, wanted, signal)]);
      return { graph, recalled };
    },
    show: ({ graph, recalled }) => {
      if (graph.edges.length === 0) return [h("p", {}, "No fact names anybody or anything.")];
      return explorer(page, wanted, { graph, recalled, read: (id) => read(id, signal, 1) });
    },
  }).element;
}

/**
 * The memories that a recall of the question puts into its block.
 * @param {Page} page
 * @param {Wanted} wanted
 * @param {AbortSignal} signal
 * @returns {Promise<string[]>}
 */
async function recalledFor({ api, may }, { user, q }, signal) {
  if (q === "" || !may("search:read")) return [];
  const body = { query: q, user_id: user, max_tokens: RECALLED_TOKENS };
  /** @type {import("./recall.js").Recalled} */
  const { items } = await api.post("/recall", { body, signal });
  return items.map(({ memory_id }) => memory_id);
}

/**
 * The drawing with what moves it: a day, a name, a question, and more around a node.
 * @param {Page} page
 * @param {Wanted} wanted
 * @param {{ graph: Graph, recalled: string[], read: (id: string) => Promise<Graph> }} given
 */
function explorer(page, wanted, { graph: first, recalled, read }) {
  const { keep, go, may } = page;
  const { hops, on } = wanted;
  const place = { graph: first, on, hops, from: first.focus, start: first.focus, takesFocus: false };
  const drawn = h("div", {});
  let showDay = () => {};
  const inAddress = () => ({ ...wanted, on: place.on, hops: place.hops });
  const addressWith = (/** @type {string} */ middle) => addressOf("graph", { ...inAddress(), focus: middle });
  const render = () => {
    const trails = (/** @type {string} */ id) => moveTo({ from: id, start: id });
    const distances = recalledHops(place.graph, recalled);
    const marked = new Set([...distances].flatMap(([edge, hop]) => (isWithin(hop, place.hops) ? [edge] : [])));
    const drawing = drawingOf(place, marked, { addressWith, expand, trails });
    const list = factList();
    const heading = h("h3", {});
    const told = h("span", {});
    const back = h("a", {}, "Back to the person");
    showDay = () => {
      const graph = place.on === "" ? place.graph : at(place.graph, place.on);
      heading.textContent = place.on === "" ? "All of time" : `What held on ${day(place.on)}`;
      told.textContent = toldOf(graph, recalled.length > 0 ? marked : undefined);
      back.href = addressWith("");
      drawing.show(graph);
      list.show(graph);
    };
    const toPerson = wanted.focus !== "" && back;
    const onHops = (/** @type {number} */ chosen) => {
      moveTo({ hops: chosen });
      keep(inAddress());
      /** @type {HTMLElement | null} */ (drawn.querySelector("button[aria-pressed=true]"))?.focus();
    };
    const steps = hopControl(Math.max(0, ...distances.values()), place.hops, onHops);
    drawn.replaceChildren(heading, h("p", {}, told, " ", toPerson), ...steps, drawing.element, list.element);
    showDay();
  };
  const moveTo = (/** @type {Partial<typeof place>} */ to) => {
    Object.assign(place, to, { takesFocus: to.start !== undefined });
    render();
  };
  const expand = async (/** @type {string} */ id) => {
    try {
      moveTo({ graph: merged(place.graph, await read(id)), start: id });
    } catch (error) {
      if (!page.signal.aborted) drawn.prepend(notice(error));
    }
  };
  render();
  const onDay = (/** @type {string} */ on) => {
    place.on = on;
    showDay();
  };
  // Browsers refuse to change the address in each frame.
  const onRest = () => keep(inAddress());
  const names = nameControl(
    () => place.graph.nodes,
    (start) => moveTo({ start }),
  );
  const question = may("search:read") && questionControl(wanted.q, (q) => go({ ...inAddress(), hops: 0, q }));
  return [
    h("div", { class: "bar-form days" }, ...dayControl(first, place.on, { onDay, onRest }), ...names, question),
    drawn,
  ];
}

/** @type {(hop: number, most: number) => boolean} */
const isWithin = (hop, most) => most === 0 || hop <= most;

/**
 * The facts that a question recalls, with the number of hops from the middle to each: 1 for those that name it.
 * @param {Pick<Graph, "focus" | "edges">} graph
 * @param {string[]} recalled ids of memories
 */
export function recalledHops({ focus, edges }, recalled) {
  const around = neighboursIn(edges.map((edge) => ({ from: edge.source, to: edge.target })));
  /** @type {Map<string, number>} */
  const distances = new Map([[focus, 0]]);
  // A map hands out what is added while it is read.
  for (const [id, distance] of distances) {
    for (const { from, to } of around.get(id) ?? []) {
      const next = from === id ? to : from;
      if (!distances.has(next)) distances.set(next, distance + 1);
    }
  }
  const far = distances.size;
  const hopOf = (/** @type {GraphEdge} */ { source, target }) =>
    1 + Math.min(distances.get(source) ?? far, distances.get(target) ?? far);
  return new Map(edges.filter(({ memory_id }) => recalled.includes(memory_id)).map((edge) => [edge, hopOf(edge)]));
}

/**
 * Buttons that mark what a question recalls up to a number of hops.
 * @param {number} most of what is recalled
 * @param {number} chosen
 * @param {(hops: number) => void} onHops
 */
function hopControl(most, chosen, onHops) {
  if (most < 2) return [];
  const button = (/** @type {number} */ hops, /** @type {string} */ label) =>
    h("button", { type: "button", "aria-pressed": String(hops === chosen), onclick: () => onHops(hops) }, label);
  const steps = Array.from({ length: most - 1 }, (_, index) => index + 1);
  const buttons = steps.map((hops) => button(hops, hops === 1 ? "1 hop" : `${hops} hops`));
  const label = "Mark what is recalled within";
  return [
    h("div", { class: "changes", role: "group", "aria-label": label }, `${label} `, ...buttons, button(0, "all")),
  ];
}

/**
 * @param {Graph} graph
 * @param {Set<GraphEdge>} [recalled] the facts that are marked, if a question is asked
 */
function toldOf({ nodes, edges, left_out }, recalled) {
  const marked = edges.filter((edge) => recalled?.has(edge)).length;
  const told = [
    `${count(nodes.length)} names, ${count(edges.length)} facts`,
    left_out.nodes > 0 && `and ${count(left_out.nodes)} more names`,
    left_out.facts > 0 && `${count(left_out.facts)} facts were not read`,
    recalled && `${count(marked)} of the facts are in the block of the question`,
  ];
  return `${told.filter(Boolean).join(", ")}.`;
}

/**
 * A slider and a date for the day that is shown.
 * @param {Graph} graph
 * @param {string} on
 * @param {{ onDay: (on: string) => void, onRest: () => void }} act `onDay`: all of time, when empty; `onRest`: it stays there
 * @returns {Node[]}
 */
function dayControl({ edges }, on, { onDay, onRest }) {
  const { start: first, last } = rangeOf(edges);
  const slider = h("input", {
    type: "range",
    min: Math.floor(first / DAY_MS),
    max: Math.floor(last / DAY_MS),
    value: (on === "" ? Date.now() : Date.parse(on)) / DAY_MS,
    "aria-label": "Day",
  });
  const date = h("input", { id: "on", type: "date", value: on });
  const to = (/** @type {string} */ chosen) => {
    date.value = chosen;
    if (chosen !== "") slider.value = String(Date.parse(chosen) / DAY_MS);
    slider.setAttribute("aria-valuetext", chosen === "" ? "all of time" : day(chosen));
    onDay(chosen);
  };
  slider.addEventListener("input", () => to(dateOnly(Number(slider.value) * DAY_MS)));
  slider.addEventListener("change", onRest);
  const toAndRest = (/** @type {string} */ chosen) => {
    to(chosen);
    onRest();
  };
  date.addEventListener("change", () => toAndRest(date.value));
  const all = h("button", { type: "button", onclick: () => toAndRest("") }, "All of time");
  return [field("What held on this day", date), slider, all];
}

/**
 * A field that selects the node with a name.
 * @param {() => GraphNode[]} nodesNow
 * @param {(id: string) => void} onName
 * @returns {Node[]}
 */
function nameControl(nodesNow, onName) {
  const names = h("datalist", { id: "names" }, ...nodesNow().map(({ name }) => h("option", { value: name })));
  const input = h("input", { id: "name", type: "search", autocomplete: "off", list: "names" });
  input.addEventListener("change", () => {
    const typed = input.value.trim().toLowerCase();
    if (typed === "") return;
    const nodes = nodesNow();
    const exact = nodes.find(({ name }) => name.toLowerCase() === typed);
    const node = exact ?? nodes.find(({ name }) => name.toLowerCase().includes(typed));
    input.setCustomValidity(node ? "" : "No node has this name.");
    if (node) onName(node.id);
    else input.reportValidity();
  });
  return [field("Find a name", input), names];
}

/**
 * A question whose recalled facts are marked.
 * @param {string} q
 * @param {(q: string) => void} onQuestion
 */
function questionControl(q, onQuestion) {
  const input = h("input", { id: "question", type: "search", autocomplete: "off", maxlength: 1000, value: q });
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    onQuestion(input.value.trim());
  };
  return h(
    "form",
    { class: "bar-form", onsubmit },
    field("Mark what a question recalls", input),
    h("button", { type: "submit" }, "Mark"),
  );
}

/**
 * The facts that held on a day, and the nodes between them.
 * @param {Graph} graph
 * @param {string} on
 * @returns {Graph}
 */
function at(graph, on) {
  const edges = heldOn(graph.edges, on);
  const named = new Set(edges.flatMap(({ source, target }) => [source, target]));
  return { ...graph, edges, nodes: graph.nodes.filter(({ id }, place) => place === 0 || named.has(id)) };
}

/**
 * A graph with what another adds, up to the most nodes that are shown.
 * @param {Graph} graph
 * @param {Graph} more
 * @returns {Graph}
 */
function merged(graph, more) {
  const known = new Set(graph.nodes.map(({ id }) => id));
  const nodes = [...graph.nodes, ...more.nodes.filter(({ id }) => !known.has(id))].slice(0, LIMITS.at(-1));
  const shown = new Set(nodes.map(({ id }) => id));
  const facts = new Set(graph.edges.map(({ fact_id }) => fact_id));
  const added = more.edges.filter(({ fact_id, source, target }) => {
    return !facts.has(fact_id) && shown.has(source) && shown.has(target);
  });
  return { ...graph, nodes, edges: [...graph.edges, ...added] };
}

/**
 * The drawing of a graph, and what shows a part of it: what held on a day.
 * @param {{ graph: Graph, from: string, start: string, takesFocus: boolean }} place
 * @param {Set<GraphEdge>} recalled the facts that are marked
 * @param {{ addressWith: (id: string) => string, expand: (id: string) => void, trails: (id: string) => void }} actions
 */
function drawingOf({ graph, from, start, takesFocus }, recalled, { addressWith, expand, trails }) {
  const { nodes, edges } = graph;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const nameOf = (/** @type {string} */ id) => byId.get(id)?.name ?? id;
  const linkOf = new Map(
    edges.map((edge) => {
      const { source, target, verb, former } = edge;
      const kind = former && { kind: /** @type {const} */ ("former") };
      return [edge, { from: source, to: target, verb, isMarked: recalled.has(edge), ...kind }];
    }),
  );
  const linksOf = (/** @type {GraphEdge[]} */ some) => some.flatMap((edge) => linkOf.get(edge) ?? []);
  let shown = graph;
  const trailTo = (/** @type {string} */ id) => pathBetween(linksOf(shown.edges), from, id);
  const describe = (/** @type {string} */ id) => {
    const facts = shown.edges.filter(({ source, target }) => source === id || target === id);
    const items = facts.slice(0, TOLD).map((edge) => h("li", {}, ...sentence(edge, nameOf)));
    if (facts.length > TOLD) items.push(h("li", {}, `and ${count(facts.length - TOLD)} more, which the list has`));
    const trail = trailTo(id).map(({ from, verb, to }) => `${nameOf(from)} ${verb} ${nameOf(to)}`);
    return [
      h("p", {}, h("strong", {}, ownName(nameOf(id))), ` · ${byId.get(id)?.kind}`),
      ...(trail.length > 1 ? [h("p", { dir: "auto" }, `From ${nameOf(from)}: ${trail.join(" → ")}`)] : []),
      h("ul", {}, ...items),
      h(
        "p",
        { class: "changes" },
        h("a", { href: addressWith(id) }, "Put it in the middle"),
        h("button", { type: "button", onclick: () => expand(id) }, "Show more around it"),
        h("button", { type: "button", onclick: () => trails(id) }, "Show paths from it"),
      ),
    ];
  };
  const drawing = nodeGraph({
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
    })),
    links: linksOf(edges),
    places: placesOf(treeOf(nodes, edges)),
    maxNamed: MAX_NAMED,
    describe,
    start,
    takesFocus,
    trailTo,
  });
  return {
    element: drawing.element,
    show: (/** @type {Graph} */ part) => {
      shown = part;
      /** @type {Set<string | import("./graph.js").GraphLink>} */
      const parts = new Set();
      for (const each of [...part.nodes.map(({ id }) => id), ...linksOf(part.edges)]) parts.add(each);
      drawing.show((each) => parts.has("id" in each ? each.id : each));
    },
  };
}

/**
 * The links of a shortest path, or none.
 * @template {{ from: string, to: string }} Link
 * @param {Link[]} links
 * @param {string} from
 * @param {string} to
 * @returns {Link[]}
 */
export function pathBetween(links, from, to) {
  if (from === to) return [];
  const around = neighboursIn(links);
  /** @type {Map<string, Link[]>} */
  const paths = new Map([[from, []]]);
  // A map hands out what is added while it is read.
  for (const [id, path] of paths) {
    if (id === to) return path;
    for (const link of around.get(id) ?? []) {
      const next = link.from === id ? link.to : link.from;
      if (!paths.has(next)) paths.set(next, [...path, link]);
    }
  }
  return [];
}

/**
 * The links at each node.
 * @template {{ from: string, to: string }} Link
 * @param {Link[]} links
 */
function neighboursIn(links) {
  /** @type {Map<string, Link[]>} */
  const around = new Map();
  for (const link of links) {
    for (const end of [link.from, link.to]) {
      const known = around.get(end);
      if (known) known.push(link);
      else around.set(end, [link]);
    }
  }
  return around;
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
function sentence({ source, verb, target, memory_id, ...times }, nameOf) {
  return [
    ownName(nameOf(source)),
    " ",
    h("em", {}, verb),
    " ",
    ownName(nameOf(target)),
    h("small", {}, ` ${spanOf(times)} · `, h("a", { href: addressOf("memories", { open: memory_id }) }, "memory")),
  ];
}

/** The facts as a table, which is made when it is opened and once the day rests. */
function factList() {
  /** @type {Graph | undefined} */
  let shown;
  /** @type {Graph | undefined} */
  let listed;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  const body = h("div", {});
  const fill = () => {
    if (shown === undefined || listed === shown || !element.open) return;
    listed = shown;
    body.replaceChildren(factTable(shown));
  };
  const element = h("details", { ontoggle: fill }, h("summary", {}, "Show as a list"), body);
  const show = (/** @type {Graph} */ graph) => {
    shown = graph;
    clearTimeout(waiting);
    waiting = setTimeout(fill, LIST_AFTER_MS);
  };
  return { element, show };
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
  return table("Facts of the graph", ["About", "Fact", "Value", "State", "From", "Until"], rows);
}
