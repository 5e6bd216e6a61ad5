import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { testsAnyPlatform } from "./vitest.config.ts";

/** Files that replace modules need a process of their own, which files do not have here. */
const replacesModules = (file: string) => /\bvi\.mock\(/.test(readFileSync(file, "utf8"));
const endToEnd = globSync("test/e2e/**/*.test.ts").filter((file) => testsAnyPlatform(file) && !replacesModules(file));

export default defineConfig({
  test: {
    // The other end-to-end tests open the local platform, as in `npm test`.
    include: ["test/engines/**/*.test.ts", ...endToEnd],
    globalSetup: ["test/support/run-folder.ts", "test/engines/global-setup.ts"],
    setupFiles: ["test/support/property-seed.ts", "test/engines/use-engines.ts"],
    env: { TZ: "UTC", TESTED_HOME: "engines" },
    // One a core: tests wait for more than they compute, and a core less is the default.
    maxWorkers: "100%",
    // In processes that other files have warmed up, as in `npm test`.
    isolate: false,
    execArgv: ["--max-semi-space-size=32"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
