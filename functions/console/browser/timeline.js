import { h, svg } from "./dom.js";
import { beginning, dateOnly, day } from "./format.js";
import { destination } from "./graph.js";
import { intervalOf, lanesOf } from "./truth.js";

/** @typedef {import("./truth.js").Fact} Fact */
/** @typedef {import("./truth.js").Lane} Lane */
/** @typedef {{ fact: Fact, y: number }} Bar */

const DAY_MS = 86_400_000;
const MONTH_MS = 30 * DAY_MS;
const YEAR_MS = 365 * DAY_MS;
const LANES = 30;
const ROWS = 6;
/** Heights of the axis, of a lane's name and of a row of bars, and the space at both sides. */
const SIZE = { axis: 24, name: 20, row: 26, bar: 22, side: 8 };
const MIN_BAR = 5;
/** A narrower bar has no text. */
const MIN_NAMED = 14;
const TICK_WIDTH = 72;
const MONTHS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200];
const monthName = new Intl.DateTimeFormat("en-GB", { month: "short", timeZone: "UTC" });

/**
 * A lane per property with its facts as bars from the day when they began to hold to the day when they ended, and a cursor at
 * a day. The bars are reached by Tab and arrow keys, the cursor is a slider.
 * @param {object} options
 * @param {Fact[]} options.facts
 * @param {string} options.on YYYY-MM-DD
 * @param {string} options.chosen the id of the fact that is chosen at first
 * @param {(on: string) => void} options.onDay
 * @param {() => void} options.onRest when the slider stays at a day
 * @param {(fact: Fact) => void} options.onSelect
 */
export function timeline({ facts, on, chosen, onDay, onRest, onSelect }) {
  const lanes = lanesOf(facts);
  const shown = lanes.slice(0, LANES);
  const range = rangeOf(facts);
  const canvas = h("div", { class: "canvas" });
  const slider = h("input", {
    type: "range",
    min: Math.floor(range.start / DAY_MS),
    max: Math.floor(range.end / DAY_MS),
    value: Date.parse(on) / DAY_MS,
    "aria-label": "Day",
    "aria-valuetext": day(on),
  });
  const place = { bar: 0, on, chosen };
  /** @type {ReturnType<typeof scaleOf> | undefined} */
  let scale;
  const draw = () => {
    const hadFocus = canvas.contains(document.activeElement);
    scale = scaleOf(range, Math.max(260, canvas.clientWidth));
    canvas.replaceChildren(drawing(shown, scale, place, onSelect));
    if (hadFocus) /** @type {SVGElement | null} */ (canvas.querySelector("[tabindex='0']"))?.focus();
  };
  const move = (/** @type {string} */ to) => {
    place.on = to;
    slider.value = String(Date.parse(to) / DAY_MS);
    slider.setAttribute("aria-valuetext", day(to));
    const cursor = canvas.querySelector(".cursor");
    if (scale && cursor) cursor.setAttribute("transform", cursorAt(to, scale));
  };
  slider.addEventListener("input", () => {
    const to = dateOnly(Number(slider.value) * DAY_MS);
    move(to);
    onDay(to);
  });
  slider.addEventListener("change", onRest);
  new ResizeObserver(draw).observe(canvas);
  const left = lanes.length - shown.length;
  const element = h(
    "figure",
    { class: "timeline" },
    h("figcaption", {}, "What held when", legend()),
    slider,
    canvas,
    left > 0 && h("p", { class: "dim" }, `and ${left} more properties, which the list below has`),
  );
  return { element, move };
}

/**
 * From the first fact to today or the last planned day, with some space for what holds on. What is planned for a day that is
 * further ahead than the first fact is back, and than a year, is drawn at `last`, so that it does not compress the past.
 * @param {Pick<Fact, "valid_from" | "valid_to">[]} facts
 */
export function rangeOf(facts) {
  const now = Date.now();
  const starts = facts.map((fact) => intervalOf(fact).start);
  const start = Math.min(now - MONTH_MS, ...starts);
  const last = Math.min(Math.max(now, ...starts), now + Math.max(YEAR_MS, now - start));
  return { start, last, end: last + Math.max(MONTH_MS, (last - start) / 12) };
}

/**
 * @param {ReturnType<typeof rangeOf>} range
 * @param {number} width
 */
function scaleOf({ start, last, end }, width) {
  const perMs = (width - 2 * SIZE.side) / (end - start);
  const x = (/** @type {number} */ at) => SIZE.side + (Math.min(end, Math.max(start, at)) - start) * perMs;
  /** Of the start or end of a fact: a day beyond the range is at its last one. */
  const xOfFact = (/** @type {number} */ at) => x(Number.isFinite(at) && at > end ? last : at);
  return { start, end, width, perMs, x, xOfFact };
}

/**
 * @param {string} on
 * @param {ReturnType<typeof scaleOf>} scale
 */
function cursorAt(on, { x }) {
  return `translate(${x(Date.parse(on))})`;
}

function legend() {
  const kinds = [
    ["current", "holds"],
    ["superseded", "ended"],
    ["planned", "planned"],
    ["retracted", "retracted"],
  ];
  const entries = kinds.map(([kind, meaning]) =>
    h(
      "li",
      {},
      svg(
        "svg",
        { width: 26, height: 14, class: `fact ${kind}`, "aria-hidden": "true" },
        hatching(),
        svg("rect", { x: 1, y: 1, width: 24, height: 12, rx: 3 }),
        kind === "retracted" && svg("path", { class: "struck", d: "M1 7H25" }),
      ),
      ` ${meaning}`,
    ),
  );
  return h("ul", { class: "legend" }, ...entries);
}

