/** `npm run bundle [-- --time]`: bundles all handlers and prints what each weighs and, timed, how long its import takes. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { type Bundle, bundleHandlers, HANDLER_BUDGET_BYTES } from "./bundle.ts";

const TIMED_RUNS = 7;
const BASELINE_SOURCE = fileURLToPath(new URL("bundle-baseline.ts", import.meta.url));
const BASELINE_FOLDER = fileURLToPath(new URL("../dist/baseline", import.meta.url));

const { values } = parseArgs({ options: { time: { type: "boolean", default: false } } });
const bundle = await bundleHandlers();
console.table(sizeRows(bundle));
console.log(
  `all files ${kilobytes(bundle.totalBytes)} KB; budget ${kilobytes(HANDLER_BUDGET_BYTES)} KB a handler, own + shared`,
);
if (values.time) console.table(await importTimes(bundle));

function sizeRows({ handlers }: Bundle) {
  return handlers.map(({ name, own, shared, dynamic }) => ({
    handler: name,
    "own KB": kilobytes(own),
    "shared KB": kilobytes(shared),
    "own + shared KB": kilobytes(own + shared),
    "dynamic KB": kilobytes(dynamic),
  }));
}

async function importTimes({ folder, handlers }: Bundle) {
  const baseline = await bundleHandlers({ folder: BASELINE_FOLDER, entries: { baseline: BASELINE_SOURCE } });
  const bare = medianImportMilliseconds(path.join(baseline.folder, "baseline.mjs"));
  const row = (handler: string, milliseconds: number) => ({
    handler,
    "import ms": milliseconds,
    "x bare Hono": Number((milliseconds / bare).toFixed(1)),
  });
  return [
    row("(bare Hono)", bare),
    ...handlers.map(({ name }) => row(name, medianImportMilliseconds(path.join(folder, `${name}.mjs`)))),
  ];
}

/** Median over fresh processes, so that each import is a first one. */
function medianImportMilliseconds(file: string): number {
  const script = `const start = performance.now();
    await import(${JSON.stringify(pathToFileURL(file).href)});
    console.log(performance.now() - start);
    process.exit();`;
  const times = Array.from({ length: TIMED_RUNS }, () =>
    Number(
      execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
        encoding: "utf8",
        env: { PLATFORM: "aws", AWS_REGION: "us-east-1" },
      }),
    ),
  );
  const middle = times.toSorted((left, right) => left - right)[Math.floor(TIMED_RUNS / 2)] ?? Number.NaN;
  return Number(middle.toFixed(1));
}

function kilobytes(bytes: number): number {
  return Math.round(bytes / 1000);
}
