import { h, svg, table } from "./dom.js";
import { amount, NOTHING, tickLabel } from "./format.js";
import { timeTicks, toSlots, valueTicks } from "./scale.js";

/** @typedef {number | null} Value null if nothing was measured */
/** @typedef {{ name: string, values: Value[] }} Series one value per slot */
/**
 * @typedef {object} Plot
 * @property {string} title
 * @property {"bars" | "lines"} kind bars are stacked
 * @property {string} unit of the values, shown at the axis
 * @property {number[]} times start of each slot in milliseconds since 1970, evenly spaced
 * @property {Series[]} series one or two
 */

const HEIGHT = 220;
const MARGIN = { top: 24, right: 12, bottom: 36, left: 52 };
const VALUE_STEPS = 4;
const LABEL_WIDTH = 60;
const HALF_LABEL = 16;
const BAR_SHARE = 0.7;
const MARKER = 2.5;

/** The last hour by minute, the last day by hour, and the last month by day. */
export const MINUTES = { stepMs: 60_000, length: 60 };
export const HOURS = { stepMs: 3_600_000, length: 24 };
/** Days are those of UTC, as the service counts them. */
const DAY_MS = 86_400_000;
export const DAYS = { stepMs: DAY_MS, length: 30 };

/**
 * A plot over time with axes, a legend, a text alternative and its values as a table. It is drawn for the available width, so
 * that its text keeps its size. A slot without a point has no bar, or a gap in its line.
 * @template {{ at: string }} Point
 * @param {Pick<Plot, "title" | "kind" | "unit">} options
 * @param {Point[]} points
 * @param {typeof MINUTES & { now?: number }} slots `now`: in the last slot
 * @param {Record<string, (point: Point) => Value>} read the series by name
 */
export function timePlot(options, points, slots, read) {
  const { times, valuesOf } = toSlots(points, { now: Date.now(), ...slots });
  const absent = options.kind === "bars" ? 0 : null;
  const series = Object.entries(read).map(([name, from]) => ({ name, values: valuesOf(from, absent) }));
  const plot = { ...options, times, series };
  const canvas = h("div", { class: "canvas" });
  const draw = () => canvas.replaceChildren(drawing(plot, Math.max(260, canvas.clientWidth)));
  new ResizeObserver(draw).observe(canvas);
  return h("figure", { class: "plot" }, h("figcaption", {}, plot.title, legend(plot)), canvas, figuresOf(plot));
}

/** @param {Plot} plot */
function legend({ series }) {
  if (series.length < 2) return null;
  const entries = series.map(({ name }, place) =>
    h(
      "li",
      {},
      svg(
        "svg",
        { class: `series-${place}`, width: 22, height: 10, "aria-hidden": "true" },
        svg("rect", { class: "bar", y: 1, width: 22, height: 8 }),
        svg("path", { class: "line", d: "M0 5H22" }),
      ),
      ` ${name}`,
    ),
  );
  return h("ul", { class: "legend" }, ...entries);
}

/** @param {Plot} plot */
function figuresOf({ title, times, series, unit }) {
  const stepMs = stepOf(times);
  const rows = times.flatMap((time, slot) => {
    const values = series.map(({ values }) => values[slot] ?? null);
    return values.some((value) => value) ? [[tickLabel(time, stepMs), ...values.map((value) => amount(value))]] : [];
  });
  const columns = ["Time", ...series.map(({ name }) => `${name} (${unit})`)];
  return h("details", {}, h("summary", {}, "Show as a table"), table(title, columns, rows));
}

/** @param {number[]} times */
function stepOf([first = 0, second = 0]) {
  return second - first;
}

/**
 * The geometry of a drawing: the positions of slots and values.
 * @param {Plot} plot
 * @param {number} width
 */
function frameOf({ times, series, kind }, width) {
  const sums = times.map((_, slot) => {
    const values = series.map(({ values }) => values[slot] ?? 0);
    return kind === "bars" ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  });
  const ticks = valueTicks(Math.max(...sums), { wanted: VALUE_STEPS, min: kind === "bars" ? 1 : 0 });
  const max = ticks.at(-1) ?? 1;
  const inner = { width: width - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };
  const slotWidth = inner.width / times.length;
  return {
    ticks,
    slotWidth,
    baseline: MARGIN.top + inner.height,
    right: width - MARGIN.right,
    x: (/** @type {number} */ slot) => MARGIN.left + (slot + 0.5) * slotWidth,
    y: (/** @type {number} */ value) => MARGIN.top + inner.height * (1 - value / max),
  };
}

/**
 * @param {Plot} plot
 * @param {number} width
 */
