import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/engines/**/*.test.ts", "test/e2e/**/*.test.ts"],
    globalSetup: "test/engines/global-setup.ts",
    env: { TZ: "UTC", TESTED_HOME: "engines" },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
