import { DAY_MS, MINUTE_MS } from "../../kernel/durations.ts";
import { offsetName } from "../../kernel/event-time.ts";

/** The reference of relative dates. */
export interface Anchor {
  instant: Date;
  /** An IANA name or an offset ("+02:00") that decides what "today" is; UTC by default. */
  zone?: string | undefined;
}

/** A day of the proleptic Gregorian calendar. */
export interface Day {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
}

export const DAYS_PER_WEEK = 7;
/** A year in which every day of a month exists. */
export const LEAP_YEAR = 2024;
const MONTHS_PER_YEAR = 12;
const OFFSET = /^([+-])(\d{2}):?(\d{2})$/;

export function isKnownZone(zone: string): boolean {
  return offsetAt(zone, 0) !== undefined;
}

/** Returns the minutes east of UTC at an instant, or undefined if the zone is unknown. */
export function offsetAt(zone: string | undefined, instant: number): number | undefined {
  if (zone === undefined) return undefined;
  const fixed = OFFSET.exec(zone);
  if (fixed !== null) return minutesOf(fixed);
  const name = offsetName(zone, instant);
  if (name === undefined) return undefined;
  const offset = OFFSET.exec(name.replace("GMT", ""));
  return offset === null ? 0 : minutesOf(offset);
}

function minutesOf([, sign, hours, minutes]: RegExpExecArray): number {
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Returns the local time of the anchor, in milliseconds as if it were UTC. */
export function localTime({ instant, zone }: Anchor): number {
  return instant.getTime() + (offsetAt(zone, instant.getTime()) ?? 0) * MINUTE_MS;
}

/** Returns a zone's offset at a local time. If clocks change and both or neither fit, it is the one after the change. */
export function offsetAtLocal(zone: string | undefined, local: number): number | undefined {
  const guess = offsetAt(zone, local);
  return guess === undefined ? undefined : offsetAt(zone, local - guess * MINUTE_MS);
}

export function dayOf(local: number): Day {
  const date = new Date(local);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Returns the number of days since 1970-01-01. */
export function numberOf({ year, month, day }: Day): number {
  return new Date(0).setUTCFullYear(year, month - 1, day) / DAY_MS;
}

export function addDays(day: Day, days: number): Day {
  return dayOf((numberOf(day) + days) * DAY_MS);
}

/** Returns the same day of another month, or the month's last day. */
export function addMonths({ year, month, day }: Day, months: number): Day {
  const index = year * MONTHS_PER_YEAR + month - 1 + months;
  const target = { year: Math.floor(index / MONTHS_PER_YEAR), month: modulo(index, MONTHS_PER_YEAR) + 1 };
  return { ...target, day: Math.min(day, daysIn(target.year, target.month)) };
}

export function daysIn(year: number, month: number): number {
  return new Date(new Date(0).setUTCFullYear(year, month, 0)).getUTCDate();
}

export function isDay({ year, month, day }: Day): boolean {
  return month >= 1 && month <= MONTHS_PER_YEAR && day >= 1 && day <= daysIn(year, month);
}

/** Returns 0 for Monday to 6 for Sunday. */
export function weekdayOf(day: Day): number {
  return modulo(numberOf(day) + 3, DAYS_PER_WEEK);
}

/** Returns 1 for tomorrow to 7 for the same weekday next week. */
export function daysUntil(weekday: number, today: Day): number {
  return modulo(weekday - weekdayOf(today) - 1, DAYS_PER_WEEK) + 1;
}

export function mondayOf(day: Day): Day {
  return addDays(day, -weekdayOf(day));
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

const padded = (value: number, length = 2) => String(value).padStart(length, "0");

export function isoYear({ year }: Pick<Day, "year">): string {
  return padded(year, 4);
}

export function isoMonth(day: Pick<Day, "year" | "month">): string {
  return `${isoYear(day)}-${padded(day.month)}`;
}

export function isoDay(day: Day): string {
  return `${isoMonth(day)}-${padded(day.day)}`;
}

export function isoMinute(day: Day, hour: number, minute: number, offset: number | undefined): string {
  return `${isoDay(day)}T${padded(hour)}:${padded(minute)}${offset === undefined ? "" : isoOffset(offset)}`;
}

function isoOffset(offset: number): string {
  const minutes = Math.abs(offset);
  return `${offset < 0 ? "-" : "+"}${padded(Math.floor(minutes / 60))}:${padded(minutes % 60)}`;
}
