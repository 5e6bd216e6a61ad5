import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import type { Measured } from "./part.ts";
import { type Figure, holds, limitOf, medianOf, tailOf } from "./report.ts";

const DEVELOPMENT = new URL("../../docs/development.md", import.meta.url);
const PAGE = new URL("../../docs/benchmarks.md", import.meta.url);
/** The latest results of each part. The tables are generated from it, so a part can be measured again by itself. */
const RESULTS = new URL("results.json", import.meta.url);
/** The part with its own table. */
const COMPARED = "mem0";

interface Result extends Pick<Measured, "part" | "figures" | "outcome"> {
  measured: string;
}

/** Stores the results, and writes them into docs/benchmarks.md and docs/development.md between their markers. */
export function writeTables(all: Measured[], order: string[], isQuick: boolean): void {
  const measured = `${machineNow()}${isQuick ? "; the smaller sizes of `--quick`" : ""}`;
  const known: Result[] = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, "utf8")) : [];
  const byPart = new Map(known.map((result) => [result.part, result]));
  for (const { part, figures, outcome } of all) byPart.set(part, { part, measured, outcome, figures });
  const results = order.flatMap((part) => byPart.get(part) ?? []);
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  const own = results.filter(({ part }) => part !== COMPARED);
  const compared = results.filter(({ part }) => part === COMPARED);
  replacePart(PAGE, "suite", [...measuredOn(own), ...tableOf(own)]);
  replacePart(PAGE, COMPARED, [...measuredOn(compared), ...tableOf(compared)]);
  replacePart(DEVELOPMENT, "figures", [...measuredOn(results), ...headlinesOf(results)]);
}

function machineNow(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const day = new Date().toISOString().slice(0, 10);
  return `${day}: ${availableParallelism()} cores (${cpu?.model.trim()}), ${memory} GB, Node ${process.version}`;
}

function measuredOn(results: Result[]): string[] {
  return [`Measured on ${[...new Set(results.map(({ measured }) => measured))].join("; on ")}.`, ""];
}

function replacePart(page: URL, name: string, lines: string[]): void {
  const text = readFileSync(page, "utf8");
  const part = new RegExp(`(<!-- ${name}:start -->\n)[\\s\\S]*(<!-- ${name}:end -->)`);
  if (!part.test(text)) throw new Error(`${page.pathname} has no place for ${name}`);
  writeFileSync(
    page,
    text.replace(part, (_part, start, end) => `${start}${lines.join("\n")}\n${end}`),
  );
}

function tableOf(results: Result[]): string[] {
  return [
    "| Part | What | Baseline | p50 | p95 | Limit | From |",
    "|---|---|---|---|---|---|---|",
    ...results.flatMap(({ part, figures, outcome }) =>
      figures.length === 0
        ? [row(part, outcome, "", "", "", "", "")]
        : figures.map((figure) => row(part, figure.what, ...figureCells(figure), figure.from ?? "")),
    ),
  ];
}

function headlinesOf(results: Result[]): string[] {
  const figures = results.flatMap((result) => result.figures).filter(({ headline }) => headline);
  return [
    "| What | Beside | p50 | p95 | Aim |",
    "|---|---|---|---|---|",
    ...figures.map((figure) => row(figure.what, ...figureCells(figure))),
  ];
}

function figureCells(figure: Figure): string[] {
  const limit = holds(figure) ? limitOf(figure) : `${limitOf(figure)}: **missed**`;
  return [figure.baseline ?? "", medianOf(figure), tailOf(figure), limit];
}

function row(...cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
}
