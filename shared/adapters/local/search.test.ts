import { readdirSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BLANK_DOCUMENT } from "../../../test/fixtures/blank-document.ts";
import { temporaryFolder } from "../../../test/fixtures/temporary-folder.ts";
import { silentLogger } from "../../kernel/logger.ts";
import type { Embedder } from "../../ports/embedder.ts";
import type { SearchDocument, SearchScope } from "../../ports/search-index.ts";
import { TextPool } from "../../runtime/text-work/pool.ts";
import { OrganizationIndex } from "./search/organization.ts";
import { LocalSearchIndex } from "./search.ts";
import { Database } from "./storage/sqlite.ts";

/** Texts with their vectors; embedding any other text fails. */
const known = new Map<string, Float32Array>();
const embedder = testEmbedder("test:2");
let embedded: string[] = [];
const NOW = Date.parse("2024-06-01T00:00:00.000Z");
/** For what takes milliseconds, on a machine that may be busy. */
const SOON = { timeout: 10_000 };

let folder: string;
let index: LocalSearchIndex;

beforeEach(() => {
  known.clear();
  embedded = [];
  folder = temporaryFolder();
  index = open();
});
afterEach(() => index.close());

function testEmbedder(id: string): Embedder {
  const embed: Embedder["embed"] = async (texts) => {
    embedded.push(...texts);
    return texts.map((text) => {
      const vector = known.get(text);
      if (vector === undefined) throw new Error(`no vector of ${text}`);
      return vector;
    });
  };
  return { id, dimensions: 2, background: { mean: 0, deviation: 1 }, embed };
}

function open(used = embedder, formerEmbedder?: (id: string) => Embedder | undefined): LocalSearchIndex {
  const options = { folder, embedder: used, embedsLater: true, clock: () => NOW, logger: silentLogger };
  return new LocalSearchIndex({ ...options, ...(formerEmbedder && { formerEmbedder }) });
}

/** Opens the index again, as the next process does. */
function reopen(...given: Parameters<typeof open>): void {
  index.close();
  index = open(...given);
}

/** Opens the index with an embedder that waits for `release`. */
function reopenHeld() {
  const started = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const embed: Embedder["embed"] = async (texts) => {
    embedded.push(...texts);
    started.resolve();
    await released.promise;
    return texts.map(() => Float32Array.of(1, 0));
  };
  reopen({ ...embedder, embed });
  return { started: started.promise, release: released.resolve };
}

function document(org: string, id: string, overrides: Partial<SearchDocument> = {}): SearchDocument {
  const own = { org, id, content: `tea ${id}`, embedding: Float32Array.of(1, 0) };
  return { ...BLANK_DOCUMENT, ...own, ...overrides };
}

const search = (org: string, limit = 10) =>
  index.search({ org, now: NOW, semantic: { vector: Float32Array.of(1, 0), limit }, keyword: { text: "tea", limit } });

test.each(["", "..", "../up", "a/b", "a\\b", "a b", "a'b", "a\0", "ä", "x".repeat(65)])(
  "refuses the organization %j",
  async (org) => {
    await expect(index.upsert([document(org, "mem_1")])).rejects.toThrow("cannot name");
    await expect(search(org)).rejects.toThrow("cannot name");
    await expect(index.count({ org, now: NOW })).rejects.toThrow("cannot name");
    expect(readdirSync(folder)).toEqual([]);
  },
);

test("keeps each organization in files of its own", async () => {
  await index.upsert([document("org_a", "mem_1"), document("org_A", "mem_1"), document("org_b", "mem_1")]);
  const databases = readdirSync(folder).filter((file) => file.endsWith(".db"));
  expect(databases.map((file) => file.toLowerCase().split("-")[0]).sort()).toEqual(["org_a", "org_a", "org_b"]);
  expect(new Set(databases.map((file) => file.toLowerCase())).size).toBe(3);
});

test("finds everything after it is reopened", async () => {
  await index.upsert([document("org_a", "mem_1"), document("org_a", "mem_2")]);
  await index.remove([{ org: "org_a", id: "mem_2", version: 1 }]);
  reopen();
  await index.upsert([document("org_a", "mem_2")]);
  const { semantic, keyword } = await search("org_a");
  expect(semantic.map(({ id }) => id)).toEqual(["mem_1"]);
  expect(keyword.map(({ id }) => id)).toEqual(["mem_1"]);
});

