import type { Timings } from "./timing.ts";

/** One figure of the table. */
export interface Figure {
  what: string;
  /** What it is a ratio to, measured in the same run; nothing where it is an amount, such as memory. */
  baseline?: string;
  /** The median, where there are many runs. */
  value: number;
  /**
   * The 95th percentile of what was measured over that of its baseline, where both have many runs; of a rate, the rate
   * at the 95th percentile of the times.
   */
  p95?: number;
  unit: "x" | "/s" | "ms" | "MB" | "MB/s" | "KB" | "%" | "";
  /** What the value must be at most or at least. */
  limit?: { atMost: number } | { atLeast: number };
  /** What it was made of. */
  from?: string;
  /** Whether the README's table has it too. */
  headline?: true;
}

/** What a part of the suite has to tell: its figures, or why it measured nothing. */
export type Report = { figures: Figure[] } | { skipped: string };

/** Hands the figures to the process that asked for them, or prints them where nobody did. */
export function report(figures: Figure[]): void {
  if (process.send) process.send({ figures } satisfies Report);
  else printFigures(figures);
}

/** Tells that a part cannot be measured here, and why. */
export function skip(reason: string): void {
  if (process.send) process.send({ skipped: reason } satisfies Report);
  else console.log(`skipped: ${reason}`);
}

/** How long something takes beside its baseline. */
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

/** Three digits, which is more than a shared machine tells. */
export function readable(value: number): number {
  return value >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
}

function withUnit(value: number, unit: Figure["unit"]): string {
  return `${readable(value).toLocaleString("en")} ${unit}`.trimEnd();
}
