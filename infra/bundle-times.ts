import { execFileSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Bundle, bundleHandlers } from "./bundle.ts";

const TIMED_RUNS = 7;
const BASELINE_SOURCE = fileURLToPath(new URL("bundle-baseline.ts", import.meta.url));
const BASELINE_FOLDER = fileURLToPath(new URL("../dist/baseline", import.meta.url));

/** Milliseconds that the first import of each handler takes, and that of the barest Hono handler, bundled likewise. */
export interface ImportTimes {
  bare: number;
  handlers: { name: string; milliseconds: number }[];
}

export async function importTimes({ folder, handlers }: Bundle): Promise<ImportTimes> {
  const baseline = await bundleHandlers({ folder: BASELINE_FOLDER, entries: { baseline: BASELINE_SOURCE } });
  return {
    bare: medianImportMilliseconds(path.join(baseline.folder, "baseline.mjs")),
    handlers: handlers.map(({ name }) => ({
      name,
      milliseconds: medianImportMilliseconds(path.join(folder, `${name}.mjs`)),
    })),
  };
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
