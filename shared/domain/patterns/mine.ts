import { createSlices } from "../../kernel/slices.ts";
import { compareTexts } from "../../kernel/strings.ts";
import { words } from "../../kernel/text/text.ts";
import { languagesOf, type Signal, signalsOf, stemOf, type Term } from "../../language/asserted/signals.ts";
import type { Stemming } from "../../language/words/stems.ts";
import {
  type CountedType,
  confidenceIn,
  daysOf,
  type Evidence,
  type FoundPattern,
  MAX_EVIDENCE,
  MIN_DAYS,
  type Said,
} from "./pattern.ts";

type CountedPattern = FoundPattern & { type: CountedType };

/** Maximum patterns of a user, of each type; the strongest stay. */
const MAX_OF_TYPE: Readonly<Record<CountedType, number>> = { count: 12, habit: 8, series: 8, name: 12 };
/** Minimum days on which a single word recurs, because a word says less than two or than a name. */
const MIN_DAYS_OF_WORD = 5;
/** Maximum recurring words and pairs that are compared with each other. */
const MAX_GROUPS = 500;
/** Maximum words between two that are counted together. */
const MAX_DISTANCE = 7;
/** Minimum share of the days of the rarer of two words on which they are said together. */
const MIN_TOGETHER = 0.5;
/** Minimum share of the days of a pattern on which another one is said for saying the same. */
const SAME_SHARE = 0.75;
/** Minimum days, and minimum share of them on one day of the week, for a habit. */
const MIN_HABIT_DAYS = 5;
const MIN_WEEKDAY_SHARE = 0.8;
/** Maximum probability that a habit is chance. */
const MAX_CHANCE = 0.01;
const WEEKDAYS = 7;
/** Quantities further apart than this factor measure different things. */
const MAX_RANGE = 6;
const MAX_LABEL_WORDS = 3;
/** Minimum memories whose reading found a name. */
const MIN_NAMING = 2;

/** The memories that say something, by day: the first of each day. */
type Days = Map<string, Evidence>;

/** Counts what recurs in a user's texts, in time linear in the texts. Other work goes on meanwhile. */
export async function patternsOf(said: readonly Said[]): Promise<CountedPattern[]> {
  const languages = languagesOf(said.map(({ content }) => content));
  const nextSlice = createSlices({ inBackground: true, org: undefined });
  const read: Read[] = [];
  for (const text of said) {
    read.push({ ...text, signals: signalsOf(text.content, languages) });
    await nextSlice();
  }
  const series = seriesOf(read);
  const names = namesOf(read, languages);
  const counts = countsOf(read, names);
  const told = names.filter((name) => ![...counts, ...names].some((other) => tellsMore(other, name)));
  return strongest([...series, ...told, ...counts]);
}

/** Whether another pattern says on the same days what a name stands for, and more. */
function tellsMore(other: FoundPattern, name: FoundPattern): boolean {
  const hasMore = other.terms.length > name.terms.length && name.terms.every((term) => other.terms.includes(term));
  if (!hasMore) return false;
  const days = new Set(other.evidence.map(({ day }) => day));
  return name.evidence.filter(({ day }) => days.has(day)).length >= SAME_SHARE * name.evidence.length;
}

type Read = Said & { signals: Signal[] };

/** Keeps the strongest patterns of each type. */
function strongest(found: CountedPattern[]): CountedPattern[] {
  const byType = Map.groupBy(found, ({ type }) => type);
  return [...byType].flatMap(([type, own]) =>
    own
      .toSorted((one, other) => daysOf(other) - daysOf(one) || compareTexts(one.key, other.key))
      .slice(0, MAX_OF_TYPE[type]),
  );
}

function add(days: Days, { memory_id, day }: Pick<Said, "memory_id" | "day">, value?: string): void {
  if (!days.has(day)) days.set(day, { memory_id, day, ...(value !== undefined && { value }) });
}

/** Returns a pattern of the days on which something is said. */
function patternFrom(
  type: CountedType,
  key: string,
  { label, terms }: Pick<FoundPattern, "label" | "terms">,
  days: Days,
): CountedPattern {
  const all = [...days.values()].sort((one, other) => compareTexts(one.day, other.day));
  const evidence = all.slice(-MAX_EVIDENCE);
  return {
    type,
    key,
    label,
    terms,
    evidence,
    earlier: all.length - evidence.length,
    confidence: confidenceIn(all.length),
  };
}

// ---------------------------------------------------------------- names

