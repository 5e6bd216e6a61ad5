/** Shown for a value that was not measured. */
export const NOTHING = "–";

const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });
const dayOfYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

const DAY_MS = 86_400_000;
/** @type {[unit: Intl.RelativeTimeFormatUnit, seconds: number][]} */
const UNITS = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];
const SECONDS = { minute: 60, hour: 3600, day: 86_400 };

/** @typedef {number | null | undefined} Measured */

/** @param {Measured} value */
export function count(value) {
  return value === null || value === undefined ? NOTHING : whole.format(value);
}

/**
 * A value with its unit: rounded to a whole number from 1000 on, otherwise to three significant digits.
 * @param {Measured} value
 * @param {string} [unit]
 */
export function amount(value, unit = "") {
  if (value === null || value === undefined) return NOTHING;
  const digits = Math.abs(value) >= 1000 ? whole.format(Math.round(value)) : short.format(value);
  return unit === "" ? digits : `${digits} ${unit}`;
}

/** @param {Measured} value 0..1 */
export function share(value) {
  return value === null || value === undefined ? NOTHING : percent(value * 100);
}

/** @param {Measured} value 0..100 */
export function percent(value) {
  return value === null || value === undefined ? NOTHING : `${short.format(value)} %`;
}

/** @param {string | number | null | undefined} at ISO, or milliseconds since 1970 */
export function when(at) {
  return at === null || at === undefined ? NOTHING : moment.format(new Date(at));
}

/**
 * How long ago or how soon: "5 minutes ago".
 * @param {string} at ISO
 */
export function ago(at) {
  const seconds = (Date.parse(at) - Date.now()) / 1000;
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  return relative.format(Math.round(seconds / length), unit);
}

/** @param {string | undefined} at ISO */
export function day(at) {
  return at === undefined ? NOTHING : date.format(new Date(at));
}

/**
 * A day as an input of dates and the API's `as_of` write it: 2024-04-14.
 * @param {number} at milliseconds since 1970
 */
export function dateOnly(at) {
  return new Date(at).toISOString().slice(0, "2024-04-14".length);
}

/**
 * The time of day if labels are less than a day apart, otherwise the date in UTC.
 * @param {number} at milliseconds since 1970
 * @param {number} stepMs distance between labels
 */
export function tickLabel(at, stepMs) {
  return (stepMs < DAY_MS ? clock : dayOfYear).format(at);
}

/** @param {number} seconds */
export function duration(seconds) {
  if (seconds < SECONDS.minute) return `${Math.floor(seconds)} s`;
  if (seconds < SECONDS.hour) return `${Math.floor(seconds / SECONDS.minute)} min`;
  if (seconds < 2 * SECONDS.day) return `${Math.floor(seconds / SECONDS.hour)} h`;
  return `${Math.floor(seconds / SECONDS.day)} days`;
}

/**
 * A text, cut to at most `length` characters including the ellipsis.
 * @param {string} text
 * @param {number} length
 */
export function beginning(text, length) {
  const characters = [...text];
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join("")
        .trimEnd()}…`;
}

/**
 * A name of the API as words: `cold_tier` is "cold tier".
 * @param {string} name
 */
export function words(name) {
  return name.replaceAll("_", " ");
}
