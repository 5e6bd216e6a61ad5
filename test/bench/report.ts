import type { Timings } from "./timing.ts";

/** One figure of the table. */
export interface Figure {
  what: string;
  /** The denominator of a ratio, measured in the same run; undefined for an absolute amount, such as memory. */
  baseline?: string;
  /** The median if there are many runs. */
  value: number;
  /**
   * The 95th percentile of the measurements divided by the baseline's, if both have many runs; for a rate, the rate at
   * the 95th percentile of the times.
   */
  p95?: number;
  unit: "x" | "/s" | "ms" | "MB" | "MB/s" | "KB" | "%" | "";
  /** The limit of the value. */
  limit?: { atMost: number } | { atLeast: number };
  /** Details of how it was measured. */
  from?: string;
  /** Whether the table in docs/development.md also includes it. */
  headline?: true;
}

/** The result of a part of the suite: its figures, or why it measured nothing. */
export type Report = { figures: Figure[] } | { skipped: string };

/** Sends the figures to the parent process, or prints them if there is none. */
export function report(figures: Figure[]): void {
  if (process.send) process.send({ figures } satisfies Report);
  else printFigures(figures);
}

/** Reports that a part cannot be measured here, and why. */
export function skip(reason: string): void {
  if (process.send) process.send({ skipped: reason } satisfies Report);
  else console.log(`skipped: ${reason}`);
}

/** Returns the duration of something relative to its baseline. */
export function ratio(
  what: string,
  baseline: string,
  [measured, to]: [Timings, Timings],
  { limit, from, headline }: Pick<Figure, "limit" | "from" | "headline"> = {},
): Figure {
  return {
    what,
    baseline,
    value: measured.p50 / to.p50,
    p95: measured.p95 / to.p95,
    unit: "x",
    ...(limit && { limit }),
    ...(headline && { headline }),
    from: `${readable(measured.p50)} : ${readable(to.p50)} ms${from === undefined ? "" : `, ${from}`}`,
  };
}

export function printFigures(figures: Figure[]): void {
  console.table(
    figures.map((figure) => ({
      what: figure.what,
      baseline: figure.baseline ?? "",
      p50: medianOf(figure),
      p95: tailOf(figure),
      limit: limitOf(figure),
      holds: figure.limit === undefined ? "" : holds(figure) ? "yes" : "NO",
      from: figure.from ?? "",
    })),
  );
}

export function holds({ value, limit }: Figure): boolean {
  if (limit === undefined) return true;
  return "atMost" in limit ? value <= limit.atMost : value >= limit.atLeast;
}

export function medianOf({ value, unit }: Figure): string {
  return withUnit(value, unit);
}

export function tailOf({ p95, unit }: Figure): string {
  return p95 === undefined ? "" : withUnit(p95, unit);
}

export function limitOf({ limit, unit }: Figure): string {
  if (limit === undefined) return "";
  return "atMost" in limit ? `<= ${withUnit(limit.atMost, unit)}` : `>= ${withUnit(limit.atLeast, unit)}`;
}

/** Rounds to three digits, which is more than the precision on a shared machine. */
export function readable(value: number): number {
  return value >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
}

function withUnit(value: number, unit: Figure["unit"]): string {
  return `${readable(value).toLocaleString("en")} ${unit}`.trimEnd();
}
