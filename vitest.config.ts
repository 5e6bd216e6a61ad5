import { existsSync, globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const exclude = ["test/engines/**", "test/deploy/**", "infra/aws/**", "**/node_modules/**"];

const hasTestPackages = existsSync("test/node_modules");
if (!hasTestPackages) {
  process.stderr.write("skipped: the tests with mem0's client and with a browser. Run npm run install:test\n");
}

const needsTestPackages = (file: string) =>
  /from "(mem0ai|\.\/browser\.ts|\.\.\/support\/mem0\.ts)"/.test(readFileSync(file, "utf8"));

/** The files that need only Node and npm. */
const testFiles = globSync("{functions,shared,infra,test}/**/*.test.ts", { exclude }).filter(
  (file) => hasTestPackages || !needsTestPackages(file),
);

/** Drills take minutes: they kill processes, fill disks, and repeat until rare cases occur. */
export const { drills = [], tests = [] } = Object.groupBy(testFiles, (file) =>
  file.endsWith(".drill.test.ts") ? "drills" : "tests",
);

/** Whether a file asks for whichever service is tested; the others look at a service in their own process. */
export const testsAnyPlatform = (file: string) => /\bopen(Target|TestedService)\(/.test(readFileSync(file, "utf8"));

/**
 * What a file changes for all others of its process, or needs unchanged: modules, prototypes (a document extends those
 * of zod), the environment, the clock, the output.
 */
const CHANGES_PROCESS =
  /\bbuildDocument\(|\bvi\.(mock|stubEnv|stubGlobal|useFakeTimers|resetModules)\(|\bmockClient\(|\bspyOn\((process|stream|Math|performance|\w+\.prototype)\b/;

const isAlone = (file: string) => CHANGES_PROCESS.test(readFileSync(file, "utf8"));

/** Files that mainly wait. Four of them on two cores compute less than two others, so their limits of time hold. */
const WAITING = new Set([
  "functions/monitoring/service.test.ts",
  "functions/workers/sync-connections/worker.test.ts",
  "infra/local/endpoint.test.ts",
  "infra/local/signals.test.ts",
  "shared/domain/knowledge/connections/providers/requests.test.ts",
  "test/contract/smtp.test.ts",
  "test/durability/webhooks.drill.test.ts",
  "test/e2e/addresses.test.ts",
  "test/e2e/connections-providers.test.ts",
]);

/** The project of a file. */
function projectOf(file: string): "waiting" | "together" | "alone" {
  if (isAlone(file)) return "alone";
  return WAITING.has(file) ? "waiting" : "together";
}

/** What takes long in however short a file: processes that it starts. */
const TAKES_LONG = /\b(startService|spawn)\(/;

/** Those that take minutes. */
const LONGEST = /recall-core|hostile\/linear/;

/** Starts long files first, so that none is left to run while other workers have nothing to do. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const {
      longest = [],
      long = [],
      short = [],
    } = Object.groupBy(await super.sort(files), ({ moduleId }) => {
      if (LONGEST.test(moduleId)) return "longest";
      return TAKES_LONG.test(readFileSync(moduleId, "utf8")) ? "long" : "short";
    });
    return [...longest, ...long, ...short];
  }
}

/** Runs most files in processes that others have warmed up, because loading and compiling the service takes seconds. */
export function configOf(files: string[]): ViteUserConfig {
  const cores = availableParallelism();
  const projects = Object.groupBy(files, projectOf);
  const project = (
    name: keyof typeof projects,
    { groupOrder, maxWorkers, isolate }: { groupOrder: number; maxWorkers: number; isolate: boolean },
  ): TestProjectInlineConfiguration[] => {
    const include = projects[name] ?? [];
    if (include.length === 0) return [];
    return [
      {
        test: {
          ...{ name, include, maxWorkers, isolate },
          sequence: { groupOrder },
          // Vectors at once and without a model, but where a test asks for one.
          env: { TZ: "UTC", EMBEDDER: "lexical" },
          // Fewer collections of short-lived objects, of which tests make many.
          execArgv: ["--max-semi-space-size=32"],
          setupFiles: ["test/support/property-seed.ts", "test/support/logs-to-console.ts"],
          testTimeout: 60_000,
          // Bundling every handler and synthesizing every stack take a busy machine tens of seconds.
          hookTimeout: 120_000,
        },
      },
    ];
  };
  return {
    test: {
      // On success, the output is a summary: logs of tests that pass, which provoke errors, are left out.
      reporters: ["minimal"],
      silent: "passed-only",
      globalSetup: "test/support/run-folder.ts",
      sequence: { sequencer: LongFirst },
      // One project after the other: a process that runs many files ends when the next file is to run alone.
      projects: [
        ...project("waiting", { groupOrder: 0, maxWorkers: 2 * cores, isolate: false }),
        // One a core: a core less is the default, and with more, tests of time limits depend on the machine's load.
        ...project("together", { groupOrder: 1, maxWorkers: cores, isolate: false }),
        ...project("alone", { groupOrder: 2, maxWorkers: cores, isolate: true }),
      ],
    },
  };
}

export default defineConfig(configOf(tests));
