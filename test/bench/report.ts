/** One figure of the table. */
export interface Figure {
  what: string;
  value: number;
  unit: "x" | "/s" | "MB" | "MB/s" | "KB" | "ms";
  /** What the figure must be at most or at least. */
  limit?: { atMost: number } | { atLeast: number };
  /** What it was made of. */
  from?: string;
}

/** Hands the figures to the process that asked for them, or prints them where nobody did. */
export function report(figures: Figure[]): void {
  if (process.send) process.send(figures);
  else printFigures(figures);
}

export function printFigures(figures: Figure[]): void {
  console.table(
    figures.map((figure) => ({
      what: figure.what,
      measured: `${readable(figure.value)} ${figure.unit}`,
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

/** Three digits, which is more than a shared machine tells. */
export function readable(value: number): number {
  return value >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
}

function limitOf({ limit, unit }: Figure): string {
  if (limit === undefined) return "";
  return "atMost" in limit ? `<= ${limit.atMost} ${unit}` : `>= ${limit.atLeast} ${unit}`;
}