/** Returns the names that recur: of people, projects, organizations and places. What is a name, memories say. */
function namesOf(read: readonly Read[], languages: Stemming): CountedPattern[] {
  const named = new Map<string, { name: string; stems: string[]; memories: number }>();
  for (const { name } of read.flatMap(({ names }) => names)) {
    const stems = words(name).map(({ folded }) => stemOf(folded, languages));
    const known = named.get(stems.join(" ")) ?? { name, stems, memories: 0 };
    known.memories++;
    named.set(stems.join(" "), known);
  }
  const byFirst = Map.groupBy(
    [...named.values()].filter(({ memories }) => memories >= MIN_NAMING),
    ({ stems }) => stems[0] ?? "",
  );
  const found = new Map<string, { name: string; stems: string[]; days: Days }>();
  for (const text of read) {
    const mentioned = new Set(text.signals.flatMap((signal) => signal.mentioned.map(({ stem }) => stem)));
    for (const { name, stems } of [...mentioned].flatMap((stem) => byFirst.get(stem) ?? [])) {
      if (!stems.every((stem) => mentioned.has(stem))) continue;
      const key = JSON.stringify(["name", ...stems]);
      const known = found.get(key) ?? { name, stems, days: new Map() };
      found.set(key, known);
      add(known.days, text);
    }
  }
  const recurring = [...found].filter(([, { days }]) => days.size >= MIN_DAYS);
  return recurring.map(([key, { name, stems, days }]) => patternFrom("name", key, { label: name, terms: stems }, days));
}

// ---------------------------------------------------------------- counts and habits

interface Group {
  stems: string[];
  days: Days;
}

/** Returns the words, alone or two together, that recur on several days and are not only a recurring name. */
function countsOf(read: readonly Read[], names: CountedPattern[]): CountedPattern[] {
  const singles = new Map<string, Days>();
  for (const text of read) {
    for (const { stem } of termsOf(text)) add(daysUnder(singles, stem), text);
  }
  const frequent = new Set([...singles].filter(([, days]) => days.size >= MIN_DAYS).map(([stem]) => stem));
  const pairs = pairsOf(read, frequent);
  const groups: Group[] = [
    ...[...pairs].map(([key, days]): Group => ({ stems: JSON.parse(key), days })),
    ...[...singles].map(([stem, days]): Group => ({ stems: [stem], days })),
  ];
  const together = ({ stems, days }: Group) => {
    if (names.some(({ terms }) => stems.every((stem) => terms.includes(stem)))) return false;
    if (stems.length === 1) return days.size >= MIN_DAYS_OF_WORD;
    const rarer = Math.min(...stems.map((stem) => singles.get(stem)?.size ?? 0));
    return days.size >= MIN_DAYS && days.size >= MIN_TOGETHER * rarer;
  };
  const labels = labelsOf(read, frequent);
  const all = [...new Set(read.map(({ day }) => day))];
  return distinctOf(groups.filter(together)).map(({ stems, days }) => {
    const texts = stems.map((stem) => labels.get(stem) ?? stem);
    const type = habitOf(days, all) === undefined ? "count" : "habit";
    return patternFrom(
      type,
      JSON.stringify(["said", ...stems.toSorted(compareTexts)]),
      { label: texts.join(" + "), terms: stems },
      days,
    );
  });
}

function termsOf({ signals }: Read): Term[] {
  return signals.flatMap(({ terms }) => terms);
}

function daysUnder(known: Map<string, Days>, key: string): Days {
  const days = known.get(key) ?? new Map();
  known.set(key, days);
  return days;
}

/** Returns the days on which two frequent words are in one sentence, near each other, in the order of their first sentence. */
function pairsOf(read: readonly Read[], frequent: ReadonlySet<string>): Map<string, Days> {
  const pairs = new Map<string, Days>();
  for (const text of read) {
    for (const { terms } of text.signals) {
      const near = terms.filter(({ stem }) => frequent.has(stem));
      for (const [index, one] of near.entries()) {
        for (const other of near.slice(index + 1)) {
          if (other.position - one.position > MAX_DISTANCE) break;
          if (one.stem === other.stem) continue;
          const reversed = JSON.stringify([other.stem, one.stem]);
          const key = pairs.has(reversed) ? reversed : JSON.stringify([one.stem, other.stem]);
          add(daysUnder(pairs, key), text);
        }
      }
    }
  }
  return pairs;
}

/** Leaves out groups that are said on the days of a stronger one that shares a word with them. */
function distinctOf(groups: Group[]): Group[] {
  const kept: Group[] = [];
  const ordered = groups.toSorted(
    (one, other) =>
      other.days.size * weightOf(other) - one.days.size * weightOf(one) ||
      compareTexts(one.stems.join(), other.stems.join()),
  );
  for (const group of ordered.slice(0, MAX_GROUPS)) {
    const isSaid = kept.some((other) => {
      if (!other.stems.some((stem) => group.stems.includes(stem))) return false;
      return sharedDays(group.days, other.days) >= SAME_SHARE * group.days.size;
    });
    if (!isSaid) kept.push(group);
  }
  return kept;
}

/** Two words say more than one. */
const weightOf = ({ stems }: Group): number => (stems.length > 1 ? 1.3 : 1);

