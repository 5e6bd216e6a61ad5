/**
 * mem0's own integration suite for its Node client, run against this service: a suite (a folder of its tests) by a client
 * (the folder of an installed `mem0ai`). Neither is a part of this project.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Plugin } from "vite";
import { startVitest } from "vitest/node";

const SETUP = fileURLToPath(new URL("jest-globals.ts", import.meta.url));
/** What the suite's tests import of the client's sources, which the published client exports. */
const SOURCES = /^(\.\.\/)+(mem0|mem0\.types|common\/exceptions)$/;
const CLIENT = "\0client-of-mem0";

export interface SuiteOutcome {
  passed: number;
  failed: string[];
  skipped: number;
}

export interface SuiteRun {
  /** Folder of the tests. */
  suite: string;
  /** Folder of the client's package. */
  client: string;
  host: string;
  apiKey: string;
}

/** Runs all tests of a suite, one file after the other. */
export async function runSuite({ suite, client, host, apiKey }: SuiteRun): Promise<SuiteOutcome> {
  const env = { MEM0_API_KEY: apiKey, MEM0_TELEMETRY: "false" };
  const vitest = await startVitest(
    "test",
    [],
    {
      root: suite,
      config: false,
      watch: false,
      globals: true,
      include: ["**/*.test.ts"],
      setupFiles: [SETUP],
      reporters: [{}],
      fileParallelism: false,
      env,
    },
    { plugins: [await publishedClient(client, host)] },
  );
  try {
    const tests = vitest.state.getTestModules().flatMap(({ children }) => [...children.allTests()]);
    const failed = tests.filter((test) => test.result().state === "failed");
    return {
      passed: tests.filter((test) => test.result().state === "passed").length,
      failed: failed.map((test) => `${test.fullName}: ${test.result().errors?.[0]?.message.slice(0, 300)}`),
      skipped: tests.filter((test) => ["skipped", "pending"].includes(test.result().state)).length,
    };
  } finally {
    await vitest.close();
  }
}

/** Lets tests import the published client in place of its sources, set to the service's address. */
async function publishedClient(folder: string, host: string): Promise<Plugin> {
  const { module } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const entry = JSON.stringify(pathToFileURL(join(folder, module)).href);
  return {
    name: "published-client",
    enforce: "pre",
    resolveId: (source) => (SOURCES.test(source) ? CLIENT : undefined),
    load: (id) =>
      id === CLIENT
        ? `export * from ${entry};
           import { MemoryClient as Published } from ${entry};
           export class MemoryClient extends Published {
             constructor(options) { super({ host: ${JSON.stringify(host)}, ...options }); }
           }`
        : undefined,
  };
}
