import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LocalSearchIndex } from "../../shared/adapters/local/search.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import type { Embedder } from "../../shared/ports/embedder.ts";
import { BLANK_DOCUMENT } from "../fixtures/blank-document.ts";
import { describeSearchIndex } from "./search-index.ts";

describeSearchIndex("SQLite", async (embedder, clock) => {
  const folder = await mkdtemp(join(tmpdir(), "search-"));
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

it("a search index activates a built index, and deletes what a crash left of another", async () => {
  const folder = await mkdtemp(join(tmpdir(), "search-"));
  const [org, now] = ["org_1", Date.now()];
  const background = { mean: 0, deviation: 1 };
  const embed: Embedder["embed"] = async (texts) => texts.map(() => VECTOR);
  const embedder: Embedder = { id: "test", dimensions: 2, background, embed };
  const open = () =>
    new LocalSearchIndex({ folder, embedder, embedsLater: false, clock: Date.now, logger: silentLogger });
  const document = (id: string) => ({ ...BLANK_DOCUMENT, org, id, embedding: VECTOR });
  const index = open();
  await index.upsert([document("mem_1"), document("mem_2")]);
  const built = await index.rebuild("anew");
  await built.upsert([document("mem_1")]);
  await built.activate();
  expect(await index.count({ org, now })).toBe(1);
  index.close();
  await writeFile(join(folder, "org_1-00000000.db"), "left by a crash");
  const reopened = open();
  expect(await reopened.count({ org, now })).toBe(1);
  reopened.close();
  expect((await readdir(folder)).sort()).toEqual(["built-anew", "in-use"]);
  await rm(folder, { recursive: true });
});

const VECTOR = Float32Array.of(1, 0);
