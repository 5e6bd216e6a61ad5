import { h, svg } from "./dom.js";
import { amount, beginning } from "./format.js";
import { placesOf, QUERY } from "./spread.js";

/** @typedef {import("./spread.js").Spread} Spread */
/** @typedef {import("./spread.js").SpreadNode} SpreadNode */

const MAX_HEIGHT = 560;
const MIN_HEIGHT = 320;
/** Space for the labels of the outermost nodes. */
const MARGIN = { x: 66, y: 40 };
const RADIUS = { min: 9, range: 11 };
const LABEL_LENGTH = 18;
const SPOKEN_LENGTH = 80;
/** Memories are labelled too if the drawing is at least this wide and has at most this many nodes. */
const ROOM = { width: 640, nodes: 24 };
const BACKWARD = ["ArrowLeft", "ArrowUp"];
const FORWARD = ["ArrowRight", "ArrowDown"];

/**
 * A graph of spreading activation: nodes with more activation are larger. Tab moves the focus into the graph, arrow keys move
 * it from node to node; details of the focused node are shown below.
 * @param {Spread} spread
 * @param {{ names: Map<string, string>, describe: (node: SpreadNode) => Node[] }} texts
 */
export function spreadGraph(spread, { names, describe }) {
  const canvas = h("div", { class: "canvas" });
  const details = h("div", { class: "node-details", role: "status" });
  const nodes = spread.nodes;
  let current = 0;

  const show = (/** @type {number} */ place) => {
    current = place;
    const node = nodes[place];
    if (node) details.replaceChildren(...describe(node));
    const shapes = canvas.querySelectorAll("[role=option]");
    for (const [index, shape] of shapes.entries()) {
      shape.setAttribute("tabindex", index === place ? "0" : "-1");
      shape.setAttribute("aria-selected", String(index === place));
    }
  };
  const onkeydown = (/** @type {Event} */ event) => {
    const to = event instanceof KeyboardEvent ? destination(event.key, current, nodes.length) : undefined;
    if (to === undefined) return;
    event.preventDefault();
    show(to);
    const shape = canvas.querySelectorAll("[role=option]")[to];
    if (shape instanceof SVGElement) shape.focus();
  };
  const draw = () => {
    const hadFocus = canvas.contains(document.activeElement);
    canvas.replaceChildren(drawing(spread, names, canvas.clientWidth, { show, onkeydown }));
    show(current);
    if (hadFocus) /** @type {SVGElement | null} */ (canvas.querySelector("[tabindex='0']"))?.focus();
  };
  new ResizeObserver(draw).observe(canvas);
  return h(
    "figure",
    { class: "graph" },
    h("figcaption", {}, "Activation paths", legend()),
    h(
      "p",
      { class: "dim" },
      "Tab moves into the graph, arrow keys from node to node. Larger nodes have more activation.",
    ),
    canvas,
    details,
  );
}

/**
 * @param {string} key
 * @param {number} current
 * @param {number} length
 */
function destination(key, current, length) {
  if (FORWARD.includes(key)) return (current + 1) % length;
  if (BACKWARD.includes(key)) return (current + length - 1) % length;
  if (key === "Home") return 0;
  return key === "End" ? length - 1 : undefined;
}

function legend() {
  const entry = (/** @type {SpreadNode["kind"]} */ kind, /** @type {string} */ name) =>
    h(
      "li",
      {},
      svg("svg", { width: 18, height: 18, class: `node ${kind}`, "aria-hidden": "true" }, shapeOf(kind, 9, 9, 7)),
      ` ${name}`,
    );
  return h(
    "ul",
    { class: "legend" },
    entry("query", "query"),
    entry("memory", "memory, with its rank"),
    entry("entity", "entity"),
  );
}

/**
 * @param {Spread} spread
 * @param {Map<string, string>} names
 * @param {number} available
 * @param {{ show: (place: number) => void, onkeydown: (event: Event) => void }} on
 */
function drawing({ nodes, links }, names, available, { show, onkeydown }) {
  const width = Math.max(280, available);
  const height = Math.max(MIN_HEIGHT, Math.min(MAX_HEIGHT, width * 0.75));
  const places = placesOf(nodes);
  const at = (/** @type {string} */ id) => {
    const { x, y } = places.get(id) ?? { x: 0.5, y: 0.5 };
    return { x: MARGIN.x + x * (width - 2 * MARGIN.x), y: MARGIN.y + y * (height - 2 * MARGIN.y) };
  };
  const lines = links.map(({ from, to }) => {
    const [a, b] = [at(from), at(to)];
    return svg("path", { class: from === QUERY ? "link seed" : "link", d: `M${a.x} ${a.y}L${b.x} ${b.y}` });
  });
  const isRoomy = width >= ROOM.width && nodes.length <= ROOM.nodes;
  const shapes = nodes.map((node, place) => {
    const name = names.get(node.id) ?? node.id;
    const isNamed = node.kind === "entity" || (isRoomy && node.kind === "memory");
    return nodeShape(node, at(node.id), { name, isNamed, show: () => show(place) });
  });
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width, height, role: "listbox", "aria-label": "Nodes", onkeydown },
    svg("g", { "aria-hidden": "true" }, ...lines),
    ...shapes,
  );
}

/**
 * @param {SpreadNode} node
 * @param {{ x: number, y: number }} at
 * @param {{ name: string, isNamed: boolean, show: () => void }} options
 */
function nodeShape({ kind, activation, rank }, { x, y }, { name, isNamed, show }) {
  const radius = kind === "query" ? RADIUS.min + RADIUS.range : RADIUS.min + RADIUS.range * Math.sqrt(activation);
  const inside = kind === "query" ? "?" : (rank ?? "");
  const below = isNamed && svg("text", { x, y: y + radius + 13, class: "name" }, beginning(name, LABEL_LENGTH));
  const label = `${kind} ${rank ?? ""} ${beginning(name, SPOKEN_LENGTH)}, activation ${amount(activation)}`;
  return svg(
    "g",
    { class: `node ${kind}`, role: "option", tabindex: -1, "aria-label": label, onfocus: show, onclick: focusTarget },
    shapeOf(kind, x, y, radius),
    svg("text", { x, y: y + 4 }, inside),
    below,
  );
}

/** @param {Event} event */
function focusTarget({ currentTarget }) {
  if (currentTarget instanceof SVGElement) currentTarget.focus();
}

/**
 * @param {SpreadNode["kind"]} kind
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 */
function shapeOf(kind, x, y, radius) {
  if (kind === "memory") return svg("circle", { cx: x, cy: y, r: radius });
  const half = radius * 0.9;
  if (kind === "query") return svg("rect", { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: 4 });
  return svg("path", { d: `M${x} ${y - radius}L${x + radius} ${y}L${x} ${y + radius}L${x - radius} ${y}Z` });
}