test("works on more organizations than it keeps open", async () => {
  const orgs = Array.from({ length: 80 }, (_, i) => `org_${i}`);
  for (const org of orgs) await index.upsert([document(org, `mem_of_${org}`)]);
  for (const org of orgs) expect((await search(org)).semantic.map(({ id }) => id)).toEqual([`mem_of_${org}`]);
  expect(await index.purge(NOW + 1)).toBe(0);
});

test("keeps vectors in memory equal to the tables", async () => {
  const around = (degrees: number) =>
    Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180));
  await index.upsert([1, 2, 3].map((i) => document("org_a", `mem_${i}`, { embedding: around(10 * i) })));
  await search("org_a");
  await index.upsert([
    document("org_a", "mem_1", { version: 2, embedding: around(90) }),
    document("org_a", "mem_4", { embedding: around(0) }),
  ]);
  await index.remove([{ org: "org_a", id: "mem_2", version: 1 }]);
  expect((await search("org_a")).semantic.map(({ id }) => id)).toEqual(["mem_4", "mem_3", "mem_1"]);
});

test("counts terms again after each write", async () => {
  const counted = async () => (await search("org_a")).statistics;
  expect(await counted()).toEqual({ documents: 0, terms: [{ term: "tea", documents: 0 }] });
  await index.upsert([document("org_a", "mem_1"), document("org_a", "mem_2"), document("org_a", "mem_3")]);
  expect(await counted()).toEqual({ documents: 3, terms: [{ term: "tea", documents: 3 }] });
  await index.upsert([document("org_a", "mem_2", { version: 2, content: "coffee" })]);
  expect(await counted()).toEqual({ documents: 3, terms: [{ term: "tea", documents: 2 }] });
  await index.remove([{ org: "org_a", id: "mem_1", version: 1 }]);
  expect(await counted()).toEqual({ documents: 2, terms: [{ term: "tea", documents: 1 }] });
});

test("fills the places of expired documents with the next best", async () => {
  const gone = { content: "tea", expire_at: "2024-05-01T00:00:00.000Z" };
  await index.upsert([
    ...[1, 2, 3].map((i) => document("org_a", `gone_${i}`, gone)),
    ...[1, 2, 3].map((i) => document("org_a", `mem_${i}`, { embedding: Float32Array.of(0, 1) })),
  ]);
  const { semantic, keyword } = await search("org_a", 3);
  expect(semantic.map(({ id }) => id)).toEqual(["mem_1", "mem_2", "mem_3"]);
  expect(keyword.map(({ id }) => id)).toEqual(["mem_1", "mem_2", "mem_3"]);
});

test("writes nothing of an organization's batch when one document cannot be stored", async () => {
  const broken = document("org_a", "mem_2", { created_at: "yesterday" });
  await expect(index.upsert([document("org_a", "mem_1"), broken])).rejects.toThrow();
  expect((await search("org_a")).semantic).toEqual([]);
});

test("refuses vectors of another length", async () => {
  const short = document("org_a", "mem_1", { embedding: Float32Array.of(1) });
  await expect(index.upsert([short])).rejects.toThrow("1 dimensions, where the index has 2");
  const semantic = { vector: new Float32Array(3), limit: 1 };
  await expect(index.search({ org: "org_a", now: NOW, semantic })).rejects.toThrow("3 dimensions");
});

const pending = async () => (await index.vectorState(["org_a", "org_b"])).pending;

/** Returns the ids that the semantic query finds. */
const meant = async (org: string) => (await search(org)).semantic.map(({ id }) => id).sort();
const bare = (org: string, id: string, overrides: Partial<SearchDocument> = {}) =>
  document(org, id, { embedding: undefined, ...overrides });
const know = (...texts: string[]) => {
  for (const text of texts) known.set(text, Float32Array.of(1, 0));
};