function hatching() {
  const pattern = { id: "planned", width: 6, height: 6, patternUnits: "userSpaceOnUse" };
  return svg("defs", {}, svg("pattern", pattern, svg("path", { class: "hatch", d: "M-1 1L1 -1M0 6L6 0M5 7L7 5" })));
}

/**
 * @param {Lane[]} lanes
 * @param {ReturnType<typeof scaleOf>} scale
 * @param {{ bar: number, on: string, chosen: string }} place
 * @param {(fact: Fact) => void} onSelect
 */
function drawing(lanes, scale, place, onSelect) {
  let y = SIZE.axis;
  /** @type {Bar[]} */
  const bars = [];
  const names = lanes.map(({ name, rows }) => {
    const left = rows.slice(ROWS).flat().length;
    const title = left > 0 ? `${name} (and ${left} more)` : name;
    const label = svg("text", { x: SIZE.side, y: y + SIZE.name - 6, class: "lane" }, beginning(title, 60));
    y += SIZE.name;
    for (const row of rows.slice(0, ROWS)) {
      bars.push(...row.map((fact) => ({ fact, y })));
      y += SIZE.row;
    }
    return label;
  });
  const height = y + SIZE.side;
  const chosen = bars.findIndex(({ fact }) => fact.id === place.chosen);
  if (chosen >= 0) place.bar = chosen;
  const shapes = bars.map((bar, index) =>
    barShape(bar, scale, {
      inTabs: index === place.bar,
      isChosen: bar.fact.id === place.chosen,
      show: () => show(index),
    }),
  );
  const show = (/** @type {number} */ index) => {
    for (const [each, shape] of shapes.entries()) {
      shape.setAttribute("tabindex", each === index ? "0" : "-1");
      shape.setAttribute("aria-selected", String(each === index));
    }
    const bar = bars[index];
    if (!bar) return;
    place.bar = index;
    place.chosen = bar.fact.id;
    onSelect(bar.fact);
  };
  const onkeydown = (/** @type {Event} */ event) => {
    const to = event instanceof KeyboardEvent ? destination(event.key, place.bar, bars.length) : undefined;
    if (to === undefined) return;
    event.preventDefault();
    shapes[to]?.focus();
  };
  const now = scale.x(Date.now());
  const { width } = scale;
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width, height, role: "listbox", "aria-label": "Facts over time", onkeydown },
    hatching(),
    svg(
      "g",
      { "aria-hidden": "true" },
      ...ticks(scale, height),
      svg("path", { class: "now", d: `M${now} ${SIZE.axis}V${height}` }),
      ...names,
    ),
    ...shapes,
    svg("path", {
      class: "cursor",
      "aria-hidden": "true",
      d: `M0 0V${height}`,
      transform: cursorAt(place.on, scale),
    }),
  );
}

/**
 * @param {Bar} bar
 * @param {ReturnType<typeof scaleOf>} scale
 * @param {{ inTabs: boolean, isChosen: boolean, show: () => void }} options
 */
function barShape({ fact, y }, scale, { inTabs, isChosen, show }) {
  const { start, end } = intervalOf(fact);
  const x = scale.xOfFact(start);
  const width = Math.max(MIN_BAR, scale.xOfFact(end) - x);
  const right = x + width;
  // A bar without an end is open at its right side.
  const outline = Number.isFinite(end) ? `M${x} ${y}h${width}v${SIZE.bar}h${-width}z` : openBar(x, y, width);
  const middle = y + SIZE.bar / 2;
  const until = fact.valid_to === undefined ? "" : ` until ${day(fact.valid_to)}`;
  const label = `${fact.attribute.replaceAll("_", " ")} ${fact.value}, ${fact.status}, from ${day(fact.valid_from)}${until}`;
  return svg(
    "g",
    {
      class: `fact ${fact.status}`,
      role: "option",
      tabindex: inTabs ? 0 : -1,
      "aria-selected": String(isChosen),
      "aria-label": label,
      onfocus: show,
      onclick: ({ currentTarget }) => currentTarget instanceof SVGElement && currentTarget.focus(),
    },
    svg("path", { class: "shape", d: outline }),
    width > MIN_NAMED &&
      svg("svg", { x, y, width: width - 3, height: SIZE.bar }, svg("text", { x: 6, y: 15 }, fact.value)),
    fact.status === "retracted" && svg("path", { class: "struck", d: `M${x} ${middle}H${right}` }),
  );
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 */
function openBar(x, y, width) {
  return `M${x + width} ${y}H${x}v${SIZE.bar}h${width}`;
}

/**
 * @param {ReturnType<typeof scaleOf>} scale
 * @param {number} height
 */
function ticks({ start, end, perMs, x }, height) {
  const step = MONTHS.find((months) => months * MONTH_MS * perMs >= TICK_WIDTH) ?? 1200;
  const from = new Date(start);
  const first = Math.ceil((from.getUTCFullYear() * 12 + from.getUTCMonth() + 1) / step) * step;
  const shapes = [];
  for (let month = first; ; month += step) {
    const at = Date.UTC(Math.floor(month / 12), month % 12);
    if (at > end) return shapes;
    const year = String(Math.floor(month / 12));
    const label = month % 12 === 0 ? year : `${monthName.format(at)} ${year}`;
    shapes.push(svg("path", { class: "grid", d: `M${x(at)} ${SIZE.axis - 4}V${height}` }));
    if (Math.min(x(end) - x(at), x(at)) > TICK_WIDTH / 2)
      shapes.push(svg("text", { x: x(at), y: 14, class: "tick" }, label));
  }
}
