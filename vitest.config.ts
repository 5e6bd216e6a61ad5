import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{functions,shared,infra,test}/**/*.test.ts"],
    exclude: ["test/engines/**", "node_modules/**"],
    env: { TZ: "UTC" },
    testTimeout: 20_000,
    // One hook synthesizes every stack twice, which takes a busy machine longer than the usual ten seconds.
    hookTimeout: 60_000,
  },
});