test("finds a document without a vector by its words at once, by its meaning soon after", async () => {
  await index.upsert([bare("org_a", "mem_1"), bare("org_b", "mem_2")]);
  expect((await search("org_a")).keyword).toMatchObject([{ id: "mem_1", isPending: true }]);
  expect([await meant("org_a"), await pending()]).toEqual([[], 2]);
  const state = { embedder: "test:2", pending: 1, compared: "current", needsRebuild: false };
  expect(await index.vectorState(["org_b"])).toEqual(state);
  expect(await index.searchableVersion({ org: "org_a", id: "mem_1" })).toBe(0);
  know("tea mem_1", "tea mem_2");
  await expect.poll(() => pending(), { timeout: 20_000 }).toBe(0);
  expect([await meant("org_a"), await meant("org_b")]).toEqual([["mem_1"], ["mem_2"]]);
  expect((await search("org_a")).keyword[0]).not.toHaveProperty("isPending");
  expect(await index.searchableVersion({ org: "org_a", id: "mem_1" })).toBe(1);
});

test("knows the searchable version after each write", async () => {
  const version = () => index.searchableVersion({ org: "org_a", id: "mem_1" });
  const versions = [];
  for (const write of [
    () => index.upsert([document("org_a", "mem_1")]),
    () => index.upsert([document("org_a", "mem_1", { version: 2 })]),
    () => index.upsert([bare("org_a", "mem_1", { version: 3, content: "coffee" })]),
    () => index.upsert([document("org_a", "mem_1", { version: 4 })]),
    () => index.remove([{ org: "org_a", id: "mem_1", version: 5 }]),
  ]) {
    await write();
    versions.push([await version(), await version()]);
  }
  expect(versions).toEqual([
    [1, 1],
    [2, 2],
    [0, 0],
    [4, 4],
    [0, 0],
  ]);
});

test("computes vectors that were missing when the process ended", async () => {
  await index.upsert([bare("org_a", "mem_1"), bare("org_a", "mem_2")]);
  index.close();
  know("tea mem_1", "tea mem_2");
  index = open();
  await search("org_a");
  await expect.poll(() => meant("org_a"), SOON).toEqual(["mem_1", "mem_2"]);
});

test("keeps the vector of a document with unchanged content", async () => {
  know("tea mem_1");
  await index.upsert([bare("org_a", "mem_1")]);
  await expect.poll(() => meant("org_a"), SOON).toEqual(["mem_1"]);
  await index.upsert([bare("org_a", "mem_1", { version: 2, category: "drinks" })]);
  expect(await meant("org_a")).toEqual(["mem_1"]);
  expect(embedded).toEqual(["tea mem_1"]);
  await index.upsert([bare("org_a", "mem_1", { version: 3, content: "coffee" })]);
  expect(await meant("org_a")).toEqual([]);
  know("coffee");
  await expect.poll(() => meant("org_a"), { timeout: 10_000 }).toEqual(["mem_1"]);
  expect(new Set(embedded)).toEqual(new Set(["tea mem_1", "coffee"]));
});

test("embeds the same content of several documents once", async () => {
  know("tea", "coffee");
  const ids = Array.from({ length: 40 }, (_, i) => `mem_${i}`);
  await index.upsert(ids.map((id) => bare("org_a", id, { content: "tea" })));
  await expect.poll(() => pending(), SOON).toBe(0);
  await index.upsert([bare("org_a", "mem_40", { content: "tea" })]);
  expect([await pending(), embedded]).toEqual([0, ["tea"]]);
  expect((await search("org_a", 50)).semantic).toHaveLength(41);
});

test("embeds a document once if only other attributes change while it waits", async () => {
  const { started, release } = reopenHeld();
  await index.upsert([bare("org_a", "mem_1")]);
  await started;
  await index.upsert([bare("org_a", "mem_1", { version: 2, category: "drinks" })]);
  release();
  await expect.poll(() => meant("org_a"), SOON).toEqual(["mem_1"]);
  expect(embedded).toEqual(["tea mem_1"]);
});

test("shares vectors with no other organization, and keeps none of deleted contents", async () => {
  know("tea");
  const removed = (id: string) => ({ org: "org_a", id, version: 1 });
  await index.upsert([bare("org_a", "mem_1", { content: "tea" }), bare("org_a", "mem_2", { content: "tea" })]);
  await expect.poll(() => pending(), SOON).toBe(0);
  await index.upsert([bare("org_b", "mem_1", { content: "tea" })]);
  await expect.poll(() => pending(), SOON).toBe(0);
  expect(embedded).toEqual(["tea", "tea"]);
  await index.remove([removed("mem_1")]);
  await index.upsert([bare("org_a", "mem_3", { content: "tea" })]);
  expect(embedded).toHaveLength(2);
  await index.remove([removed("mem_2"), removed("mem_3")]);
  await index.upsert([bare("org_a", "mem_4", { content: "tea" })]);
  await expect.poll(() => embedded, SOON).toEqual(["tea", "tea", "tea"]);
});

