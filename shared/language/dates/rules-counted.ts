import { GENITIVES } from "./evidence.ts";
import type { Expression, Reader, Rule } from "./expression.ts";

function amountAt(reader: Reader, index: number) {
  const modifier = reader.sense(index, "approximate");
  const few = reader.sense(index, "few");
  if (few !== undefined) return { value: few.value, to: index + few.length, approximate: true };
  const start = index + (modifier?.length ?? 0);
  const isExactly = reader.tokens[start]?.lower === "exactly" ? 1 : 0;
  const digits = reader.number(start + isExactly, 9999);
  if (digits !== undefined) return { value: digits, to: start + isExactly + 1, approximate: modifier !== undefined };
  const word = reader.sense(start + isExactly, "number");
  return word && { value: word.value, to: start + isExactly + word.length, approximate: modifier !== undefined };
}

/** "two weeks ago", "a week later", "3日前"; "vor zwei Wochen", "in two weeks". */
const shifted: Rule = (reader, index, context) => {
  const lead = reader.sense(index, "agoBefore", "ahead");
  const amount = amountAt(reader, index + (lead?.length ?? 0));
  const unit = amount && reader.sense(amount.to, "unit", "habit", "weekday");
  if (amount === undefined || unit === undefined) return undefined;
  const end = amount.to + unit.length;
  if (unit.kind !== "unit")
    return weekdaysAgo(reader, { from: index, to: end, amount: amount.value, weekday: unit.value });
  const isApproximate = amount.approximate || reader.senseBefore(index, "approximate") !== undefined;
  const found = { from: index, shape: "shift" as const, unit: unit.unit, ...(isApproximate && { approximate: true }) };
  const trail = reader.sense(end, "ago", "fromNow", "later");
  if (trail !== undefined) {
    const sign = trail.kind === "ago" ? -1 : 1;
    const fromContext = trail.kind === "later";
    if (fromContext && context.previousEnd === undefined) return undefined;
    return { ...found, to: end + trail.length, amount: sign * amount.value, ...(fromContext && { fromContext }) };
  }
  if (lead === undefined) return undefined;
  if (lead.kind === "agoBefore") return { ...found, to: end, amount: -amount.value };
  return { ...found, to: end, amount: amount.value, onlyAhead: true };
};

/** "two Fridays ago" */
function weekdaysAgo(reader: Reader, counted: Omit<Expression, "shape">): Expression | undefined {
  const ago = reader.sense(counted.to, "ago");
  return ago && { ...counted, to: counted.to + ago.length, shape: "weekday", relative: -1 };
}

/** "the last 3 days of the trip" are counted from the end of the trip. */
const GENITIVE = new RegExp(`^(?:${GENITIVES})$`);

/** "the last 3 days", "ces deux dernières semaines", "最近三天": a period until now, or from now on. */
const stretch: Rule = (reader, index) => {
  const lead = reader.sense(index, "pastMany", "nextMany");
  const amount = amountAt(reader, index + (lead?.length ?? 0));
  const side = lead ?? (amount && reader.sense(amount.to, "pastMany", "nextMany"));
  if (amount === undefined || side === undefined) return undefined;
  const start = lead === undefined ? amount.to + side.length : amount.to;
  const unit = reader.sense(start, "unit");
  if (unit?.unit === undefined || unit.unit === "hour" || unit.unit === "minute") return undefined;
  const to = start + unit.length;
  if (GENITIVE.test(reader.tokens[to]?.lower ?? "") || reader.sense(to, "ago", "fromNow") !== undefined)
    return undefined;
  const found = { from: index, to, shape: "span" as const, unit: unit.unit, approximate: amount.approximate };
  return { ...found, amount: side.kind === "pastMany" ? -amount.value : amount.value };
};

const lasting: Rule = (reader, index) => {
  const lead = reader.sense(index, "lasting");
  const amount = lead && amountAt(reader, index + lead.length);
  const unit = amount && !amount.approximate && reader.sense(amount.to, "unit");
  if (!amount || !unit || unit.unit === "weekend") return undefined;
  const to = amount.to + unit.length;
  if (reader.sense(to, "ago", "fromNow") !== undefined) return undefined;
  return { from: index, to, shape: "duration", amount: amount.value, unit: unit.unit };
};

/** "the next day" is relative to the previous date. */
const dayAfter: Rule = (reader, index, { previousEnd }) => {
  const sense = previousEnd === undefined ? undefined : reader.sense(index, "nextDay");
  if (sense === undefined) return undefined;
  return { from: index, to: index + sense.length, shape: "shift", unit: "day", amount: 1, fromContext: true };
};

const recurring: Rule = (reader, index) => {
  const habit = reader.sense(index, "habit");
  if (habit !== undefined && !isDated(reader, index + habit.length)) {
    return { from: index, to: index + habit.length, shape: "recurring", weekday: habit.value };
  }
  const every = reader.sense(index, "every", "everyOther");
  if (every === undefined) return undefined;
  const start = index + every.length;
  const digits = reader.number(start, 99);
  const amount = every.kind === "everyOther" ? 2 : digits;
  const noun = reader.sense(start + (digits === undefined ? 0 : 1), "weekday", "habit", "unit", "month");
  if (noun === undefined) return undefined;
  const to = start + (digits === undefined ? 0 : 1) + noun.length;
  const found = { from: index, to, shape: "recurring" as const, amount: amount ?? 1 };
  if (noun.kind === "unit") {
    const weekday = noun.unit === "week" ? reader.sense(to, "weekday") : undefined;
    if (weekday !== undefined) return { ...found, to: to + weekday.length, weekday: weekday.value };
    return noun.unit === "weekend" ? { ...found, weekday: 5 } : { ...found, unit: noun.unit };
  }
  return noun.kind === "month" ? { ...found, month: noun.value } : { ...found, weekday: noun.value };
};

export const COUNTED_RULES = [shifted, stretch, lasting, dayAfter, recurring];

/** "le lundi 3 mai" is one Monday. */
function isDated(reader: Reader, index: number): boolean {
  return (
    reader.number(index, 31) !== undefined ||
    reader.sense(index, "relative") !== undefined ||
    reader.tokens[index]?.kind === "run"
  );
}
