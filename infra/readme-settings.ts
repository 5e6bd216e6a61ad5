import { readFileSync, writeFileSync } from "node:fs";
import { configRows } from "../shared/kernel/config.ts";

/** Writes the README's table of settings from the configuration's own; with `--check` only says whether it is stale. */
const README = new URL("../README.md", import.meta.url);
const PART = /(<!-- settings:start -->\n)[\s\S]*(<!-- settings:end -->)/;

const rows = configRows();
const table = [
  "| Variable | Default | Meaning |",
  "|---|---|---|",
  ...rows.map((row) => `| \`${row.name}\` | ${row.default} | ${row.meaning} |`),
];
const before = readFileSync(README, "utf8");
if (rows.length === 0 || !PART.test(before)) throw new Error("no settings, or no place for them in README.md");
const after = before.replace(PART, `$1${table.join("\n")}\n$2`);

if (!process.argv.includes("--check")) {
  writeFileSync(README, after);
} else if (before !== after) {
  console.error("README.md lists other settings than shared/kernel/config.ts: run 'npm run readme'");
  process.exitCode = 1;
}
