import { expect, it } from "vitest";
import type { OpenEmbedder } from "../../shared/adapters/aws/embedder-by-id.ts";
import { indexNames } from "../../shared/adapters/aws/index-names.ts";
import { openSearch } from "../../shared/adapters/aws/search.ts";
import { embedDocuments } from "../../shared/domain/models/embed-documents.ts";
import { createLexicalEmbedder } from "../../shared/domain/models/lexical-embedder.ts";
import { DAY_MS } from "../../shared/kernel/durations.ts";
import type { Embedder } from "../../shared/ports/embedder.ts";
import type { SearchDocument, SearchIndex } from "../../shared/ports/search-index.ts";
import { BLANK_DOCUMENT } from "../fixtures/blank-document.ts";
import { searchSpace } from "./resources.ts";

const FORMER = createLexicalEmbedder();
/** Vectors of the same length as the former's with opposite values: a mixture would be visible. */
const NEXT: Embedder = {
  ...FORMER,
  id: "next:384",
  embed: async (texts, options) => (await FORMER.embed(texts, options)).map((vector) => vector.map((one) => -one)),
};
const ORG = "org_1";
const canOpen: OpenEmbedder = async (id) => [FORMER, NEXT].find((embedder) => embedder.id === id);
const cannotOpen: OpenEmbedder = async () => undefined;

type Content = { id: string; content: string; version?: number };

/** A deployment's search with each of its settings, one after the other, on the same engine. */
function deployments(openFormer: OpenEmbedder = canOpen) {
  const space = searchSpace();
  const url = space.environment.SEARCH_ENDPOINT;
  const open = (embedder: Embedder) => openSearch(space.environment, embedder, { openFormer });
  const documents = async (index: SearchIndex, embedder: Embedder, contents: Content[]): Promise<SearchDocument[]> =>
    embedDocuments(
      { embedder, search: index },
      contents.map((one) => ({ ...BLANK_DOCUMENT, org: ORG, ...one })),
    );
  const store = async (index: SearchIndex, embedder: Embedder, ...contents: Content[]) => {
    await index.upsert(await documents(index, embedder, contents));
    await space.refresh();
  };
  const search = async (index: SearchIndex, embedder: Embedder, text: string) => {
    const [vector = new Float32Array()] = await embedder.embed([text], { purpose: "query" });
    const now = Date.now() + DAY_MS;
    const asked = { semantic: { vector, limit: 9, text }, keyword: { text, limit: 9 } };
    const { semantic, keyword, comparedBy } = await index.search({ org: ORG, now, ...asked });
    const nearest = semantic.filter(({ score }) => score > 0.9).map(({ id }) => id);
    return { nearest, words: keyword.map(({ id }) => id), comparedBy };
  };
  const indexes = async () => {
    const listed = await fetch(`${url}/_cat/indices/${space.environment.SEARCH_INDEX}-*?format=json`);
    return ((await listed.json()) as { index: string }[]).map(({ index }) => index).sort();
  };
  return { ...space, url, open, documents, store, search, indexes };
}

it("searches and writes use the former embedder until a rebuilt index replaces the former one", async () => {
  const { open, documents, store, search, indexes, drop, environment, refresh } = deployments();
  const before = await open(FORMER);
  await store(before, FORMER, { id: "mem_1", content: "green tea" }, { id: "mem_2", content: "black coffee" });
  const index = await open(NEXT);
  const comparedBy = { background: FORMER.background, isLexical: true };
  expect(await search(index, NEXT, "green tea")).toEqual({ nearest: ["mem_1"], words: ["mem_1"], comparedBy });
  expect(await index.vectorState([ORG])).toEqual({
    embedder: NEXT.id,
    pending: 2,
    compared: "former",
    needsRebuild: true,
  });
  await store(index, NEXT, { id: "mem_3", content: "red wine" });
  expect(await search(index, NEXT, "red wine")).toEqual({ nearest: ["mem_3"], words: ["mem_3"], comparedBy });
  expect(await indexes()).toEqual([indexNames(environment.SEARCH_INDEX, FORMER.id).read]);

  const built = await index.rebuild("job1");
  await built.upsert(await documents(index, NEXT, [{ id: "mem_1", content: "green tea" }]));
  // Writes and removals go to both; the sync's documents are not embedded again.
  await store(index, NEXT, { id: "mem_4", content: "cold water" });
  await index.remove([{ org: ORG, id: "mem_2", version: 1 }]);
  await refresh();
  const [known, missing] = await index.vectorsOf(["green tea", "red wine"].map((content) => ({ org: ORG, content })));
  expect(known).toEqual((await NEXT.embed(["green tea"], { purpose: "passage" }))[0]);
  expect(missing).toBeUndefined();
  expect((await search(index, NEXT, "cold water")).nearest).toEqual(["mem_4"]);
  expect(await index.vectorState([ORG])).toEqual({
    embedder: NEXT.id,
    pending: 1,
    compared: "former",
    needsRebuild: true,
  });
  expect((await search(index, NEXT, "black coffee")).words).toEqual([]);
  await built.upsert(await documents(index, NEXT, [{ id: "mem_3", content: "red wine" }]));
  await built.activate();

  for (const one of [index, await open(NEXT)]) {
    for (const [id, text] of Object.entries({ mem_1: "green tea", mem_3: "red wine", mem_4: "cold water" })) {
      expect(await search(one, NEXT, text)).toEqual({ nearest: [id], words: [id], comparedBy: undefined });
    }
    expect(await one.vectorState([ORG])).toEqual({
      embedder: NEXT.id,
      pending: 0,
      compared: "current",
      needsRebuild: false,
    });
  }
  expect(await indexes()).toEqual([`${indexNames(environment.SEARCH_INDEX, NEXT.id).read}--job1`]);
  await drop();
});

