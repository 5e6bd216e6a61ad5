import { occurredMs } from "../../../kernel/event-time.ts";
import { memoizedByText } from "../../../kernel/memoized.ts";
import { annotateDates } from "../../../language/dates/annotate.ts";
import { type TimeRange, timeOfDate } from "../../../language/dates/asked.ts";
import type { SearchSource } from "../../../ports/search-index.ts";

/** Characters of a text that are searched for dates. */
const READ_LENGTH = 500;
const OFFSET = /[+-]\d\d:\d\d$/;

/** The time ranges that a query may ask about, compared with memories. */
export class AskedTime {
  readonly #ranges: TimeRange[];

  constructor(ranges: TimeRange[]) {
    this.#ranges = ranges;
  }

  /** Whether a memory happened in one of the ranges. */
  holds(memory: SearchSource): boolean {
    return this.#ranges.some((range) => distanceTo(range, occurredMs(memory)) === 0);
  }

  /** Returns how near to a range a memory happened, 0..1; 0 inside a range, and beyond the range's own length. */
  nearness(memory: SearchSource): number {
    const distances = this.#ranges.map((range) => distanceTo(range, occurredMs(memory)) / (range.to - range.from));
    const nearest = Math.min(...distances);
    return nearest > 0 && nearest < 1 ? 1 - nearest : 0;
  }

  /** Returns the greatest share of a date named by the memory's text that lies in one of the ranges, 0..1. */
  namedBy(memory: SearchSource): number {
    if (this.#ranges.length === 0) return 0;
    const { occurred_at, created_at, content } = memory;
    const times = timesNamed(`${occurred_at ?? ""} ${created_at}\n${content.slice(0, READ_LENGTH)}`);
    return Math.max(0, ...times.flatMap((time) => this.#ranges.map((range) => shareIn(range, time))));
  }
}

/** Characters of the texts whose dates are cached. */
const MAX_CACHED_TEXT = 2_000_000;

/** Returns the times that a text names, after a line with when it was said and stored. */
const timesNamed = memoizedByText((saidText) => {
  const end = saidText.indexOf("\n");
  const [occurred_at = "", created_at = ""] = saidText.slice(0, end).split(" ");
  const zone = OFFSET.exec(occurred_at)?.[0];
  const anchor = { instant: new Date(occurred_at === "" ? created_at : occurred_at), zone };
  return annotateDates(saidText.slice(end + 1), anchor).flatMap((date) => timeOfDate(date, zone) ?? []);
}, MAX_CACHED_TEXT);

function distanceTo({ from, to }: TimeRange, moment: number): number {
  return Math.max(0, from - moment, moment - to);
}

function shareIn(range: TimeRange, { from, to }: TimeRange): number {
  return Math.max(0, Math.min(range.to, to) - Math.max(range.from, from)) / (to - from);
}
