import {
  type Anchor,
  type Day,
  dayOf,
  isoDay,
  isoMinute,
  isoMonth,
  isoYear,
  localTime,
  numberOf,
  offsetAtLocal,
} from "./calendar.ts";
import { type ClockFound, inHalf, readClock } from "./clock.ts";
import { type Expression, Reader } from "./expression.ts";
import { readDate } from "./grammar.ts";
import { languageOf, languageOfLine } from "./languages.ts";
import { lexiconOf, sensesOf } from "./lexicon.ts";
import { recurrence } from "./recurrence.ts";
import { type Period, type Preference, resolve } from "./resolve.ts";
import { writesDayFirst } from "./runs.ts";
import type { DateAnnotation } from "./schema.ts";
import { type Tense, tenseAt } from "./tense.ts";
import { tokenize } from "./tokens.ts";

export type { Anchor } from "./calendar.ts";
export type { Language } from "./languages.ts";
export type { DateAnnotation } from "./schema.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Tokens between a date and its time of day. */
const MAX_CLOCK_GAP = 3;

/**
 * The dates of a text, in its order, none inside another; the text stays as it is. Takes time in proportion to the text's
 * length. Each line is read in the language that it shows, else in that of the text. Without an anchor only dates that say
 * their year are found.
 */
export function annotateDates(text: string, anchor: Anchor | undefined, language = languageOf(text)): DateAnnotation[] {
  const resolver = new Resolver(anchor);
  let dayFirst: boolean | undefined;
  const annotations: DateAnnotation[] = [];
  let offset = 0;
  for (const line of text.split("\n")) {
    const tokens = tokenize(line);
    const lexicon = lexiconOf(languageOfLine(tokens, language));
    const reader = new Reader(tokens, sensesOf(tokens, lexicon), lexicon);
    if (tokens.some(({ kind }) => kind === "run")) dayFirst ??= writesDayFirst(text, lexicon, anchor?.zone);
    const found = expressionsOf(reader, { dayFirst: dayFirst ?? true, hasContext: resolver.hasContext });
    for (const annotation of resolver.annotate(
      reader,
      line,
      withHabits(reader, withRanges(reader, withClocks(reader, found))),
    )) {
      annotations.push({ ...annotation, start: annotation.start + offset, end: annotation.end + offset });
    }
    offset += line.length + 1;
  }
  return annotations;
}

/** The dates and times that a text names, one behind the other. */
function expressionsOf(
  reader: Reader,
  { dayFirst, hasContext }: { dayFirst: boolean; hasContext: boolean },
): (Expression | ClockFound)[] {
  const found: (Expression | ClockFound)[] = [];
  let previousEnd: number | undefined = hasContext ? 0 : undefined;
  for (let place = 0; place < reader.tokens.length; ) {
    const name = reader.sense(place, "noDate");
    if (name !== undefined) {
      place += name.length;
      continue;
    }
    const date = readDate(reader, place, { dayFirst, previousEnd });
    const clock = readClock(reader, place);
    const best = clock !== undefined && clock.to > (date?.to ?? 0) ? clock : date;
    if (best !== undefined) found.push(best);
    if (best === date && date !== undefined) previousEnd = date.to;
    place = best?.to ?? place + 1;
  }
  return found;
}

function isClock(found: Expression | ClockFound | undefined): found is ClockFound {
  return found !== undefined && !("shape" in found);
}

/** A time of day belongs to the date next to it: "14:30 yesterday", "tomorrow at 3 pm"; one without a date is none. */
function withClocks(reader: Reader, found: (Expression | ClockFound)[]): Expression[] {
  const dates: Expression[] = [];
  for (let place = 0; place < found.length; place++) {
    const item = found[place];
    const next = found[place + 1];
    if (isClock(item)) {
      if (next === undefined || isClock(next) || !joins(reader, item, next)) continue;
      dates.push(timed(reader, next, item));
      place++;
    } else if (item !== undefined && isClock(next) && joins(reader, item, next)) {
      dates.push(timed(reader, item, next));
      place++;
    } else if (item !== undefined) dates.push(item);
  }
  return dates;
}

