import { HOUR_MS, MINUTE_MS } from "../../kernel/durations.ts";
import {
  type Anchor,
  addDays,
  type Day,
  dayOf,
  daysUntil,
  isoDay,
  isoMinute,
  isoMonth,
  isoYear,
  localTime,
  numberOf,
  offsetAt,
  offsetAtLocal,
} from "./calendar.ts";
import type { Clock, Expression, Reader } from "./expression.ts";
import type { Sense, Unit } from "./lexicon.ts";
import { type Period, type Preference, resolve } from "./resolve.ts";
import type { DateAnnotation } from "./schema.ts";
import { type Tense, tenseAt } from "./tense.ts";

/** Limits of the anchor, so that years have four digits; other anchors are ignored. */
const EARLIEST = Date.parse("0100-01-01T00:00:00Z");
const LATEST = Date.parse("9900-01-01T00:00:00Z");

type Reading = Omit<DateAnnotation, "start" | "end" | "text">;

/** Resolves expressions in order, because a later one may refer to an earlier one. */
export class Resolver {
  #reader!: Reader;
  readonly #anchor: Anchor | undefined;
  readonly #now: number | undefined;
  readonly #unstated: Preference;
  #context: Day | undefined;

  /** `unstated` decides which date is meant if neither tense nor preposition does; a weekday is then the next one. */
  constructor(anchor: Anchor | undefined, unstated: Preference = "nearest") {
    this.#unstated = unstated;
    const now = anchor && localTime(anchor);
    const isUsable = now !== undefined && now > EARLIEST && now < LATEST;
    this.#anchor = isUsable ? anchor : undefined;
    this.#now = isUsable ? now : undefined;
  }

  get hasContext(): boolean {
    return this.#context !== undefined;
  }

  annotate(reader: Reader, text: string, expressions: Expression[]): DateAnnotation[] {
    this.#reader = reader;
    return expressions.flatMap((expression) => {
      const start = reader.tokens[expression.from]?.start ?? 0;
      const end = reader.tokens[endOf(expression) - 1]?.end ?? 0;
      const found = this.#read(expression);
      return found === undefined ? [] : { start, end, text: text.slice(start, end), ...found };
    });
  }

