import { globSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { testsAnyPlatform } from "./vitest.config.ts";

const onAnyPlatform = globSync("test/e2e/*.test.ts").filter(testsAnyPlatform);

export default defineConfig({
  test: {
    include: ["test/deploy/**/*.test.ts", ...onAnyPlatform],
    globalSetup: "test/deploy/global-setup.ts",
    setupFiles: "test/support/property-seed.ts",
    env: { TZ: "UTC", TESTED_HOME: "deployed" },
    // There is one deployment, whose settings some files change.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 30_000,
  },
});
