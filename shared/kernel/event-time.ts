import { MINUTE_MS } from "./durations.ts";
import { memoized } from "./memoized.ts";

const ZONE = /(?:Z|[+-]\d\d:\d\d)$/;
const FIRST_MS = Date.parse("0001-01-01T00:00:00.000Z");
const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");
/** Smaller numbers are seconds: as milliseconds they would be before March 1973. */
const MIN_MILLISECONDS = 100_000_000_000;

/**
 * Returns an ISO moment with milliseconds and the offset that `text` has. A date without a time is its first moment at
 * offset +00:00; `-00:00` becomes `Z`. Undefined for an invalid moment and outside the years 0001 to 9999.
 */
export function toEventTime(text: string): string | undefined {
  const zone = ZONE.exec(text)?.[0];
  if (zone === undefined) return inZone(Date.parse(text), "+00:00");
  return inZone(Date.parse(text), zone === "-00:00" ? "Z" : zone);
}

/** Returns the moment of seconds or milliseconds since the epoch, in UTC; undefined outside the years 0001 to 9999. */
export function eventTimeOfNumber(value: number): string | undefined {
  return inZone(Math.round(Math.abs(value) < MIN_MILLISECONDS ? value * 1000 : value), "Z");
}

/** Whether a moment has an offset; `Z` names only the instant (RFC 9557, section 2). */
export function hasOffset(moment: string): boolean {
  return !moment.endsWith("Z");
}

/** A cache of formats, because creating one is expensive. It is bounded, because clients choose the names. */
const FORMATS = new Map<string, Intl.DateTimeFormat | undefined>();
const MAX_FORMATS = 64;

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  if (FORMATS.has(timeZone)) return FORMATS.get(timeZone);
  if (FORMATS.size >= MAX_FORMATS) FORMATS.clear();
  let format: Intl.DateTimeFormat | undefined;
  try {
    format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  FORMATS.set(timeZone, format);
  return format;
}

/** Whether a name is a time zone of the IANA database; offsets such as `+02:00`, which Intl accepts, are not. */
export function isTimeZone(name: string): boolean {
  return /^[A-Za-z]/.test(name) && formatOf(name) !== undefined;
}

/** Returns the offset of a time zone at an instant (epoch milliseconds): "GMT+02:00". Undefined for an unknown zone. */
export function offsetName(timeZone: string, instant: number): string | undefined {
  const parts = formatOf(timeZone)?.formatToParts(instant);
  return parts?.find(({ type }) => type === "timeZoneName")?.value;
}

/** Returns the same instant with the offset that a time zone of the IANA database has then. */
export function inTimeZone(moment: string, timeZone: string): string {
  const instant = Date.parse(moment);
  const offset = /[+-]\d\d:\d\d/.exec(offsetName(timeZone, instant) ?? "")?.[0] ?? "+00:00";
  return inZone(instant, offset) ?? moment;
}

function inZone(instant: number, zone: string): string | undefined {
  const local = instant + offsetMs(zone);
  const isWithin = [instant, local].every((time) => time >= FIRST_MS && time <= LAST_MS);
  return isWithin ? new Date(local).toISOString().replace("Z", zone) : undefined;
}

function offsetMs(zone: string): number {
  if (zone === "Z") return 0;
  const [hours = 0, minutes = 0] = zone.slice(1).split(":").map(Number);
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS;
}

/** Something with an event time: `occurred_at` with an offset, otherwise its creation time. */
export interface Timed {
  occurred_at?: string;
  created_at: string;
}

const MAX_CACHED_MOMENTS = 20_000;
const parseMoment = memoized(Date.parse, MAX_CACHED_MOMENTS);

/** Returns when something happened, in epoch milliseconds. */
export function occurredMs({ occurred_at, created_at }: Timed): number {
  return parseMoment(occurred_at ?? created_at);
}

/** Returns the event time for responses. Clocks of hosts differ, so only a time that was sent can be planned. */
export function eventTimeOf(event: Timed, now: number): { occurred_at: string; planned?: true } {
  const { occurred_at, created_at } = event;
  if (occurred_at === undefined) return { occurred_at: created_at };
  return { occurred_at, ...(occurredMs(event) > now && { planned: true as const }) };
}
