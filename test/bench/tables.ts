import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import type { Measured } from "./part.ts";
import { type Figure, holds, limitOf, medianOf, tailOf } from "./report.ts";

const PAGE = new URL("../../docs/benchmarks.md", import.meta.url);
/** The part that has a table of its own. */
const COMPARED = "mem0";

/** Writes the figures and what they were measured on into docs/benchmarks.md, between its markers. */
export function writeTables(all: Measured[], isQuick: boolean): void {
  const machine = `${machineNow()}${isQuick ? "; the smaller sizes of `--quick`" : ""}.`;
  const own = all.filter(({ part }) => part !== COMPARED);
  const compared = all.filter(({ part }) => part === COMPARED);
  const page = readFileSync(PAGE, "utf8");
  const first = own.length > 0 ? replacePart(page, "suite", [machine, "", ...tableOf(own)]) : page;
  writeFileSync(PAGE, compared.length > 0 ? replacePart(first, COMPARED, [machine, "", ...tableOf(compared)]) : first);
}

function machineNow(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const day = new Date().toISOString().slice(0, 10);
  return `Measured on ${day}: ${availableParallelism()} cores (${cpu?.model.trim()}), ${memory} GB, Node ${process.version}`;
}

function replacePart(page: string, name: string, lines: string[]): string {
  const part = new RegExp(`(<!-- ${name}:start -->\n)[\\s\\S]*(<!-- ${name}:end -->)`);
  if (!part.test(page)) throw new Error(`docs/benchmarks.md has no place for ${name}`);
  return page.replace(part, (_part, start, end) => `${start}${lines.join("\n")}\n${end}`);
}

function tableOf(all: Measured[]): string[] {
  return [
    "| Part | What | Baseline | p50 | p95 | Limit | From |",
    "|---|---|---|---|---|---|---|",
    ...all.flatMap(({ part, figures, outcome }) =>
      figures.length === 0
        ? [row(part, outcome, "", "", "", "", "")]
        : figures.map((figure) => row(part, figure.what, ...figureCells(figure))),
    ),
  ];
}

function figureCells(figure: Figure): string[] {
  const limit = holds(figure) ? limitOf(figure) : `${limitOf(figure)}: **missed**`;
  return [figure.baseline ?? "", medianOf(figure), tailOf(figure), limit, figure.from ?? ""];
}

function row(...cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
}
