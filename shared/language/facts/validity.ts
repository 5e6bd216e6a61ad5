import { DATE_LENGTH, dateOf } from "../../kernel/clock.ts";
import { setOf } from "../../kernel/strings.ts";
import type { DateAnnotation } from "../dates/annotate.ts";
import type { Word } from "./words.ts";

/** When something holds, as far as the words say. ISO dates; `to` is exclusive. */
export interface Validity {
  from?: string | undefined;
  to?: string | undefined;
  /** "since", "from": the first date is a start, not the whole period. */
  isOpenEnded: boolean;
}

/** Words before a date that make it a start or an end. */
export interface DatePrefixes {
  since: ReadonlySet<string>;
  until: ReadonlySet<string>;
}

const ENGLISH_PREFIXES: DatePrefixes = {
  since: setOf("since from starting as of effective beginning"),
  until: setOf("until till til through"),
};
const UNKNOWN: Validity = { isOpenEnded: false };

type PositionedWord = Pick<Word, "normal" | "start" | "end">;

/** Returns the period that the dates of a clause state. Recurring dates and durations are ignored. */
export function validityOf(
  words: PositionedWord[],
  dates: DateAnnotation[],
  { since, until } = ENGLISH_PREFIXES,
): Validity {
  const [first] = words;
  const last = words.at(-1);
  if (first === undefined || last === undefined) return UNKNOWN;
  const within = dates.filter(
    ({ kind, start, end }) => kind !== "recurring" && kind !== "duration" && start < last.end && end > first.start,
  );
  const validity: Validity = { isOpenEnded: false };
  for (const date of within) {
    const { prefix, isAtEnd } = prefixOf(words, date.start);
    const [start, end] = boundsOf(date);
    if (start === undefined || end === undefined) continue;
    // "From 2012 to 2016" is the interval itself.
    if (date.kind === "range" && since.has(prefix)) return { from: start, to: end, isOpenEnded: false };
    if (until.has(prefix) || until.has(firstWord(date.text)))
      validity.to ??= date.value.length < DATE_LENGTH && !isAtEnd ? start : end;
    else if (since.has(prefix) || since.has(firstWord(date.text))) {
      validity.from ??= start;
      validity.isOpenEnded = true;
    } else {
      if (validity.from !== undefined) continue;
      validity.from = start;
      validity.to ??= end;
    }
  }
  return validity;
}

/** Returns a validity without its end. */
export function onwards(validity: Validity): Validity {
  return { ...validity, to: undefined };
}

/** Returns the start of a future event. A date before `day` is omitted, because it belongs to another year. */
export function notBefore({ from, isOpenEnded }: Validity, day: string | undefined): Validity {
  const isAhead = from !== undefined && (day === undefined || from >= day);
  return isAhead ? { from, isOpenEnded } : { isOpenEnded: false };
}

function firstWord(text: string): string {
  return text.slice(0, text.indexOf(" ") === -1 ? undefined : text.indexOf(" ")).toLowerCase();
}

/** Returns the word before a date, or before "the end of" a date. */
function prefixOf(words: PositionedWord[], start: number): { prefix: string; isAtEnd: boolean } {
  const date = words.findIndex((word) => word.start >= start);
  const before = words.slice(0, Math.max(0, date));
  const last = before.findLastIndex(({ normal }) => !BETWEEN.has(normal) && !ENDS.has(normal));
  return { prefix: before[last]?.normal ?? "", isAtEnd: before.slice(last + 1).some(({ normal }) => ENDS.has(normal)) };
}

const ENDS = setOf("end ende fin final finales");
/** Words between a preposition and its date: "as of 5 May", "since the 28th", "seit dem ersten Mai". */
const BETWEEN = setOf("of the dem el le la");
const MONTH_LENGTH = "2023-05".length;
const YEAR_LENGTH = "2023".length;
const PARTIAL = /^\d{4}(?:-\d{2}(?:-\d{2}(?:T\S+)?)?)?$/;

/** Returns the first moment of a date, and the first moment after it. */
function boundsOf({ value, end_value }: DateAnnotation): [string?, string?] {
  return [beginningOf(value), endOf(end_value ?? value)];
}

function beginningOf(value: string): string | undefined {
  if (!PARTIAL.test(value) || Number.isNaN(Date.parse(value))) return undefined;
  if (value.length === YEAR_LENGTH) return `${value}-01-01`;
  return value.length === MONTH_LENGTH ? `${value}-01` : value;
}

function endOf(value: string): string | undefined {
  const beginning = beginningOf(value);
  if (beginning === undefined) return undefined;
  const day = new Date(`${dateOf(beginning)}T00:00:00Z`);
  if (value.length === YEAR_LENGTH) day.setUTCFullYear(day.getUTCFullYear() + 1);
  else if (value.length === MONTH_LENGTH) day.setUTCMonth(day.getUTCMonth() + 1);
  else day.setUTCDate(day.getUTCDate() + 1);
  const end = day.toISOString();
  return PARTIAL.test(dateOf(end)) ? dateOf(end) : undefined;
}