test("stores no vector of a version that was replaced or removed meanwhile", async () => {
  const { started, release } = reopenHeld();
  await index.upsert([bare("org_a", "mem_1"), bare("org_a", "mem_2")]);
  await started;
  await index.upsert([document("org_a", "mem_1", { version: 2, embedding: Float32Array.of(0, 1) })]);
  await index.remove([{ org: "org_a", id: "mem_2", version: 1 }]);
  release();
  await expect.poll(() => pending(), SOON).toBe(0);
  const { semantic } = await search("org_a");
  expect(semantic.map(({ id, score }) => [id, score])).toEqual([["mem_1", 0.5]]);
});

test("embeds short texts before the passages of an upload", async () => {
  const long = "a long passage ".repeat(40);
  const passages = ["mem_1", "mem_2", "mem_5"].map((id) => bare("org_a", id, { content: `${long}${id}` }));
  await index.upsert([...passages, bare("org_a", "mem_3"), bare("org_a", "mem_4")]);
  await expect.poll(() => embedded.length, SOON).toBeGreaterThanOrEqual(5);
  const expected = ["tea mem_3", "tea mem_4", ...["mem_1", "mem_2", "mem_5"].map((id) => `${long}${id}`)];
  expect(embedded.slice(0, 5)).toEqual(expected);
});

test("embeds all other texts if one fails, and that one as soon as possible", async () => {
  const ids = Array.from({ length: 40 }, (_, i) => `mem_${i}`);
  know(...ids.slice(1).map((id) => `tea ${id}`));
  await index.upsert(ids.map((id) => bare("org_a", id)));
  await expect.poll(() => pending(), SOON).toBe(1);
  know("tea mem_0");
  await expect.poll(() => pending(), { timeout: 10_000 }).toBe(0);
});

test("does not delay other organizations if the texts of one fail", async () => {
  const ids = Array.from({ length: 40 }, (_, i) => `mem_${i}`);
  know(...ids.map((id) => `tea ${id}`));
  await index.upsert([bare("org_a", "poison")]);
  await expect.poll(() => embedded, SOON).toContain("tea poison");
  await index.upsert(ids.map((id) => bare("org_b", id)));
  await expect.poll(() => pending(), SOON).toBe(1);
  expect(await meant("org_b")).toHaveLength(10);
});

test("continues after vectors could not be stored for a while", async () => {
  know("tea mem_1");
  const storeVectors = vi.spyOn(OrganizationIndex.prototype, "storeVectors");
  const postpone = vi.spyOn(OrganizationIndex.prototype, "postpone");
  const full = () => {
    throw new Error("database or disk is full");
  };
  storeVectors.mockImplementation(full);
  postpone.mockImplementation(full);
  await index.upsert([bare("org_a", "mem_1")]);
  await expect.poll(() => postpone.mock.calls.length, SOON).toBeGreaterThan(0);
  vi.restoreAllMocks();
  await expect.poll(() => meant("org_a"), { timeout: 10_000 }).toEqual(["mem_1"]);
});

test("computes all vectors again for another embedder, and finds words meanwhile", async () => {
  await index.upsert([document("org_a", "mem_1", { embedding: Float32Array.of(0, 1) })]);
  reopen(testEmbedder("other:2"));
  expect((await search("org_a")).keyword.map(({ id }) => id)).toEqual(["mem_1"]);
  expect([await meant("org_a"), await pending()]).toEqual([[], 1]);
  know("tea mem_1");
  await expect.poll(() => meant("org_a"), { timeout: 10_000 }).toEqual(["mem_1"]);
});