  #read(expression: Expression): Reading | undefined {
    if (expression.shape === "duration" || expression.shape === "recurring") {
      return recurrence(expression, this.#now === undefined ? undefined : dayOf(this.#now));
    }
    if (this.#now === undefined && expression.year === undefined) return undefined;
    const tense = tenseAt(this.#reader, expression.from, endOf(expression));
    if (expression.onlyAhead && tense === "past") return undefined;
    if (expression.shape === "shift" && (expression.unit === "hour" || expression.unit === "minute")) {
      return this.#elapsed(expression);
    }
    const period = this.#resolve(expression, tense);
    if (period === undefined) return undefined;
    this.#context = period.first;
    const approximate = expression.approximate ? { approximate: true } : {};
    if (expression.end !== undefined) return { ...this.#range(period, expression.end, tense), ...approximate };
    if (expression.clock !== undefined) return { ...this.#moment(period.first, expression, tense), ...approximate };
    const side = (expression.amount ?? 0) < 0 ? "past" : "future";
    const direction = expression.shape === "span" ? side : this.#direction(period, tense);
    return { ...valuesOf(period), direction, ...approximate };
  }

  #resolve(expression: Expression, tense: Tense, preference = this.#preference(expression, tense)): Period | undefined {
    return resolve(expression, { today: dayOf(this.#now ?? 0), preference, context: this.#context });
  }

  #preference({ from, to, shape, end }: Expression, tense: Tense): Preference {
    const start = this.#reader.skipBack(from, "article");
    const isWeekday = shape === "weekday" || shape === "dayOfMonth";
    const since = this.#reader.senseBefore(from, "since") ?? this.#reader.senseBefore(start, "since");
    const sinceAfter = isWeekday ? undefined : this.#postposition(to, "since");
    // In some languages, the "from" of a range is also the word for "since".
    if ((since ?? sinceAfter) !== undefined && end === undefined && tense !== "future") return "past";
    if (tense === "past") return "past";
    if (this.#unstated === "past" && tense !== "future") return "past";
    if (tense !== undefined || isWeekday) return "future";
    const until = this.#reader.senseBefore(from, "until", "due") ?? this.#postposition(to, "until");
    return until === undefined ? this.#unstated : "future";
  }

  /** Japanese and Chinese put "since" and "until" after the date. */
  #postposition(index: number, kind: "since" | "until"): Sense | undefined {
    return this.#reader.lexicon.table.yearMark === undefined ? undefined : this.#reader.sense(index, kind);
  }

  #range(first: Period, end: Expression, tense: Tense): Reading {
    const last = this.#endOf(first, end, tense);
    if (last === undefined) return { ...valuesOf(first), direction: this.#direction(first, tense) };
    const { value } = valuesOf(first);
    const { value: lastValue, end_value = lastValue } = valuesOf(last);
    const precision = first.precision === last.precision ? first.precision : "range";
    const direction = this.#direction({ precision, first: first.first, last: last.last }, tense);
    return { value, end_value, precision, direction, kind: "range" };
  }

  /** Returns the end of a range: the first match after its start, in the year of the start if neither names a year. */
  #endOf(first: Period, end: Expression, tense: Tense): Period | undefined {
    const last = resolve(end, { today: first.first, preference: "future", context: first.first });
    if (last !== undefined && numberOf(last.last) >= numberOf(first.first)) return last;
    return this.#resolve(end, tense, "future");
  }

  #moment(day: Day, { clock }: Expression, tense: Tense): Reading {
    const begin = this.#instant(day, clock);
    const end = clock?.until && this.#instant(day, clock.until);
    const now = this.#anchor?.instant.getTime();
    const isRange = end !== undefined && end.instant > begin.instant;
    return {
      value: begin.value,
      ...(isRange && { end_value: end.value }),
      precision: "minute",
      direction: now === undefined ? tenseDirection(tense) : begin.instant <= now ? "past" : "future",
      kind: isRange ? "range" : "point",
    };
  }

  #instant(day: Day, { hour = 0, minute = 0, offset }: Partial<Clock> = {}): { value: string; instant: number } {
    const local = numberOf(day) * 24 * HOUR_MS + hour * HOUR_MS + minute * MINUTE_MS;
    const zoneOffset = offset ?? offsetAtLocal(this.#anchor?.zone, local);
    return { value: isoMinute(day, hour, minute, zoneOffset), instant: local - (zoneOffset ?? 0) * MINUTE_MS };
  }

  /** "3 hours ago": counted in elapsed time, regardless of clock changes. */
  #elapsed({ unit, amount = 0, approximate }: Expression): Reading | undefined {
    if (this.#anchor === undefined) return undefined;
    const { instant, zone } = this.#anchor;
    const moment = new Date(instant.getTime() + amount * (unit === "hour" ? HOUR_MS : MINUTE_MS));
    const local = localTime({ instant: moment, zone });
    const clock = new Date(local);
    return {
      value: isoMinute(dayOf(local), clock.getUTCHours(), clock.getUTCMinutes(), offsetAt(zone, moment.getTime())),
      precision: unit === "hour" ? "hour" : "minute",
      direction: amount < 0 ? "past" : "future",
      kind: "point",
      ...(approximate && { approximate }),
    };
  }

  #direction({ first, last }: Period, tense: Tense): DateAnnotation["direction"] {
    if (this.#now === undefined) return "unknown";
    const today = numberOf(dayOf(this.#now));
    if (numberOf(last) < today) return "past";
    if (numberOf(first) > today) return "future";
    return tenseDirection(tense);
  }
}

/** The index after the last token of a date or of the range that it starts. */
function endOf({ to, end }: Expression): number {
  return Math.max(to, end?.to ?? 0);
}

function tenseDirection(tense: Tense): DateAnnotation["direction"] {
  return tense === "past" || tense === "future" ? tense : "unknown";
}

function valuesOf({ precision, first, last }: Period): Omit<Reading, "direction"> {
  const isYears = precision === "year" || (precision === "range" && first.year !== last.year);
  const isMonths = precision === "month" || precision === "season" || precision === "range";
  const iso = isYears ? isoYear : isMonths ? isoMonth : isoDay;
  const [value, end_value] = [iso(first), iso(last)];
  return value === end_value ? { value, precision, kind: "point" } : { value, end_value, precision, kind: "range" };
}

/** Letters of ISO 8601 durations. */
const LETTERS: Partial<Record<Unit, string>> = { year: "Y", month: "M", week: "W", weekend: "W", day: "D" };
const CLOCK_LETTERS: Partial<Record<Unit, string>> = { hour: "H", minute: "M" };

/** Returns a duration ("for four years": P4Y) or a recurrence from the next one ("every Monday": R/2026-11-23/P1W). */
function recurrence(expression: Expression, today: Day | undefined): Reading | undefined {
  const { shape, unit, amount = 1, weekday, month } = expression;
  const kind = shape === "duration" ? "duration" : "recurring";
  const common = { direction: "unknown", kind } as const;
  const starting = (first: string | undefined) => (first === undefined ? "R" : `R/${first}`);
  if (kind === "recurring" && weekday !== undefined) {
    const first = today && isoDay(addDays(today, daysUntil(weekday, today)));
    return { value: `${starting(first)}/${duration("week", amount)}`, precision: "day", ...common };
  }
  if (kind === "recurring" && month !== undefined) {
    const first = today && isoMonth({ year: today.year + (month < today.month ? 1 : 0), month });
    return { value: `${starting(first)}/${duration("year", amount)}`, precision: "month", ...common };
  }
  if (unit === undefined) return undefined;
  const period = duration(unit, amount);
  const precision = unit === "weekend" ? "day" : unit;
  return { value: kind === "duration" ? period : `R/${period}`, precision, ...common };
}

function duration(unit: Unit, amount: number): string {
  const letter = LETTERS[unit];
  return letter === undefined ? `PT${amount}${CLOCK_LETTERS[unit]}` : `P${amount}${letter}`;
}