function drawing(plot, width) {
  const frame = frameOf(plot, width);
  const marks = plot.kind === "bars" ? bars(plot, frame) : lines(plot, frame);
  const size = { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT };
  const label = `${plot.title}. ${inWords(plot)}`;
  return svg(
    "svg",
    { ...size, role: "img", "aria-label": label },
    valueAxis(plot, frame),
    timeAxis(plot, frame),
    ...marks,
  );
}

/** @typedef {ReturnType<typeof frameOf>} Frame */

/**
 * @param {Plot} plot
 * @param {Frame} frame
 */
function valueAxis({ unit }, { ticks, y, right }) {
  const rows = ticks.flatMap((value) => [
    svg("path", { class: "grid", d: `M${MARGIN.left} ${y(value)}H${right}` }),
    svg("text", { x: MARGIN.left - 6, y: y(value) + 4, "text-anchor": "end" }, amount(value)),
  ]);
  return svg("g", { class: "axis" }, ...rows, svg("text", { x: 0, y: 12 }, unit));
}

/**
 * @param {Plot} plot
 * @param {Frame} frame
 */
function timeAxis({ times }, { x, slotWidth, baseline, right }) {
  const stepMs = stepOf(times);
  const isByDay = stepMs >= DAY_MS;
  const ticks = timeTicks(times, (LABEL_WIDTH / slotWidth) * stepMs, isByDay ? () => 0 : undefined);
  const shown = ticks.filter((slot) => x(slot) < right - HALF_LABEL);
  const labels = shown.map((slot) =>
    svg("text", { x: x(slot), y: baseline + 16, "text-anchor": "middle" }, tickLabel(times[slot] ?? 0, stepMs)),
  );
  const name = svg(
    "text",
    { x: right, y: baseline + 32, "text-anchor": "end" },
    isByDay ? "day, in UTC" : "time, in your time zone",
  );
  return svg("g", { class: "axis" }, ...labels, name);
}

/**
 * @param {Plot} plot
 * @param {Frame} frame
 */
function bars({ times, series }, { x, y, slotWidth }) {
  const width = slotWidth * BAR_SHARE;
  const below = times.map(() => 0);
  return series.map(({ values }, place) => {
    const rects = values.flatMap((value, slot) => {
      if (!value) return [];
      const from = below[slot] ?? 0;
      below[slot] = from + value;
      const top = y(from + value);
      return [svg("rect", { class: "bar", x: x(slot) - width / 2, y: top, width, height: y(from) - top })];
    });
    return svg("g", { class: `series-${place}` }, ...rects);
  });
}

/**
 * Lines with gaps where nothing was measured; each value has a marker, so that a single one is visible.
 * @param {Plot} plot
 * @param {Frame} frame
 */
function lines({ series }, { x, y }) {
  return series.map(({ values }, place) => {
    const points = values.map((value, slot) => (value === null ? undefined : { x: x(slot), y: y(value) }));
    const path = points.map((point, slot) => point && `${points[slot - 1] ? "L" : "M"}${point.x} ${point.y}`).join("");
    const marks = points.map((point) => point && marker(point, place));
    return svg("g", { class: `series-${place}` }, svg("path", { class: "line", d: path }), ...marks);
  });
}

/**
 * @param {{ x: number, y: number }} at
 * @param {number} place
 */
function marker({ x, y }, place) {
  if (place === 0) return svg("circle", { class: "mark", cx: x, cy: y, r: MARKER });
  return svg("rect", { class: "mark", x: x - MARKER, y: y - MARKER, width: 2 * MARKER, height: 2 * MARKER });
}

/**
 * The text alternative of a drawing: each series' maximum and last value. The table has all values.
 * @param {Plot} plot
 */
function inWords({ times, series, unit }) {
  const stepMs = stepOf(times);
  const texts = series.map(({ name, values }) => {
    const measured = values.filter((value) => value !== null);
    const max = Math.max(...measured);
    if (measured.length === 0) return `${name}: ${NOTHING}`;
    const at = tickLabel(times[values.indexOf(max)] ?? 0, stepMs);
    return `${name}: at most ${amount(max, unit)} at ${at}, last ${amount(measured.at(-1), unit)}`;
  });
  return `${texts.join("; ")}.`;
}

/**
 * A bar for a share, shown beside its number.
 * @param {number} share 0..1
 */
export function shareBar(share) {
  const width = `${Math.min(100, Math.max(0, share * 100))}%`;
  return svg("svg", { class: "share", "aria-hidden": "true" }, svg("rect", { width, height: "100%" }));
}