test("orders vectors by cosines to five decimals, however near they are to each other", async () => {
  const [dimensions, count] = [32, 400];
  reopen({ ...embedder, id: "test:32", dimensions });
  const near = (place: number) =>
    unit(Array.from({ length: dimensions }, (_, i) => 1 + Math.sin(place * 31 + i * 12.9898) / 1000));
  const documents = Array.from({ length: count }, (_, place) =>
    document("org_a", `mem_${place}`, { embedding: near(place) }),
  );
  await index.upsert(documents);
  const vector = near(-1);
  const cosines = documents.map(({ id, embedding = vector }) => ({
    id,
    cosine: embedding.reduce((sum, value, i) => sum + value * (vector[i] ?? 0), 0),
  }));
  const wanted = cosines.sort((a, b) => b.cosine - a.cosine).slice(0, count);
  const { semantic } = await index.search({ org: "org_a", now: NOW, semantic: { vector, limit: count } });
  expect(semantic).toHaveLength(count);
  for (const [place, { score }] of semantic.entries()) {
    expect(2 * score - 1).toBeCloseTo(wanted[place]?.cosine ?? 0, 5);
  }
});

function unit(values: number[]): Float32Array {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}

test("compares the former vectors until those of another embedder are complete, and never mixes them", async () => {
  await index.upsert([
    document("org_a", "mem_1", { embedding: Float32Array.of(1, 0) }),
    document("org_a", "mem_2", { embedding: Float32Array.of(0, 1) }),
  ]);
  const formerBackground = { mean: 0.9, deviation: 0.01 };
  const embed: Embedder["embed"] = async (texts) => texts.map(() => Float32Array.of(1, 0));
  const former = { ...embedder, background: formerBackground, embed };
  const reopenNext = () =>
    reopen({ ...testEmbedder("other:3"), dimensions: 3 }, (id) => (id === embedder.id ? former : undefined));
  reopenNext();
  const nearest = async () => {
    const semantic = { vector: Float32Array.of(0, 0, 1), limit: 10, text: "tea" };
    const { semantic: hits, comparedBy } = await index.search({ org: "org_a", now: NOW, semantic });
    return [comparedBy?.background, ...hits.map(({ id, score }) => [id, score])];
  };
  const before = [formerBackground, ["mem_1", 1], ["mem_2", 0.5]];
  known.set("tea mem_1", Float32Array.of(1, 0, 0));
  expect(await nearest()).toEqual(before);
  await expect.poll(() => pending(), { timeout: 10_000 }).toBe(1);
  expect(await nearest()).toEqual(before);
  await index.upsert([bare("org_a", "mem_1", { version: 2, category: "drinks" })]);
  expect([await nearest(), await pending()]).toEqual([before, 1]);
  reopenNext();
  expect([await nearest(), await pending()]).toEqual([before, 1]);

  known.set("tea mem_2", Float32Array.of(0, 0, 1));
  await expect.poll(nearest, { timeout: 10_000 }).toEqual([undefined, ["mem_2", 1], ["mem_1", 0.5]]);
  expect(embedded.filter((text) => text === "tea mem_1")).toHaveLength(2);
});

test("finds words while the former embedder fails", async () => {
  await index.upsert([document("org_a", "mem_1")]);
  const embed = () => Promise.reject(new Error("gone"));
  reopen(testEmbedder("other:2"), () => ({ ...embedder, embed }));
  const semantic = { vector: Float32Array.of(0, 1), limit: 10, text: "tea" };
  const found = await index.search({ org: "org_a", now: NOW, semantic, keyword: { text: "tea", limit: 10 } });
  expect([found.semantic, found.keyword.map(({ id }) => id)]).toEqual([[], ["mem_1"]]);
});

test("keeps the former vectors if their embedder is configured again", async () => {
  await index.upsert([document("org_a", "mem_1")]);
  reopen(testEmbedder("other:2"), () => embedder);
  expect(await pending()).toBe(1);
  reopen();
  expect([await meant("org_a"), await pending()]).toEqual([["mem_1"], 0]);
});

test("builds another index with the existing vectors", async () => {
  know("tea mem_1");
  await index.upsert([bare("org_a", "mem_1")]);
  await expect.poll(() => pending(), SOON).toBe(0);
  const built = await index.rebuild("anew");
  await built.upsert([bare("org_a", "mem_1")]);
  await built.activate();
  expect(await meant("org_a")).toEqual(["mem_1"]);
  expect(embedded).toEqual(["tea mem_1"]);
});

