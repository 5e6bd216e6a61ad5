/**
 * `npm run bench [-- NAME …]`: measures the service part by part, each in a process of its own, and prints one table.
 * Ends with 1 when a figure misses its limit. Times are ratios of one run, as machines differ and others use them too.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Figure, holds, printFigures } from "./report.ts";

const PARTS = [
  "read-memory",
  "store-batches",
  "search",
  "compat",
  "spreading",
  "tenants",
  "sessions",
  "sign-ins",
  "skills",
  "sources",
  "webhooks",
  "transfers",
  "backups",
  "handlers",
];

const { positionals } = parseArgs({ allowPositionals: true });
const parts = positionals.length > 0 ? positionals : PARTS;
const unknown = parts.filter((part) => !PARTS.includes(part));
if (unknown.length > 0) throw new Error(`no such part: ${unknown.join(", ")}; there are ${PARTS.join(", ")}`);
const figures: Figure[] = [];
for (const part of parts) {
  console.log(`measuring ${part} …`);
  figures.push(...(await measure(part)));
}
printFigures(figures);
if (!figures.every(holds)) process.exitCode = 1;

async function measure(part: string): Promise<Figure[]> {
  const child = fork(fileURLToPath(new URL(`${part}.ts`, import.meta.url)));
  const ended = once(child, "exit");
  const early = ended.then(([code]) => Promise.reject(new Error(`${part} ended with ${code} and no figures`)));
  const [figures] = await Promise.race([once(child, "message"), early]);
  child.disconnect();
  await ended;
  return figures as Figure[];
}
