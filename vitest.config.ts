import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{functions,shared,infra,test}/**/*.test.ts"],
    exclude: ["test/engines/**", "test/deploy/**", "node_modules/**"],
    // Vectors at once and without a model, but where a test asks for one.
    env: { TZ: "UTC", EMBEDDER: "lexical" },
    // One a core: tests wait for more than they compute, and a core less is the default.
    maxWorkers: "100%",
    testTimeout: 60_000,
    // Bundling every handler and synthesizing every stack take a busy machine tens of seconds.
    hookTimeout: 120_000,
  },
});