test("ignores a common word only if rarer ones find enough", async () => {
  const crowd = Array.from({ length: 1200 }, (_, i) => document("org_a", `crowd_${i}`, { content: `tea number ${i}` }));
  const rare = Array.from({ length: 3 }, (_, i) => document("org_a", `rare_${i}`, { content: "walrus" }));
  await index.upsert([...crowd, ...rare]);
  const ask = async (limit: number) =>
    (await index.search({ org: "org_a", now: NOW, keyword: { text: "tea walrus", limit } })).keyword;
  expect((await ask(3)).map(({ id }) => id)).toEqual(["rare_0", "rare_1", "rare_2"]);
  const more = await ask(5);
  expect(more).toHaveLength(5);
  expect(more.filter(({ terms }) => terms?.includes("tea"))).toHaveLength(2);
});

test("searches only by words if loading vectors takes longer than a search waits", async () => {
  await index.upsert(Array.from({ length: 10 }, (_, place) => document("org_a", `mem_${place}`)));
  const asked = (timeLimit?: number) =>
    index.search({
      org: "org_a",
      now: NOW,
      semantic: { vector: Float32Array.of(1, 0), limit: 10, ...(timeLimit !== undefined && { timeLimit }) },
      keyword: { text: "tea", limit: 10 },
    });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { loadVectors } = OrganizationIndex.prototype;
  const spied = vi.spyOn(OrganizationIndex.prototype, "loadVectors").mockImplementationOnce(async function (
    this: OrganizationIndex,
  ) {
    await held;
    await loadVectors.call(this);
  });
  index.preload();
  const late = await asked(1);
  expect([late.semantic.length, late.keyword.length]).toEqual([0, 10]);
  const waiting = [asked(), asked()];
  await index.upsert([document("org_a", "mem_new"), document("org_a", "mem_0", { version: 2, content: "coffee" })]);
  release();
  for (const { semantic } of await Promise.all(waiting)) expect(semantic).toHaveLength(10);
  expect((await search("org_a", 20)).semantic).toHaveLength(11);
  expect(spied).toHaveBeenCalledTimes(1);
  spied.mockRestore();
});

test("reports lost writes before a write of the records can delete their changes", async () => {
  index.close();
  const onLost = vi.fn();
  index = new LocalSearchIndex({
    folder,
    embedder,
    embedsLater: false,
    clock: () => NOW,
    logger: silentLogger,
    onLost,
  });
  await index.upsert([document("org_a", "mem_1")]);
  const { run } = Database.prototype;
  const full = vi.spyOn(Database.prototype, "run").mockImplementation(function (this: Database, text, ...values) {
    if (text === "COMMIT") throw new Error("the disk is full");
    return run.call(this, text, ...values);
  });
  expect(() => index.takeMarks()).toThrow("the disk is full");
  expect(onLost).toHaveBeenCalledTimes(1);
  full.mockRestore();
  expect((await search("org_a")).keyword).toEqual([]);
});

