import { readFileSync, writeFileSync } from "node:fs";
import { SECRET_EXPOSURE } from "../shared/domain/memory/secret-exposure.ts";
import { configRows } from "../shared/entry/config.ts";
import { PACKS } from "../shared/language/languages/packs.ts";
import { deploymentRows } from "./config.ts";
import { costLines } from "./costs.ts";

const yes = (part: unknown) => (part === undefined ? "" : "yes");
const isCharacters = (script: string | undefined) => script === "Han" || script === "Kana";

/** Writes tables of the documentation from their sources; with `--check` only reports outdated ones. */
const TABLES = [
  {
    part: "settings",
    page: "docs/settings.md",
    source: "shared/entry/config.ts",
    lines: [
      "| Variable | Default | Meaning |",
      "|---|---|---|",
      ...configRows().map((row) => `| \`${row.name}\` | ${row.default} | ${row.meaning} |`),
    ],
  },
  {
    part: "languages",
    page: "docs/understanding.md",
    source: "shared/language/languages",
    lines: [
      "| Language | Detected, words without endings | Dates | Facts by rule |",
      "|---|---|---|---|",
      ...Object.entries(PACKS).map(
        ([code, { name, stems, script, dates, grammar }]) =>
          `| ${name} (\`${code}\`) | ${stems ? "both" : "detected"}${isCharacters(script) ? ", pairs of characters" : ""} | ${yes(dates)} | ${yes(grammar ?? (code === "en" || undefined))} |`,
      ),
    ],
  },
  {
    part: "exposure",
    page: "docs/secrets.md",
    source: "shared/domain/memory/secret-exposure.ts",
    lines: [
      "| What | To a request about exactly its user | To all others |",
      "|---|---|---|",
      ...Object.values(SECRET_EXPOSURE).map((row) => `| ${row.what} | ${row.toItsUser} | ${row.toOthers} |`),
    ],
  },
  {
    part: "costs",
    page: "infra/README.md",
    source: "infra/costs.csv",
    lines: costLines(),
  },
  {
    part: "settings",
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

for (const { part, page, source, lines } of TABLES) {
  const file = new URL(`../${page}`, import.meta.url);
  const before = readFileSync(file, "utf8");
  const table = new RegExp(`(<!-- ${part}:start -->\\n)[\\s\\S]*(<!-- ${part}:end -->)`);
  if (lines.length === HEADER_LINES || !table.test(before)) throw new Error(`no ${part}, or no place in ${page}`);
  const after = before.replace(table, (_part, start, end) => `${start}${lines.join("\n")}\n${end}`);
  if (!process.argv.includes("--check")) {
    writeFileSync(file, after);
  } else if (before !== after) {
    console.error(`${page} has other ${part} than ${source}: run 'npm run readme'`);
    process.exitCode = 1;
  }
}
