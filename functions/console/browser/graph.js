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
 * @property {boolean} [isNamed] whether the name is shown among any number of nodes
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
/** Space for the outermost nodes, with their labels if the drawing is wide. */
const MARGIN = { x: 66, y: 40 };
const NARROW_MARGIN = { x: 18, y: 18 };
const RADIUS = { min: 9, range: 11 };
const NARROW_SCALE = 0.7;
const LABEL_LENGTH = 18;
/** Names are shown if the drawing is at least this wide. */
const WIDE = 640;
/** With more links at a node, their verbs would overlap. */
const MAX_VERBS = 16;
const BACKWARD = ["ArrowLeft", "ArrowUp"];
const FORWARD = ["ArrowRight", "ArrowDown"];

/**
 * A drawing of nodes and links. Tab moves the focus into it, arrow keys move it from node to node; details of the focused
 * node are shown below. `show` leaves out nodes and links, and `element` is to be put in the page. Both change only the elements
 * that differ from before, so that a frame with many nodes is short.
 * @param {object} options
 * @param {string} options.title
 * @param {string} options.hint
 * @param {[shape: Shape, meaning: string][]} options.legend
 * @param {GraphNode[]} options.nodes
 * @param {GraphLink[]} options.links
 * @param {Map<string, { x: number, y: number }>} options.places coordinates from 0 to 1
 * @param {number} options.maxNamed names are shown up to this number of nodes
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
  maxNamed,
  describe,
  start,
  takesFocus,
  trailTo = () => [],
}) {
  const canvas = h("div", { class: "canvas" });
  const details = h("div", { class: "node-details", role: "status" });
  let current = Math.max(0, start === undefined ? 0 : nodes.findIndex(({ id }) => id === start));
  /** @type {ReturnType<typeof drawing> | undefined} */
  let drawn;
  /** @type {(part: GraphNode | GraphLink) => boolean} */
  let isShown = () => true;

  const select = (/** @type {number} */ place) => {
    const node = nodes[place];
    if (drawn === undefined || node === undefined) return;
    for (const [index, isSelected] of /** @type {const} */ ([
      [current, false],
      [place, true],
    ])) {
      drawn.shapes[index]?.setAttribute("tabindex", isSelected ? "0" : "-1");
      drawn.shapes[index]?.setAttribute("aria-selected", String(isSelected));
    }
    current = place;
    details.replaceChildren(...describe(node.id));
    const near = links.filter((link) => isShown(link) && (link.from === node.id || link.to === node.id));
    drawn.mark("near", near);
    drawn.mark("trail", trailTo(node.id));
    canvas.classList.toggle("crowded", near.length > MAX_VERBS);
  };
  const onkeydown = (/** @type {Event} */ event) => {
    const shown = nodes.flatMap((node, place) => (isShown(node) ? [place] : []));
    const to =
      event instanceof KeyboardEvent ? destination(event.key, shown.indexOf(current), shown.length) : undefined;
    if (to === undefined) return;
    event.preventDefault();
    drawn?.shapes[shown[to] ?? 0]?.focus();
  };
  const onNode = (/** @type {number} */ place) => {
    if (place !== current) select(place);
  };
  const draw = () => {
    const hasFocus = takesFocus || canvas.contains(document.activeElement);
    takesFocus = false;
    drawn = drawing({ nodes, links, places, maxNamed }, canvas.clientWidth, { onNode, onkeydown });
    canvas.replaceChildren(drawn.element);
    drawn.leaveOut(isShown);
    select(current);
    if (hasFocus) drawn.shapes[current]?.focus();
  };
  new ResizeObserver(draw).observe(canvas);
  const element = h(
    "figure",
    { class: "graph" },
    h("figcaption", {}, title, legendOf(legend)),
    h("p", { class: "dim" }, `Tab moves into the graph, arrow keys from node to node. ${hint}`),
    canvas,
    details,
  );
  const show = (/** @type {typeof isShown} */ shown) => {
    isShown = shown;
    const node = nodes[current];
    drawn?.leaveOut(isShown);
    select(node && isShown(node) ? current : 0);
  };
  return { element, show };
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
 * @param {{ nodes: GraphNode[], links: GraphLink[], places: Map<string, { x: number, y: number }>, maxNamed: number }} graph
 * @param {number} available
 * @param {{ onNode: (place: number) => void, onkeydown: (event: Event) => void }} on
 */