function joins(reader: Reader, first: { to: number }, second: { from: number }): boolean {
  if (second.from - first.to > MAX_CLOCK_GAP) return false;
  for (let place = first.to; place < second.from; ) {
    const link = reader.sense(place, "at", "on", "article", "ahead", "am", "pm");
    if (link === undefined && !reader.isMark(place, ",", "-", "–", "(", "'")) return false;
    place += link?.length ?? 1;
  }
  return true;
}

function timed(reader: Reader, date: Expression, { from, to, clock }: ClockFound): Expression {
  if (date.shape === "recurring") return date;
  const isDay = date.shape === "day" || date.shape === "weekday" || date.shape === "dayOfMonth" || date.unit === "day";
  if (!isDay || date.clock !== undefined) return date;
  const part = clock.exact ? undefined : partOfDay(reader, date);
  if (!clock.exact && part === undefined) return date;
  const exact = part === undefined ? clock : { ...clock, ...inHalf(clock.hour, part), half: part, exact: true };
  return { ...date, from: Math.min(from, date.from), to: Math.max(to, date.to), clock: exact };
}

/** "this morning", "tonight" */
function partOfDay(reader: Reader, { from, to }: Expression): "am" | "pm" | undefined {
  const sense = reader.sense(from, "am", "pm") ?? reader.senseBefore(to, "am", "pm");
  return sense?.kind === "am" ? "am" : sense?.kind === "pm" ? "pm" : undefined;
}

/** Two dates become a range where the words between and before them say so. */
function withRanges(reader: Reader, dates: Expression[]): Expression[] {
  const ranges: Expression[] = [];
  for (let place = 0; place < dates.length; place++) {
    const first = dates[place];
    const second = dates[place + 1];
    if (first === undefined) continue;
    if (second === undefined || !isRange(reader, first, second)) ranges.push(first);
    else {
      ranges.push({ ...first, end: second });
      place++;
    }
  }
  return ranges;
}

/** "every Tuesday and Thursday": a weekday in a list of recurring ones recurs. */
function withHabits(reader: Reader, dates: Expression[]): Expression[] {
  const habits: Expression[] = [];
  for (const date of dates) {
    const before = habits.at(-1);
    const link = before && reader.sense(before.to, "and");
    const isListed = before !== undefined && (link !== undefined || reader.isMark(before.to, ","));
    const follows = isListed && before.to + (link?.length ?? 1) === date.from;
    const recurs = follows && before.shape === "recurring" && before.weekday !== undefined && isPlainWeekday(date);
    habits.push(recurs ? { ...date, shape: "recurring", amount: before.amount } : date);
  }
  return habits;
}

function isPlainWeekday({ shape, relative }: Expression): boolean {
  return shape === "weekday" && relative === undefined;
}

const RANGE_SHAPES = new Set<Expression["shape"]>(["day", "month", "year", "weekday", "dayOfMonth", "period"]);

function isRange(reader: Reader, first: Expression, second: Expression): boolean {
  if (!RANGE_SHAPES.has(first.shape) || !RANGE_SHAPES.has(second.shape) || first.end || second.end) return false;
  const isBetween = reader.senseBefore(first.from, "between") !== undefined;
  const link = reader.sense(first.to, "to", ...(isBetween ? (["and"] as const) : []));
  const isDash = reader.isMark(first.to, "-", "–", "—");
  if (link === undefined && !isDash) return false;
  const start = reader.skip(first.to + (link?.length ?? 1), "article", "on");
  return start >= second.from && first.to + (link?.length ?? 1) <= second.from;
}

type Reading = Omit<DateAnnotation, "start" | "end" | "text">;

/** Gives expressions their days, one after the other: a later one may count from an earlier one. */
class Resolver {
  #reader!: Reader;
  readonly #anchor: Anchor | undefined;
  readonly #now: number | undefined;
  #context: Day | undefined;

  constructor(anchor: Anchor | undefined) {
    this.#anchor = anchor;
    this.#now = anchor && localTime(anchor);
  }

  get hasContext(): boolean {
    return this.#context !== undefined;
  }

  annotate(reader: Reader, text: string, expressions: Expression[]): DateAnnotation[] {
    this.#reader = reader;
    return expressions.flatMap((expression) => {
      const { from, to } = this.#span(expression);
      const start = reader.tokens[from]?.start ?? 0;
      const end = reader.tokens[to - 1]?.end ?? 0;
      const found = this.#read(expression);
      return found === undefined ? [] : { start, end, text: text.slice(start, end), ...found };
    });
  }

