/** Steps of an axis are 1, 2 or 5 times a power of ten. */
const STEPS = [1, 2, 5, 10];

/**
 * Round values from 0 to at least `most`, evenly apart.
 * @param {number} most
 * @param {number} wanted about how many steps
 * @returns {number[]}
 */
export function valueTicks(most, wanted) {
  if (!(most > 0)) return [0, 1];
  const rough = most / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((each) => each * power >= rough) ?? 10) * power;
  const steps = Math.ceil(most / step - 1e-9);
  return Array.from({ length: steps + 1 }, (_, place) => Number((place * step).toPrecision(12)));
}

/**
 * Points in time as evenly spaced slots up to now; what the points leave out is `absent`.
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
