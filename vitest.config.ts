import { existsSync, globSync, readFileSync } from "node:fs";
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
export const testFiles = globSync("{functions,shared,infra,test}/**/*.test.ts", { exclude }).filter(
  (file) => hasTestPackages || !needsTestPackages(file),
);

/**
 * What a file changes for all others of its process, or needs unchanged: modules, prototypes (a document extends those
 * of zod), the environment, the clock, the output.
 */
const CHANGES_PROCESS =
  /\bbuildDocument\(|\bvi\.(mock|stubEnv|stubGlobal|useFakeTimers|resetModules)\(|\bmockClient\(|\bspyOn\((process|stream|Math|performance|\w+\.prototype)\b/;

const isAlone = (file: string) => CHANGES_PROCESS.test(readFileSync(file, "utf8"));

/** What takes long in however short a file: processes that it starts, and sizes. */
const TAKES_LONG = /\b(startService|spawn|sized)\(/;

/** Starts long files first, so that none is left to run while other workers have nothing to do. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { long = [], short = [] } = Object.groupBy(await super.sort(files), ({ moduleId }) =>
      TAKES_LONG.test(readFileSync(moduleId, "utf8")) ? "long" : "short",
    );
    return [...long, ...short];
  }
}

/** Runs most files in processes that others have warmed up, because loading and compiling the service takes seconds. */
export function configOf(files: string[], environment: Record<string, string> = {}): ViteUserConfig {
  const project = (name: string, include: string[], isolate: boolean): TestProjectInlineConfiguration => ({
    test: {
      ...{ name, include, isolate },
      // One project after the other: a process that runs many files ends when the next file is to run alone.
      sequence: { groupOrder: isolate ? 1 : 0 },
      // Vectors at once and without a model, but where a test asks for one.
      env: { TZ: "UTC", EMBEDDER: "lexical", ...environment },
      setupFiles: "test/support/property-seed.ts",
      testTimeout: 60_000,
      // Bundling every handler and synthesizing every stack take a busy machine tens of seconds.
      hookTimeout: 120_000,
    },
  });
  const { alone = [], together = [] } = Object.groupBy(files, (file) => (isAlone(file) ? "alone" : "together"));
  return {
    test: {
      globalSetup: "test/support/run-folder.ts",
      // One a core: a core less is the default, and with more, tests of time limits depend on the machine's load.
      maxWorkers: "100%",
      sequence: { sequencer: LongFirst },
      projects: [project("together", together, false), project("alone", alone, true)],
    },
  };
}

export default defineConfig(configOf(testFiles));