it("a process that used the former index continues with the new one, and mixes no vectors", async () => {
  const { open, documents, store, search, indexes, drop, environment } = deployments();
  const [before, index] = [await open(FORMER), await open(NEXT)];
  await store(before, FORMER, { id: "mem_1", content: "green tea" });
  await store(index, NEXT, { id: "mem_2", content: "red wine" });
  const other = await open(NEXT);
  const built = await other.rebuild("job1");
  const all = [
    { id: "mem_1", content: "green tea" },
    { id: "mem_2", content: "red wine" },
  ];
  await built.upsert(await documents(other, NEXT, all));
  await built.activate();
  // By the former deployment, by this one, and by this one with a write first.
  await store(before, FORMER, { id: "mem_3", content: "cold water" });
  expect((await search(before, FORMER, "green tea")).nearest).toEqual(["mem_1"]);
  expect((await search(index, NEXT, "red wine")).nearest).toEqual(["mem_2"]);
  await store(index, NEXT, { id: "mem_4", content: "black coffee" });
  expect((await search(index, NEXT, "black coffee")).nearest).toEqual(["mem_4"]);
  expect((await search(index, NEXT, "cold water")).nearest).toEqual(["mem_3"]);
  expect(await indexes()).toEqual([`${indexNames(environment.SEARCH_INDEX, NEXT.id).read}--job1`]);
  await drop();
});

it("if the former embedder cannot be opened, keyword search works and no vectors are compared", async () => {
  const { open, store, search, drop } = deployments(cannotOpen);
  await store(await open(FORMER), FORMER, { id: "mem_1", content: "green tea" });
  const index = await open(NEXT);
  expect(await search(index, NEXT, "green tea")).toEqual({ nearest: [], words: ["mem_1"] });
  await store(index, NEXT, { id: "mem_2", content: "green apples" });
  expect((await search(index, NEXT, "green")).words.toSorted()).toEqual(["mem_1", "mem_2"]);
  expect(await index.searchableVersion({ org: ORG, id: "mem_2" })).toBe(0);
  expect(await index.vectorState([ORG])).toEqual({
    embedder: NEXT.id,
    pending: 2,
    compared: "none",
    needsRebuild: true,
  });
  await drop();
});

it("two releases with different embedders do not build an index together", async () => {
  const { open, store, search, indexes, drop } = deployments();
  const before = await open(FORMER);
  await store(before, FORMER, { id: "mem_1", content: "green tea" });
  const next = await open(NEXT);
  const built = await next.rebuild("job1");
  await expect(before.rebuild("job1")).rejects.toThrow("a release with the embedder next:384 builds");
  // Concurrent jobs delete each other's index; one remains that accepts writes, or none.
  await Promise.allSettled([next.rebuild("job2"), next.rebuild("job3")]);
  await store(next, NEXT, { id: "mem_2", content: "red wine" });
  await expect(built.activate()).rejects.toThrow();
  expect((await search(next, NEXT, "red wine")).nearest).toEqual(["mem_2"]);
  await (await next.rebuild("job4")).activate();
  expect(await indexes()).toEqual([expect.stringMatching(/--job4$/)]);
  await drop();
});

it("a return to the former embedder before the end of the rebuild uses the former index", async () => {
  const { open, store, search, indexes, drop } = deployments();
  await store(await open(FORMER), FORMER, { id: "mem_1", content: "green tea" });
  const next = await open(NEXT);
  await next.rebuild("job1");
  await store(next, NEXT, { id: "mem_2", content: "red wine" });
  const back = await open(FORMER);
  expect((await search(back, FORMER, "red wine")).nearest).toEqual(["mem_2"]);
  const built = await back.rebuild("job2");
  await built.activate();
  expect(await indexes()).toHaveLength(1);
  await drop();
});

it("a deployment uses no index of another deployment", async () => {
  const { open, store, search, drop, environment } = deployments();
  const other = searchSpace(`${environment.SEARCH_INDEX}-eu`);
  await store(await openSearch(other.environment, FORMER), FORMER, { id: "mem_9", content: "green tea" });
  await other.refresh();
  const index = await open(NEXT);
  expect((await search(index, NEXT, "green tea")).words).toEqual([]);
  await drop();
});
