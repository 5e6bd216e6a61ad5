import { readFileSync, writeFileSync } from "node:fs";
import { costTables } from "./costs/tables.ts";

/**
 * Writes the cost model's part of infra/README.md from measured counts; with `--check` only reports whether it is
 * outdated.
 */
const README = new URL("README.md", import.meta.url);
const PART = /(<!-- costs:start -->\n)[\s\S]*(<!-- costs:end -->)/;

const before = readFileSync(README, "utf8");
if (!PART.test(before)) throw new Error("infra/README.md has no place for costs");
const tables = await costTables();
const after = before.replace(PART, (_part, start, end) => `${start}\n${tables}\n\n${end}`);

if (!process.argv.includes("--check")) {
  writeFileSync(README, after);
} else if (before !== after) {
  console.error("infra/README.md has other costs than infra/costs: run 'node infra/costs.ts'");
  process.exitCode = 1;
}
