import { existsSync, globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

type TestConfig = NonNullable<ViteUserConfig["test"]>;

/** Tests are run by tier: `vitest run --mode engines`. Without a mode, those run that need only Node and npm. */
const TIERS: { readonly [tier: string]: () => TestConfig } = {
  test: () => inProjects(filesOnNode().tests),
  /** Drills take minutes: they kill processes, fill disks, and repeat until rare cases occur. */
  drills: () => inProjects(filesOnNode().drills),
  /** Hostile input, with its drills. */
  hostile: () => inProjects(globSync("test/hostile/*.test.ts")),
  aws: ofCdkApp,
  engines: onEngines,
  deploy: onDeployment,
};

/** The modes of tools that only read which files are tests, such as knip. */
const READ_ONLY_MODES = ["development", "production"];

function allTiers(): TestConfig {
  const tiers = Object.values(TIERS).map((tier) => tier());
  return {
    projects: tiers.flatMap((test) => (test.projects as TestProjectInlineConfiguration[] | undefined) ?? [{ test }]),
  };
}

function filesOnNode(): { drills: string[]; tests: string[] } {
  const hasTestPackages = existsSync("test/node_modules");
  if (!hasTestPackages) {
    process.stderr.write("skipped: the tests with mem0's client and with a browser. Run npm run install:test\n");
  }
  const exclude = ["test/engines/**", "test/deploy/**", "infra/aws/**", "**/node_modules/**"];
  const files = globSync("{functions,shared,infra,test}/**/*.test.ts", { exclude }).filter(
    (file) => hasTestPackages || !calls(NEEDS_TEST_PACKAGES, file),
  );
  const isDrill = (file: string) => file.endsWith(".drill.test.ts");
  return { drills: files.filter(isDrill), tests: files.filter((file) => !isDrill(file)) };
}

const NEEDS_TEST_PACKAGES = /from "(mem0ai|\.\/browser\.ts|\.\.\/support\/mem0\.ts)"/;

function calls(pattern: RegExp, file: string): boolean {
  return pattern.test(readFileSync(file, "utf8"));
}

/** Files that ask for whichever service is tested; the others look at a service in their own process. */
function filesOnAnyPlatform(): string[] {
  return globSync("test/e2e/**/*.test.ts").filter((file) => calls(/\bopen(Target|TestedService)\(/, file));
}

/** The same without files that replace modules, which need a process of their own, and the service in it. */
function filesWithoutMocks(): string[] {
  return filesOnAnyPlatform().filter((file) => !calls(/\bvi\.mock\(/, file));
}

function ofCdkApp(): TestConfig {
  if (!existsSync("infra/aws/node_modules")) process.stderr.write("CDK is not installed. Run npm run install:aws\n");
  return inProjects(globSync("infra/aws/test/*.test.ts"));
}

function onEngines(): TestConfig {
  return {
    // The other end-to-end tests open the local platform, as in `npm test`.
    include: ["test/engines/**/*.test.ts", ...filesWithoutMocks()],
    globalSetup: [RUN_FOLDER, "test/engines/global-setup.ts"],
    setupFiles: [PROPERTY_SEED, "test/engines/use-engines.ts"],
    env: { TZ: "UTC", TESTED_HOME: "engines" },
    // One a core: tests wait for more than they compute, and a core less is the default.
    maxWorkers: "100%",
    // In processes that other files have warmed up, as in `npm test`.
    isolate: false,
    execArgv: ["--max-semi-space-size=32"],
    testTimeout: 60_000,
    expect: { poll: POLL },
    hookTimeout: 120_000,
  };
}

function onDeployment(): TestConfig {
  return {
    include: ["test/deploy/**/*.test.ts", ...filesWithoutMocks().filter((file) => dirname(file) === "test/e2e")],
    globalSetup: "test/deploy/global-setup.ts",
    setupFiles: PROPERTY_SEED,
    env: { TZ: "UTC", TESTED_HOME: "deployed" },
    // There is one deployment, whose settings some files change.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 30_000,
  };
}

/** A busy machine may take long to do what a test waits for; one that never happens fails all the same. */
const POLL = { timeout: 30_000 };
const RUN_FOLDER = "test/support/run-folder.ts";
const PROPERTY_SEED = "test/support/property-seed.ts";

/**
 * What a file changes for all others of its process, or needs unchanged: modules, prototypes (a document extends those
 * of zod), the environment, the clock, the output.
 */
const CHANGES_PROCESS =
  /\bbuildDocument\(|\bvi\.(mock|stubEnv|stubGlobal|useFakeTimers|resetModules)\(|\bmockClient\(|\bspyOn\((process|stream|Math|performance|\w+\.prototype)\b/;

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
  if (calls(CHANGES_PROCESS, file)) return "alone";
  return WAITING.has(file) ? "waiting" : "together";
}

/** What takes long in however short a file: processes that it starts. */
const TAKES_LONG = /\b(startService|spawn)\(/;

/** Those that take minutes. */
const LONGEST = /recall-core|hostile\/linear|routes\/(reads|credentials)/;

/** Starts long files first, so that none is left to run while other workers have nothing to do. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const {
      longest = [],
      long = [],
      short = [],
    } = Object.groupBy(await super.sort(files), ({ moduleId }) => {
      if (LONGEST.test(moduleId)) return "longest";
      return calls(TAKES_LONG, moduleId) ? "long" : "short";
    });
    return [...longest, ...long, ...short];
  }
}

/** Runs most files in processes that others have warmed up, because loading and compiling the service takes seconds. */
function inProjects(files: string[]): TestConfig {
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
          setupFiles: [PROPERTY_SEED, "test/support/logs-to-console.ts"],
          testTimeout: 60_000,
          expect: { poll: POLL },
          // Bundling every handler and synthesizing every stack take a busy machine tens of seconds.
          hookTimeout: 120_000,
        },
      },
    ];
  };
  return {
    // On success, the output is a summary: logs of tests that pass, which provoke errors, are left out.
    reporters: ["minimal"],
    silent: "passed-only",
    globalSetup: RUN_FOLDER,
    sequence: { sequencer: LongFirst },
    // One project after the other: a process that runs many files ends when the next file is to run alone.
    projects: [
      ...project("waiting", { groupOrder: 0, maxWorkers: 2 * cores, isolate: false }),
      // One a core: a core less is the default, and with more, tests of time limits depend on the machine's load.
      ...project("together", { groupOrder: 1, maxWorkers: cores, isolate: false }),
      ...project("alone", { groupOrder: 2, maxWorkers: cores, isolate: true }),
    ],
  };
}

export default defineConfig(({ mode }) => {
  const tier = READ_ONLY_MODES.includes(mode) ? allTiers : TIERS[mode];
  if (tier === undefined)
    throw new Error(`no tests of the mode ${mode}; the modes are ${Object.keys(TIERS).join(", ")}`);
  return { test: tier() };
});
