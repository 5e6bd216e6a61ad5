import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLocalSearch } from "../../shared/platform/local/search.ts";
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