describe("long documents", () => {
  /** Random words, so that a document has many different terms. */
  const long = (id: string, overrides: Partial<SearchDocument> = {}) => {
    const words = Array.from({ length: 4_000 }, (_, place) => `word${(place * 7919) % 5_003}`);
    return document("org_a", id, { content: `tea ${id} ${words.join(" ")}`, ...overrides });
  };
  const writtenHere = () => vi.spyOn(OrganizationIndex.prototype, "write");
  const found = async () => (await search("org_a")).keyword.map(({ id, document: { version } }) => [id, version]);

  test("are written, replaced and deleted in a thread, with vectors in memory", async () => {
    await index.upsert([document("org_a", "short")]);
    expect((await search("org_a")).semantic).toHaveLength(1);
    const here = writtenHere();
    await index.upsert([long("mem_1"), long("mem_2")]);
    expect((await search("org_a")).semantic).toHaveLength(3);
    await index.upsert([long("mem_1", { version: 2, content: "coffee" })]);
    await index.remove([{ org: "org_a", id: "mem_2", version: 3 }]);
    expect(here).not.toHaveBeenCalled();
    expect(await found()).toEqual([["short", 1]]);
    expect((await search("org_a")).semantic).toHaveLength(2);
    expect([...index.states()]).toMatchObject([{ org: "org_a", commits: 5 }]);
    here.mockRestore();
  });

  test("keep later writes of the same index waiting, and its file open", async () => {
    const writes = [index.upsert([long("mem_1")])];
    await expect.poll(() => readdirSync(folder)).toHaveLength(3);
    writes.push(index.upsert([document("org_a", "mem_1", { version: 2 })]));
    await index.ping();
    for (let other = 0; other < 70; other++) await index.count({ org: `org_${other}`, now: NOW });
    await Promise.all(writes);
    expect(await found()).toEqual([["mem_1", 2]]);
  });

  test("are written here if the thread fails", async () => {
    const failing = vi.spyOn(TextPool.prototype, "run").mockRejectedValueOnce(new Error("no thread"));
    await index.upsert([long("mem_1")]);
    expect(await found()).toEqual([["mem_1", 1]]);
    expect(failing).toHaveBeenCalledTimes(1);
    failing.mockRestore();
  });

  test("are found by kept filters, even if the thread is ended after its commit", async () => {
    const filters = { user_id: ["ann"] };
    let now = NOW;
    const vector = Float32Array.of(1, 0);
    const ofAnn = async () => {
      const queries = { semantic: { vector, limit: 9 }, keyword: { text: "tea", limit: 9 } };
      const { semantic, keyword } = await index.search({ org: "org_a", now: ++now, filters, ...queries });
      return [semantic, keyword].map((hits) => hits.map(({ id }) => id));
    };
    await index.upsert([document("org_a", "short", { user_id: "ann" })]);
    for (let request = 0; request < 2; request++) expect(await ofAnn()).toEqual([["short"], ["short"]]);
    await index.upsert([long("mem_1", { user_id: "ann" })]);
    expect((await ofAnn()).map((ids) => ids.sort())).toEqual(Array(2).fill(["mem_1", "short"]));
    const { run } = TextPool.prototype;
    const ended = vi.spyOn(TextPool.prototype, "run").mockImplementationOnce(async function (this: TextPool, ...given) {
      await run.apply(this, given);
      throw new Error("out of time");
    });
    await index.upsert([long("mem_2", { user_id: "ann" })]);
    expect(ended).toHaveBeenCalledTimes(1);
    ended.mockRestore();
    expect([...index.states()]).toMatchObject([{ commits: 4 }]);
    expect((await ofAnn()).map((ids) => ids.sort())).toEqual(Array(2).fill(["mem_1", "mem_2", "short"]));
  });

  test("are not written here while a thread writes", async () => {
    await index.upsert([document("org_a", "short")]);
    const released = Promise.withResolvers<[]>();
    const held = vi.spyOn(TextPool.prototype, "run").mockReturnValueOnce(released.promise);
    const writing = index.upsert([long("mem_1")]);
    await expect.poll(() => held).toHaveBeenCalled();
    const later = [index.remove([{ org: "org_a", id: "short", version: 2 }]), index.scrub?.("org_a"), index.purge(NOW)];
    expect(await found()).toEqual([["short", 1]]);
    released.resolve([]);
    await Promise.all([writing, ...later]);
    expect(await found()).toEqual([]);
    held.mockRestore();
  });
});

test("kept documents of filters and sessions follow every write", async () => {
  const at = (minute: number) => new Date(NOW - (60 - minute) * 60_000).toISOString();
  const said = (id: string, minute: number, overrides: Partial<SearchDocument> = {}) =>
    document("org_a", id, { user_id: "ann", session_id: "s", occurred_at: at(minute), ...overrides });
  let now = NOW;
  const middle = said("m3", 3);
  const found = async () => {
    const scope = { org: "org_a", now: ++now, filters: { user_id: ["ann"] } };
    const { keyword } = await index.search({ ...scope, keyword: { text: "tea", limit: 9 } });
    const { inTime } = await index.neighbours({ ...scope, documents: [middle], reach: 9, entities: [], maxMembers: 0 });
    return [keyword.map(({ id }) => id), inTime.get("m3")];
  };
  await index.upsert([said("m1", 1), said("m2", 2), middle, said("m4", 4), said("m5", 5)]);
  for (let request = 0; request < 2; request++) {
    expect(await found()).toEqual([
      ["m1", "m2", "m3", "m4", "m5"],
      ["m1", "m2", "m4", "m5"],
    ]);
  }
  await index.upsert([said("m2", 2, { version: 2, user_id: "ben" }), said("m4", 4, { version: 2, session_id: "t" })]);
  expect(await found()).toEqual([
    ["m1", "m3", "m4", "m5"],
    ["m1", "m5"],
  ]);
  await index.remove([{ org: "org_a", id: "m1", version: 2 }]);
  await index.upsert([said("m6", 6), said("m5", 5, { version: 2, expire_at: at(59) })]);
  expect(await found()).toEqual([["m3", "m4", "m6"], ["m6"]]);
  await index.upsert([said("m2", 2, { version: 3 }), said("m4", 1, { version: 3 })]);
  expect(await found()).toEqual([
    ["m2", "m3", "m4", "m6"],
    ["m4", "m2", "m6"],
  ]);
});

