import { h, svg } from "./dom.js";
import { beginning } from "./format.js";

/** @typedef {"square" | "circle" | "diamond" | "dot"} Shape */
/**
 * @typedef {object} GraphNode
 * @property {string} id
 * @property {Shape} shape
 * @property {string} label what a screen reader says
 * @property {string} name shown below the node
 * @property {string | number} inside shown in the node
 * @property {number} weight 0..1: heavier nodes are larger
 * @property {boolean} isNamed whether the name is shown in a large drawing
 */
/**
 * @typedef {object} GraphLink
 * @property {string} from
 * @property {string} to
 * @property {"seed" | "former"} [kind]
 * @property {string} [verb] shown on the link when one of its nodes is selected
 * @property {boolean} [isMarked]
 */

const MAX_HEIGHT = 560;
const MIN_HEIGHT = 320;
/** Space for the labels of the outermost nodes. */
const MARGIN = { x: 66, y: 40 };
const RADIUS = { min: 9, range: 11 };
const LABEL_LENGTH = 18;
/** Names are shown if the drawing is at least this wide. */
const WIDE = 640;
/** With more links at a node, their verbs would overlap. */
const MAX_VERBS = 16;
const BACKWARD = ["ArrowLeft", "ArrowUp"];
const FORWARD = ["ArrowRight", "ArrowDown"];

/**
 * A drawing of nodes and links. Tab moves the focus into it, arrow keys move it from node to node; details of the focused
 * node are shown below.
 * @param {object} options
 * @param {string} options.title
 * @param {string} options.hint
 * @param {[shape: Shape, meaning: string][]} options.legend
 * @param {GraphNode[]} options.nodes
 * @param {GraphLink[]} options.links
 * @param {Map<string, { x: number, y: number }>} options.places coordinates from 0 to 1
 * @param {(id: string) => Node[]} options.describe
 * @param {string} [options.start] the node that is selected at first
 * @param {boolean} [options.takesFocus] whether it has the focus as soon as it is drawn
 * @param {(id: string) => GraphLink[]} [options.trailTo] the links that lead to a selected node
 */
export function nodeGraph({
  title,
  hint,
  legend,
  nodes,
  links,
  places,
  describe,
  start,
  takesFocus,
  trailTo = () => [],
}) {
  const canvas = h("div", { class: "canvas" });
  const details = h("div", { class: "node-details", role: "status" });
  let current = Math.max(0, start === undefined ? 0 : nodes.findIndex(({ id }) => id === start));

  const show = (/** @type {number} */ place) => {
    current = place;
    const node = nodes[place];
    if (node) details.replaceChildren(...describe(node.id));
    for (const [index, shape] of canvas.querySelectorAll("[role=option]").entries()) {
      shape.setAttribute("tabindex", index === place ? "0" : "-1");
      shape.setAttribute("aria-selected", String(index === place));
    }
    const trail = node ? trailTo(node.id) : [];
    for (const [index, line] of canvas.querySelectorAll(".edge").entries()) {
      const link = links[index];
      line.classList.toggle("trail", link !== undefined && trail.includes(link));
      line.classList.toggle("near", link !== undefined && [link.from, link.to].includes(node?.id ?? ""));
    }
    canvas.classList.toggle("crowded", canvas.querySelectorAll(".near").length > MAX_VERBS);
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
    const hasFocus = takesFocus || canvas.contains(document.activeElement);
    takesFocus = false;
    canvas.replaceChildren(drawing({ nodes, links, places }, canvas.clientWidth, { show, onkeydown }));
    show(current);
    if (hasFocus) /** @type {SVGElement | null} */ (canvas.querySelector("[tabindex='0']"))?.focus();
  };
  new ResizeObserver(draw).observe(canvas);
  return h(
    "figure",
    { class: "graph" },
    h("figcaption", {}, title, legendOf(legend)),
    h("p", { class: "dim" }, `Tab moves into the graph, arrow keys from node to node. ${hint}`),
    canvas,
    details,
  );
}

