import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LocalSearchIndex } from "../../shared/adapters/local/search.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import cases from "./keyword-cases.json" with { type: "json" };
import { describeKeywordCases } from "./keyword-cases.ts";

describeKeywordCases("SQLite", async (embedder, clock) => {
  const folder = await mkdtemp(join(tmpdir(), "keywords-"));
  const index = new LocalSearchIndex({ folder, embedder, embedsLater: false, clock, logger: silentLogger });
  return {
    index,
    drainChangeFeed: async () => {},
    close: async () => {
      index.close();
      await rm(folder, { recursive: true });
    },
  };
});

it("the keyword cases cover many languages, and texts that are not found", () => {
  expect(cases.length).toBeGreaterThanOrEqual(120);
  expect(new Set(cases.map(({ language }) => language)).size).toBeGreaterThanOrEqual(14);
  expect(cases.filter(({ finds }) => !finds).length).toBeGreaterThanOrEqual(30);
});
