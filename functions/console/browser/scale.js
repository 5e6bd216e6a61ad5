/** Steps of an axis are 1, 2 or 5 times a power of ten. */
const STEPS = [1, 2, 5, 10];

const MINUTE_MS = 60_000;
/** Possible distances between labels of a time axis in minutes. */
const LABEL_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720, 1440, 2880, 10_080];

/**
 * Returns round, evenly spaced values from 0 to at least `max`.
 * @param {number} max
 * @param {{ wanted: number, min: number }} steps their approximate number and minimum size
 * @returns {number[]}
 */
export function valueTicks(max, { wanted, min }) {
  if (!(max > 0)) return [0, 1];
  const approximate = Math.max(max / wanted, min);
  const power = 10 ** Math.floor(Math.log10(approximate));
  const step = (STEPS.find((each) => each * power >= approximate) ?? 10) * power;
  const steps = Math.ceil(max / step - 1e-9);
  return Array.from({ length: steps + 1 }, (_, place) => Number((place * step).toPrecision(12)));
}

/**
 * Returns the slots of a time axis that have a label: those at round times in the reader's time zone.
 * @param {number[]} times start of each slot
 * @param {number} minMs minimum distance between labels
 * @param {(time: number) => number} [offsetOf] minutes that the reader's clock is behind UTC
 */
export function timeTicks(times, minMs, offsetOf = (time) => new Date(time).getTimezoneOffset()) {
  const stepMs =
    MINUTE_MS * (LABEL_STEPS.find((minutes) => minutes * MINUTE_MS >= minMs) ?? Math.ceil(minMs / MINUTE_MS));
  return times.flatMap((time, slot) => ((time - offsetOf(time) * MINUTE_MS) % stepMs === 0 ? [slot] : []));
}

/**
 * Assigns points in time to evenly spaced slots up to now; a slot without a point has the value `absent`.
 * @template {{ at: string }} Point
 * @param {Point[]} points
 * @param {{ stepMs: number, length: number, now: number }} axis
 * @returns {{ times: number[], valuesOf: <Value>(read: (point: Point) => Value, absent: Value) => Value[] }}
 */
export function toSlots(points, { stepMs, length, now }) {
  const slotOf = (/** @type {string} */ at) => Math.floor(Date.parse(at) / stepMs);
  const bySlot = new Map(points.map((point) => [slotOf(point.at), point]));
  // The service's clock may be ahead of the browser's.
  const last = Math.max(Math.floor(now / stepMs), ...bySlot.keys());
  const slots = Array.from({ length }, (_, place) => last - length + 1 + place);
  return {
    times: slots.map((slot) => slot * stepMs),
    valuesOf: (read, absent) =>
      slots.map((slot) => {
        const point = bySlot.get(slot);
        return point === undefined ? absent : read(point);
      }),
  };
}