/**
 * The place that a key moves the focus to.
 * @param {string} key
 * @param {number} current
 * @param {number} length
 */
export function destination(key, current, length) {
  if (FORWARD.includes(key)) return (current + 1) % length;
  if (BACKWARD.includes(key)) return (current + length - 1) % length;
  if (key === "Home") return 0;
  return key === "End" ? length - 1 : undefined;
}

/** @param {[shape: Shape, meaning: string][]} legend */
function legendOf(legend) {
  const entries = legend.map(([shape, meaning]) =>
    h(
      "li",
      {},
      svg("svg", { width: 18, height: 18, class: `node ${shape}`, "aria-hidden": "true" }, shapeOf(shape, 9, 9, 7)),
      ` ${meaning}`,
    ),
  );
  return h("ul", { class: "legend" }, ...entries);
}

/**
 * @param {{ nodes: GraphNode[], links: GraphLink[], places: Map<string, { x: number, y: number }> }} graph
 * @param {number} available
 * @param {{ show: (place: number) => void, onkeydown: (event: Event) => void }} on
 */
function drawing({ nodes, links, places }, available, { show, onkeydown }) {
  const width = Math.max(280, available);
  const height = Math.max(MIN_HEIGHT, Math.min(MAX_HEIGHT, width * 0.75));
  const at = (/** @type {string} */ id) => {
    const { x, y } = places.get(id) ?? { x: 0.5, y: 0.5 };
    return { x: MARGIN.x + x * (width - 2 * MARGIN.x), y: MARGIN.y + y * (height - 2 * MARGIN.y) };
  };
  const isWide = width >= WIDE;
  const edges = links.map((link) => edgeShape(link, at(link.from), at(link.to), isWide));
  const shapes = nodes.map((node, place) =>
    nodeShape(node, at(node.id), { isNamed: node.isNamed && isWide, show: () => show(place) }),
  );
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width, height, role: "listbox", "aria-label": "Nodes", onkeydown },
    svg("g", { "aria-hidden": "true" }, ...edges),
    ...shapes,
  );
}

/**
 * @param {GraphLink} link
 * @param {{ x: number, y: number }} a
 * @param {{ x: number, y: number }} b
 * @param {boolean} isNamed
 */
function edgeShape({ kind, verb, isMarked }, a, b, isNamed) {
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  return svg(
    "g",
    { class: isMarked ? "edge marked" : "edge" },
    svg("path", { class: `link ${kind ?? ""}`, d: `M${a.x} ${a.y}L${b.x} ${b.y}` }),
    isNamed && verb !== undefined && svg("text", { ...middle, class: "verb" }, beginning(verb, LABEL_LENGTH)),
  );
}

/**
 * @param {GraphNode} node
 * @param {{ x: number, y: number }} at
 * @param {{ isNamed: boolean, show: () => void }} options
 */
function nodeShape({ shape, label, name, inside, weight }, { x, y }, { isNamed, show }) {
  const radius = RADIUS.min + RADIUS.range * Math.sqrt(weight);
  const below = isNamed && svg("text", { x, y: y + radius + 13, class: "name" }, beginning(name, LABEL_LENGTH));
  return svg(
    "g",
    { class: `node ${shape}`, role: "option", tabindex: -1, "aria-label": label, onfocus: show, onclick: focusTarget },
    shapeOf(shape, x, y, radius),
    svg("text", { x, y: y + 4 }, inside),
    below,
  );
}

/** @param {Event} event */
function focusTarget({ currentTarget }) {
  if (currentTarget instanceof SVGElement) currentTarget.focus();
}

/**
 * @param {Shape} shape
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 */
function shapeOf(shape, x, y, radius) {
  if (shape === "circle" || shape === "dot") return svg("circle", { cx: x, cy: y, r: radius });
  const half = radius * 0.9;
  if (shape === "square") return svg("rect", { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: 4 });
  return svg("path", { d: `M${x} ${y - radius}L${x + radius} ${y}L${x} ${y + radius}L${x - radius} ${y}Z` });
}
