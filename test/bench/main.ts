/**
 * `npm run bench [-- --quick] [-- --write] [-- PART …]`: measures the service part by part, each in its own process
 * with its own time limit, and prints one table; `--write` also writes it to docs/benchmarks.md and
 * docs/development.md. A part that fails or takes too long becomes a row that says so, and the others still run. Exits
 * with 1 if a part failed or a figure misses its limit.
 */
import { parseArgs } from "node:util";
import { type Measured, measurePart } from "./part.ts";
import { holds, printFigures } from "./report.ts";
import { writeTables } from "./tables.ts";

/** The parts in their order, with their time limits in minutes. */
const PARTS: Record<string, number> = {
  "read-memory": 3,
  cost: 10,
  "store-batches": 3,
  vectors: 10,
  "many-vectors": 10,
  search: 10,
  recall: 5,
  "recall-time": 5,
  extraction: 2,
  understanding: 4,
  facts: 2,
  compression: 3,
  console: 4,
  compat: 3,
  models: 3,
  tenants: 4,
  fairness: 20,
  sessions: 6,
  "sign-ins": 3,
  secrets: 2,
  skills: 3,
  sources: 7,
  webhooks: 4,
  transfers: 5,
  backups: 4,
  handlers: 5,
  mem0: 12,
  patterns: 3,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: "boolean", default: false }, quick: { type: "boolean", default: false } },
});
const unknown = positionals.filter((part) => PARTS[part] === undefined);
if (unknown.length > 0) {
  throw new Error(`no such part: ${unknown.join(", ")}; there are ${Object.keys(PARTS).join(", ")}`);
}

const all: Measured[] = [];
for (const [part, minutes] of Object.entries(PARTS)) {
  if (positionals.length > 0 && !positionals.includes(part)) continue;
  console.log(`measuring ${part} …`);
  const measured = await measurePart(part, { minutes, isQuick: values.quick });
  console.log(`${part}: ${measured.outcome} after ${Math.round(measured.seconds)} s`);
  // Limits only apply to the usual sizes.
  all.push(
    values.quick ? { ...measured, figures: measured.figures.map(({ limit: _, ...figure }) => figure) } : measured,
  );
}
printFigures(all.flatMap(({ figures }) => figures));
for (const { part, outcome } of all) if (outcome !== "measured") console.log(`${part}: ${outcome}`);
if (values.write) writeTables(all, Object.keys(PARTS), values.quick);
const isFine = all.every(({ hasFailed, figures }) => !hasFailed && figures.every(holds));
if (!isFine) process.exitCode = 1;