test("kept documents follow a row number that another document has by now", async () => {
  const said = (user: string, id: string) => document("org_a", id, { user_id: user, session_id: "s" });
  let now = NOW;
  const found = async (user: string, id: string) => {
    const scope = { org: "org_a", now: ++now, filters: { user_id: [user] } };
    const { keyword } = await index.search({ ...scope, keyword: { text: "tea", limit: 9 } });
    const documents = [said(user, id)];
    const { inTime } = await index.neighbours({ ...scope, documents, reach: 9, entities: [], maxMembers: 0 });
    return [keyword.map(({ id }) => id), inTime.get(id)];
  };
  await index.upsert([said("ben", "m1"), said("ann", "m2"), said("ann", "m3")]);
  for (let request = 0; request < 2; request++) {
    expect(await found("ann", "m2")).toEqual([["m2", "m3"], ["m3"]]);
    expect(await found("ben", "m1")).toEqual([["m1"], []]);
  }
  await index.remove([{ org: "org_a", id: "m3", version: 2 }]);
  await index.upsert([said("ben", "m4")]);
  expect(await found("ann", "m2")).toEqual([["m2"], []]);
  expect(await found("ben", "m1")).toEqual([["m1", "m4"], ["m4"]]);
});

test.each<NonNullable<SearchScope["filters"]>>([
  { metadata: { topic: "tea" } },
  { where: { path: "metadata.topic", contains: "te" } },
  { where: { not: { path: "metadata.topic", equals: ["coffee"] } } },
  { entity_ids: ["ent_tea"] },
])("kept documents of %j follow what is rewritten", async (filters) => {
  const about = (id: string, version: number, topic: string) =>
    document("org_a", id, { version, metadata: { topic }, entity_ids: [`ent_${topic}`] });
  let now = NOW;
  const found = async () => {
    const { keyword } = await index.search({ org: "org_a", now: ++now, filters, keyword: { text: "tea", limit: 9 } });
    return keyword.map(({ id }) => id);
  };
  await index.upsert([about("m1", 1, "tea"), about("m2", 1, "coffee")]);
  for (let request = 0; request < 2; request++) expect(await found()).toEqual(["m1"]);
  await index.upsert([about("m2", 2, "tea")]);
  expect(await found()).toEqual(["m1", "m2"]);
  await index.upsert([about("m1", 2, "coffee")]);
  expect(await found()).toEqual(["m2"]);
});

test("documents of a kept filter are not read again for their vectors", async () => {
  know("tea mem_1");
  const held = reopenHeld();
  await index.upsert([bare("org_a", "mem_1", { user_id: "ann" })]);
  let now = NOW;
  const found = () =>
    index.search({ org: "org_a", now: ++now, filters: { user_id: ["ann"] }, keyword: { text: "tea", limit: 9 } });
  for (let request = 0; request < 2; request++) expect((await found()).keyword).toHaveLength(1);
  held.release();
  await expect.poll(() => pending(), SOON).toBe(0);
  const statements = vi.spyOn(Database.prototype, "tuples");
  expect((await found()).keyword).not.toHaveProperty("0.isPending");
  expect(statements.mock.calls.filter(([text]) => /SELECT (d\.)?doc, source|user_id/.test(text))).toEqual([]);
  statements.mockRestore();
});

test("documents of a session that is too long to keep have their neighbours", async () => {
  const all = Array.from({ length: 502 }, (_, position) =>
    document("org_a", `m${1000 + position}`, { user_id: "ann", session_id: "s" }),
  );
  await index.upsert(all);
  const asked = document("org_a", "m1250", { user_id: "ann", session_id: "s" });
  const scope = { org: "org_a", now: NOW, documents: [asked], reach: 2, entities: [], maxMembers: 0 };
  const { inTime } = await index.neighbours(scope);
  expect(inTime.get("m1250")).toEqual(["m1248", "m1249", "m1251", "m1252"]);
});
