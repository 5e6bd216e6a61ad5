import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { IndexOutdated } from "../../shared/platform/errors.ts";
import { openLocalSearch } from "../../shared/platform/local/search.ts";
import { BLANK_DOCUMENT } from "../fixtures/blank-document.ts";
import { describeSearchIndex } from "./search-index.ts";

describeSearchIndex("SQLite", async (embedder, clock) => {
  const folder = await mkdtemp(join(tmpdir(), "search-"));
  const index = openLocalSearch({ folder, embedder, clock });
  return {
    index,
    settle: async () => {},
    close: async () => {
      index.close();
      await rm(folder, { recursive: true });
    },
  };
});

it("refuses an index that another embedder built, until it is built anew", async () => {
  const folder = await mkdtemp(join(tmpdir(), "search-"));
  const [org, now] = ["org_1", Date.now()];
  const open = (id: string) => openLocalSearch({ folder, embedder: { id, dimensions: 2 }, clock: Date.now });
  const document = (id: string) => ({ ...BLANK_DOCUMENT, org, id, embedding: Float32Array.of(1, 0) });
  const former = open("former");
  await former.upsert([document("mem_1")]);
  former.close();
  const index = open("other");
  await expect(index.count({ org, now })).rejects.toThrow(IndexOutdated);
  await expect(index.list({ limit: 10 })).rejects.toThrow(IndexOutdated);
  await index.upsert([document("mem_2")]);
  expect(await index.purge(now)).toBe(0);
  const built = await index.rebuild("anew");
  await built.upsert([document("mem_1")]);
  await built.activate();
  expect(await index.count({ org, now })).toBe(1);
  index.close();
  await writeFile(join(folder, "org_1-00000000.db"), "left by a crash");
  const reopened = open("other");
  expect(await reopened.count({ org, now })).toBe(1);
  reopened.close();
  expect((await readdir(folder)).sort()).toEqual(["built-anew", "in-use"]);
  await rm(folder, { recursive: true });
});