/** Returns how each stem is written most often. */
function labelsOf(read: readonly Read[], stems: ReadonlySet<string>): Map<string, string> {
  const written = new Map<string, Map<string, number>>();
  for (const { stem, text } of read.flatMap(termsOf)) {
    if (!stems.has(stem)) continue;
    const forms = written.get(stem) ?? new Map<string, number>();
    written.set(stem, forms.set(text, (forms.get(text) ?? 0) + 1));
  }
  return new Map(
    [...written].map(([stem, forms]) => {
      const [[form] = [stem]] = [...forms].sort((one, other) => other[1] - one[1] || compareTexts(one[0], other[0]));
      return [stem, form];
    }),
  );
}

/**
 * Returns the day of the week, 0 for Sunday, on which most of the days fall, if that is unlikely to be chance: by the
 * share of this weekday among the other days on which the user said something.
 */
function habitOf(days: ReadonlyMap<string, unknown>, all: readonly string[]): number | undefined {
  const { weekday, count } = mostCommonWeekday([...days.keys()]);
  if (days.size < MIN_HABIT_DAYS || count < MIN_WEEKDAY_SHARE * days.size) return undefined;
  const others = all.filter((day) => !days.has(day));
  // As if each weekday had been said once more, so that no share is 0.
  const share = ((weekdayCounts(others)[weekday] ?? 0) + 1) / (others.length + WEEKDAYS);
  return chanceOf(count, days.size, share) <= MAX_CHANCE ? weekday : undefined;
}

/** Returns the most common day of the week of some ISO dates, and the number of dates on it. */
export function mostCommonWeekday(days: readonly string[]): { weekday: number; count: number } {
  const counts = weekdayCounts(days);
  const count = Math.max(...counts);
  return { weekday: counts.indexOf(count), count };
}

function weekdayCounts(days: readonly string[]): number[] {
  const counts = new Array<number>(WEEKDAYS).fill(0);
  for (const day of days) {
    const weekday = new Date(day).getUTCDay();
    counts[weekday] = (counts[weekday] ?? 0) + 1;
  }
  return counts;
}

/** Returns the probability of at least `count` successes in `total` attempts. */
function chanceOf(count: number, total: number, probability: number): number {
  let term = (1 - probability) ** total;
  let chance = count <= 0 ? term : 0;
  for (let successes = 1; successes <= total && probability < 1; successes++) {
    term *= ((total - successes + 1) / successes) * (probability / (1 - probability));
    if (successes >= count) chance += term;
  }
  return probability >= 1 ? 1 : chance;
}

// ---------------------------------------------------------------- series

interface Series {
  unit: string;
  stem: string;
  days: Days;
  values: number[];
}

/** Returns the quantities that are said again and again with the same unit and the same word beside them. */
function seriesOf(read: readonly Read[]): CountedPattern[] {
  const found = new Map<string, Series>();
  const labels = labelsOf(read, new Set(read.flatMap(termsOf).map(({ stem }) => stem)));
  for (const text of read) {
    for (const { terms, quantities } of text.signals) {
      const byUnit = Map.groupBy(quantities, ({ unit }) => unit);
      for (const [unit, [quantity, ...others]] of byUnit) {
        if (quantity === undefined || others.length > 0) continue;
        for (const stem of new Set(
          terms.filter(({ text: word }) => word.toLowerCase() !== unit).map((term) => term.stem),
        )) {
          const key = JSON.stringify(["series", stem, unit]);
          const known: Series = found.get(key) ?? { unit, stem, days: new Map(), values: [] };
          found.set(key, known);
          if (!known.days.has(text.day)) known.values.push(quantity.value);
          add(known.days, text, quantity.text);
        }
      }
    }
  }
  const varying = [...found].filter(([, { days, values }]) => days.size >= MIN_DAYS && isSeries(values));
  const kept: { key: string; stems: string[]; of: Series }[] = [];
  for (const [key, own] of varying.sort(
    ([one, a], [other, b]) => b.days.size - a.days.size || compareTexts(one, other),
  )) {
    const same = kept.find(
      ({ of }) => of.unit === own.unit && sharedDays(own.days, of.days) >= SAME_SHARE * own.days.size,
    );
    if (same === undefined) kept.push({ key, stems: [own.stem], of: own });
    // Words that are always beside the values name the series together: "blood + pressure".
    else if (sharedDays(own.days, same.of.days) === same.of.days.size) same.stems.push(own.stem);
  }
  return kept.map(({ key, stems, of }) => {
    const label = stems.slice(0, MAX_LABEL_WORDS).map((stem) => labels.get(stem) ?? stem);
    return patternFrom("series", key, { label: label.join(" + "), terms: stems }, of.days);
  });
}

function sharedDays(one: Days, other: Days): number {
  return [...one.keys()].filter((day) => other.has(day)).length;
}

/** Whether values vary, and are near enough to each other to measure the same. */
function isSeries(values: number[]): boolean {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return new Set(values).size > 1 && least > 0 && most / least <= MAX_RANGE;
}
