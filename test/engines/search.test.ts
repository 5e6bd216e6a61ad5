import { expect, it } from "vitest";
import { openSearch } from "../../shared/adapters/aws/search.ts";
import { indexDefinition } from "../../shared/adapters/aws/search-mapping.ts";
import { createLexicalEmbedder } from "../../shared/domain/models/lexical-embedder.ts";
import { describeSearchIndex } from "../contract/search-index.ts";
import { BLANK_DOCUMENT } from "../fixtures/blank-document.ts";
import { searchSpace } from "./resources.ts";

describeSearchIndex(
  "OpenSearch",
  async (embedder, clock) => {
    const space = searchSpace();
    const index = await openSearch(space.environment, embedder, { clock });
    return { index, drainChangeFeed: space.refresh, close: space.drop };
  },
  { runs: 15 },
);

it("an index of an earlier version gets the fields that were added since", async () => {
  const embedder = createLexicalEmbedder();
  const space = searchSpace();
  const { settings, mappings } = indexDefinition(embedder.dimensions);
  const { viewers, ...earlier } = mappings?.properties ?? {};
  expect(viewers).toBeDefined();
  const body = JSON.stringify({ settings, mappings: { ...mappings, properties: earlier } });
  const name = `${space.environment.SEARCH_INDEX}-${embedder.id.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
  const headers = { "content-type": "application/json" };
  const made = await fetch(`${space.environment.SEARCH_ENDPOINT}/${name}`, { method: "PUT", headers, body });
  expect(made.status).toBe(200);
  const index = await openSearch(space.environment, embedder);
  const [embedding = new Float32Array()] = await embedder.embed(["tea"], { purpose: "passage" });
  await index.upsert([{ ...BLANK_DOCUMENT, org: "org_1", id: "mem_1", embedding, viewers: [{ agent: "a" }] }]);
  await space.refresh();
  const scope = { org: "org_1", now: Date.now() };
  expect(await index.count({ ...scope, viewer: "a" })).toBe(1);
  expect(await index.count({ ...scope, viewer: "b" })).toBe(0);
  await space.drop();
});
