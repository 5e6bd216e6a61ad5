import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/engines/**/*.test.ts", "test/e2e/**/*.test.ts"],
    globalSetup: "test/engines/global-setup.ts",
    setupFiles: "test/support/property-seed.ts",
    env: { TZ: "UTC", TESTED_HOME: "engines" },
    // One a core: tests wait for more than they compute, and a core less is the default.
    maxWorkers: "100%",
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
