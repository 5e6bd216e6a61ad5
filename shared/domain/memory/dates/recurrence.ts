import { addDays, type Day, daysUntil, isoDay, isoMonth } from "./calendar.ts";
import type { Expression } from "./expression.ts";
import type { Unit } from "./lexicon.ts";
import type { DateAnnotation } from "./schema.ts";

/** Letters of ISO 8601 durations. */
const LETTERS: Partial<Record<Unit, string>> = { year: "Y", month: "M", week: "W", weekend: "W", day: "D" };
const CLOCK_LETTERS: Partial<Record<Unit, string>> = { hour: "H", minute: "M" };

type Repeated = Pick<DateAnnotation, "value" | "precision" | "direction" | "kind">;

/**
 * Returns a duration ("for four years": P4Y) or a recurrence ("every Monday": R/2026-11-23/P1W, starting with the next
 * one).
 */
export function recurrence(expression: Expression, today: Day | undefined): Repeated | undefined {
  const { shape, unit, amount = 1, weekday, month } = expression;
  const kind = shape === "duration" ? "duration" : "recurring";
  const common = { direction: "unknown", kind } as const;
  if (kind === "duration") {
    return unit && { value: duration(unit, amount), precision: precisionOf(unit), ...common };
  }
  if (weekday !== undefined) {
    const first = today && isoDay(addDays(today, daysUntil(weekday, today)));
    return { value: repeated(first, duration("week", amount)), precision: "day", ...common };
  }
  if (month !== undefined) {
    const first = today && isoMonth({ year: today.year + (month < today.month ? 1 : 0), month });
    return { value: repeated(first, duration("year", amount)), precision: "month", ...common };
  }
  return unit && { value: repeated(undefined, duration(unit, amount)), precision: precisionOf(unit), ...common };
}

function repeated(first: string | undefined, period: string): string {
  return first === undefined ? `R/${period}` : `R/${first}/${period}`;
}

function duration(unit: Unit, amount: number): string {
  const letter = LETTERS[unit];
  return letter === undefined ? `PT${amount}${CLOCK_LETTERS[unit]}` : `P${amount}${letter}`;
}

function precisionOf(unit: Unit): DateAnnotation["precision"] {
  return unit === "weekend" ? "day" : unit;
}
