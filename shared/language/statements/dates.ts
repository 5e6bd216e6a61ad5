import { DATE_LENGTH, dateOf } from "../../kernel/clock.ts";
import { DAY_MS, MINUTE_MS } from "../../kernel/durations.ts";
import type { JsonObject } from "../../ports/json.ts";
import { type Anchor, annotateDates, type DateAnnotation } from "../dates/annotate.ts";
import { isKnownZone, offsetAtLocal } from "../dates/calendar.ts";

const MONTHS = "January February March April May June July August September October November December".split(" ");

/** Returns the names of a date ("7 May 2023") with ISO forms: two for a range, none if it is approximate or recurs. */
export function namesOfDate(date: DateAnnotation): { name: string; iso: string }[] {
  if (date.approximate || date.kind === "recurring" || date.kind === "duration") return [];
  const iso = dateOf(date.value);
  if (date.end_value === undefined) return [{ name: nameOf(iso), iso }];
  if (date.precision === "week") return [{ name: `week of ${nameOf(iso)}`, iso }];
  if (isWeekend(iso, date.end_value)) return [{ name: `weekend of ${nameOf(iso)}`, iso }];
  return [iso, dateOf(date.end_value)].map((end) => ({ name: nameOf(end), iso: end }));
}

const SATURDAY = 6;

function isWeekend(first: string, last: string): boolean {
  const start = new Date(first);
  const isTwoDays = first.length === DATE_LENGTH && Date.parse(last) - start.getTime() === DAY_MS;
  return isTwoDays && start.getUTCDay() === SATURDAY;
}

function nameOf(iso: string): string {
  const [year = "", month, day] = iso.split("-");
  const parts = [day && Number(day), month && MONTHS[Number(month) - 1], Number(year)];
  return parts.filter((part) => part !== undefined).join(" ");
}

/** Returns the annotations whose text a statement still contains, with their positions in the statement. */
export function datesWithin(statement: string, dates: DateAnnotation[]): DateAnnotation[] {
  const found: DateAnnotation[] = [];
  let from = 0;
  for (const date of dates) {
    const start = statement.indexOf(date.text, from);
    if (start === -1) continue;
    from = start + date.text.length;
    found.push({ ...date, start, end: from });
  }
  return found;
}

const TIME_KEYS = "occurred_at timestamp event_time session_date_time date_time datetime date time".split(" ");
const ZONE_KEYS = ["timezone", "time_zone", "tz"];

/** Returns the anchor of a memory's dates: a time in its metadata (ISO, epoch or words), otherwise `otherwise`. */
export function anchorOf(metadata: JsonObject, otherwise: string | undefined): Anchor | undefined {
  const zones = ZONE_KEYS.map((key) => metadata[key]).filter((value) => typeof value === "string");
  const zone = zones.find(isKnownZone);
  for (const key of TIME_KEYS) {
    const anchor = readTime(metadata[key], zone);
    if (anchor !== undefined) return anchor;
  }
  return readTime(otherwise, zone);
}

/** Smaller numbers are seconds: as milliseconds they would be January 1970. */
const MIN_MILLISECONDS = 100_000_000_000;
const MAX_CHARACTERS = 100;
/** A bare number in a string is no date, although Date.parse accepts "5". */
const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?/;
/** "Z" gives the instant but not the local time (RFC 9557). */
const OFFSET = /^[+-]\d{2}:?\d{2}$/;

function readTime(value: unknown, zone: string | undefined): Anchor | undefined {
  if (typeof value === "number") return anchorAt(value < MIN_MILLISECONDS ? value * 1000 : value, zone);
  if (typeof value !== "string" || value.length > MAX_CHARACTERS) return undefined;
  const local = ISO_DATE.exec(value)?.[0];
  if (local === undefined) return readWords(value, zone);
  const rest = value.slice(local.length);
  if (rest === "" && local.length > DATE_LENGTH) return atLocal(`${local}Z`, zone);
  const offset = OFFSET.exec(rest)?.[0];
  return anchorAt(Date.parse(value), offset ?? zone);
}

/** "1:56 pm on 8 May, 2023" */
function readWords(value: string, zone: string | undefined): Anchor | undefined {
  const found = annotateDates(value, undefined, "en").find(({ kind }) => kind === "point");
  if (found === undefined || found.value.length < DATE_LENGTH) return undefined;
  return found.precision === "minute"
    ? atLocal(`${found.value.slice(0, 16)}Z`, zone)
    : anchorAt(Date.parse(found.value), zone);
}

function atLocal(iso: string, zone: string | undefined): Anchor | undefined {
  const local = Date.parse(iso);
  if (Number.isNaN(local)) return undefined;
  return anchorAt(local - (offsetAtLocal(zone, local) ?? 0) * MINUTE_MS, zone);
}

function anchorAt(time: number, zone: string | undefined): Anchor | undefined {
  const instant = new Date(time);
  return Number.isNaN(instant.getTime()) ? undefined : { instant, ...(zone !== undefined && { zone }) };
}
