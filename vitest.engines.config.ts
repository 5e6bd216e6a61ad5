import { globSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { configOf, testsAnyPlatform } from "./vitest.config.ts";

// The other end-to-end tests open the local platform, as in `npm test`.
const files = [...globSync("test/engines/**/*.test.ts"), ...globSync("test/e2e/**/*.test.ts").filter(testsAnyPlatform)];

export default defineConfig(
  configOf(files, {
    globalSetup: "test/engines/global-setup.ts",
    environment: { TESTED_HOME: "engines" },
  }),
);