  #span({ from, to, end }: Expression): { from: number; to: number } {
    return { from, to: Math.max(to, end?.to ?? 0) };
  }

  #read(expression: Expression): Reading | undefined {
    if (expression.shape === "duration" || expression.shape === "recurring") {
      return recurrence(expression, this.#now === undefined ? undefined : dayOf(this.#now));
    }
    if (this.#now === undefined && expression.year === undefined) return undefined;
    const tense = tenseAt(this.#reader, expression.from, this.#span(expression).to);
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
    return { ...valuesOf(period), direction: this.#direction(period, tense), ...approximate };
  }

  #resolve(expression: Expression, tense: Tense, preference?: Preference): Period | undefined {
    const today = dayOf(this.#now ?? 0);
    const hasTense = tense !== undefined;
    return resolve(expression, {
      today,
      hasTense,
      preference: preference ?? this.#preference(expression, tense),
      context: this.#context,
    });
  }

  #preference({ from, to, shape }: Expression, tense: Tense): Preference {
    const start = this.#reader.skipBack(from, "article");
    const isSince =
      this.#reader.senseBefore(from, "since") ??
      this.#reader.senseBefore(start, "since") ??
      this.#reader.sense(to, "since");
    if (isSince !== undefined && tense !== "future") return "past";
    if (tense === "past") return "past";
    if (tense !== undefined || shape === "weekday" || shape === "dayOfMonth") return "future";
    const isUntil = this.#reader.senseBefore(from, "until", "due") ?? this.#reader.sense(to, "until");
    return isUntil === undefined ? "nearest" : "future";
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

  /** The first one behind the beginning, of the beginning's year where neither says one. */
  #endOf(first: Period, end: Expression, tense: Tense): Period | undefined {
    const last = resolve(end, { today: first.first, preference: "future", hasTense: true, context: first.first });
    if (last !== undefined && numberOf(last.last) >= numberOf(first.first)) return last;
    return this.#resolve(end, tense, "future");
  }

  #moment(day: Day, { clock }: Expression, tense: Tense): Reading {
    const { hour = 0, minute = 0, offset } = clock ?? {};
    const local = numberOf(day) * 24 * HOUR_MS + hour * HOUR_MS + minute * MINUTE_MS;
    const shown = offset ?? offsetAtLocal(this.#anchor?.zone, local);
    const instant = local - (shown ?? 0) * MINUTE_MS;
    const now = this.#anchor?.instant.getTime();
    return {
      value: isoMinute(day, hour, minute, shown),
      precision: "minute",
      direction: now === undefined ? tenseDirection(tense) : instant <= now ? "past" : "future",
      kind: "point",
    };
  }

  /** "3 hours ago" */
  #elapsed({ unit, amount = 0, approximate }: Expression): Reading | undefined {
    if (this.#now === undefined) return undefined;
    const local = this.#now + amount * (unit === "hour" ? HOUR_MS : MINUTE_MS);
    const minutes = Math.floor(local / MINUTE_MS) % (24 * 60);
    return {
      value: isoMinute(dayOf(local), Math.floor(minutes / 60), minutes % 60, offsetAtLocal(this.#anchor?.zone, local)),
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

function tenseDirection(tense: Tense): DateAnnotation["direction"] {
  return tense === "past" || tense === "future" ? tense : "unknown";
}

function valuesOf({
  precision,
  first,
  last,
}: Period): Pick<DateAnnotation, "value" | "end_value" | "precision" | "kind"> {
  switch (precision) {
    case "year":
      return { value: isoYear(first.year), precision, kind: "point" };
    case "month":
      return { value: isoMonth(first), precision, kind: "point" };
    case "season":
      return { value: isoMonth(first), end_value: isoMonth(last), precision, kind: "range" };
    case "range": {
      const isYears = first.year !== last.year;
      const [value, end_value] = isYears
        ? [isoYear(first.year), isoYear(last.year)]
        : [isoMonth(first), isoMonth(last)];
      return { value, end_value, precision, kind: "range" };
    }
    default: {
      if (numberOf(first) === numberOf(last)) return { value: isoDay(first), precision, kind: "point" };
      return { value: isoDay(first), end_value: isoDay(last), precision, kind: "range" };
    }
  }
}
