import { readFileSync, writeFileSync } from "node:fs";
import { configRows } from "../shared/kernel/config.ts";
import { deploymentRows } from "./config.ts";

/** Writes the tables of settings from the schemas that they describe; with `--check` only reports outdated ones. */
const PART = /(<!-- settings:start -->\n)[\s\S]*(<!-- settings:end -->)/;

const TABLES = [
  {
    page: "docs/settings.md",
    source: "shared/kernel/config.ts",
    lines: [
      "| Variable | Default | Meaning |",
      "|---|---|---|",
      ...configRows().map((row) => `| \`${row.name}\` | ${row.default} | ${row.meaning} |`),
    ],
  },
  {
    page: "infra/README.md",
    source: "infra/config.ts",
    lines: [
      "| Key | dev | prod | Meaning |",
      "|---|---|---|---|",
      ...deploymentRows().map((row) => `| \`${row.key}\` | ${row.dev} | ${row.prod} | ${row.meaning} |`),
    ],
  },
];
const HEADER_LINES = 2;

for (const { page, source, lines } of TABLES) {
  const file = new URL(`../${page}`, import.meta.url);
  const before = readFileSync(file, "utf8");
  if (lines.length === HEADER_LINES || !PART.test(before)) throw new Error(`no settings, or no place in ${page}`);
  const after = before.replace(PART, (_part, start, end) => `${start}${lines.join("\n")}\n${end}`);
  if (!process.argv.includes("--check")) {
    writeFileSync(file, after);
  } else if (before !== after) {
    console.error(`${page} lists other settings than ${source}: run 'npm run readme'`);
    process.exitCode = 1;
  }
}