function drawing({ nodes, links, places, maxNamed }, available, { onNode, onkeydown }) {
  const width = Math.max(280, available);
  const height = Math.max(MIN_HEIGHT, Math.min(MAX_HEIGHT, width * 0.75));
  const isWide = width >= WIDE;
  const margin = isWide ? MARGIN : NARROW_MARGIN;
  const at = (/** @type {string} */ id) => {
    const { x, y } = places.get(id) ?? { x: 0.5, y: 0.5 };
    return { x: margin.x + x * (width - 2 * margin.x), y: margin.y + y * (height - 2 * margin.y) };
  };
  const scale = isWide ? 1 : NARROW_SCALE;
  const edges = links.map((link) => edgeShape(link, at(link.from), at(link.to), isWide));
  const shapes = nodes.map((node, place) => nodeShape(node, at(node.id), scale, () => onNode(place)));
  const element = svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width, height, role: "listbox", "aria-label": "Nodes", onkeydown },
    svg("g", { "aria-hidden": "true" }, ...edges),
    ...shapes,
  );
  const edgeOf = new Map(links.map((link, place) => [link, edges[place]]));
  /** @type {Record<"near" | "trail", GraphLink[]>} */
  const marked = { near: [], trail: [] };
  /** Elements that are left out. @type {Set<SVGElement>} */
  const absent = new Set();
  const absentNodes = () => shapes.filter((shape) => absent.has(shape)).length;
  /** Nodes whose names are drawn: a name is drawn once it is shown. @type {Set<GraphNode>} */
  const named = new Set();
  return {
    element,
    shapes,
    mark: (/** @type {"near" | "trail"} */ name, /** @type {GraphLink[]} */ next) => {
      const kept = new Set(next);
      for (const link of marked[name]) if (!kept.has(link)) edgeOf.get(link)?.classList.remove(name);
      for (const link of next) edgeOf.get(link)?.classList.add(name);
      marked[name] = next;
    },
    leaveOut: (/** @type {(part: GraphNode | GraphLink) => boolean} */ isShown) => {
      const put = (/** @type {SVGElement | undefined} */ shape, /** @type {boolean} */ isHere) => {
        if (shape === undefined || absent.has(shape) === !isHere) return;
        shape.classList.toggle("absent", !isHere);
        if (isHere) absent.delete(shape);
        else absent.add(shape);
      };
      for (const [place, link] of links.entries()) put(edges[place], isShown(link));
      for (const [place, node] of nodes.entries()) put(shapes[place], isShown(node));
      if (!isWide) return;
      const isRoomy = nodes.length - absentNodes() <= maxNamed;
      element.classList.toggle("roomy", isRoomy);
      for (const [place, node] of nodes.entries()) {
        if (!(isRoomy || node.isNamed) || named.has(node) || !isShown(node)) continue;
        shapes[place]?.append(nameShape(node, at(node.id)));
        named.add(node);
      }
    },
  };
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
 * @param {number} scale
 * @param {() => void} onfocus
 */
function nodeShape({ shape, label, inside, weight }, { x, y }, scale, onfocus) {
  return svg(
    "g",
    { class: `node ${shape}`, role: "option", tabindex: -1, "aria-label": label, onfocus, onclick: focusTarget },
    shapeOf(shape, x, y, scale * radiusOf(weight)),
    inside !== "" && svg("text", { x, y: y + 4 }, inside),
  );
}

/** @param {number} weight */
function radiusOf(weight) {
  return RADIUS.min + RADIUS.range * Math.sqrt(weight);
}

/**
 * @param {GraphNode} node
 * @param {{ x: number, y: number }} at
 */
function nameShape({ name, weight, isNamed }, { x, y }) {
  const below = { x, y: y + radiusOf(weight) + 13, class: isNamed ? "name always" : "name" };
  return svg("text", below, beginning(name, LABEL_LENGTH));
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
