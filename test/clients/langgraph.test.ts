import { InMemoryStore, type Item, type Operation } from "@langchain/langgraph-checkpoint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MemoryClient } from "../../clients/typescript/src/index.ts";
import { MemoryRetriever } from "../../clients/typescript/src/langchain.ts";
import { MemoryStore } from "../../clients/typescript/src/langgraph.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";
import { clientOf } from "./client-of.ts";

let service: LocalService;

beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

/** Returns a client of a new organization. */
async function newClient(): Promise<MemoryClient> {
  const { key } = await createOrganization(service);
  return clientOf(service, key);
}

const newStore = async () => new MemoryStore({ client: await newClient() });
const ADA = ["users", "ada"];
const BEN = ["users", "ben"];

describe("MemoryStore", () => {
  it("leaves out and reports memories of its category that no store made", async () => {
    const client = await newClient();
    const reported: unknown[] = [];
    const store = new MemoryStore({ client, onError: (error) => reported.push(error) });
    await store.put(ADA, "tea", { text: "Ada drinks green tea." });
    const malformed: unknown[] = [
      undefined,
      "text",
      { namespace: ADA, key: "tea" },
      { namespace: ADA, key: "tea", value: "{" },
      { namespace: ADA, key: "tea", value: "null" },
      { namespace: "users", key: "tea", value: "{}" },
      { namespace: [1], key: "tea", value: "{}" },
      { namespace: ADA, key: 7, value: "{}" },
    ];
    for (const langgraph of malformed) {
      const metadata = langgraph === undefined ? {} : { langgraph: langgraph as object };
      await client.remember({ content: "Ada drinks tea of another kind.", category: "langgraph", metadata });
    }
    expect((await store.search([])).map(({ key }) => key)).toEqual(["tea"]);
    expect(reported).toHaveLength(malformed.length);
    expect(await store.listNamespaces()).toEqual([ADA]);
    expect(reported).toHaveLength(2 * malformed.length);
  });

  it("reads what it wrote, changes and deletes it", async () => {
    const store = await newStore();
    expect(await store.get(ADA, "tea")).toBeNull();
    await store.put(ADA, "tea", { text: "Ada drinks green tea.", cups: 3 });
    const first = await store.get(ADA, "tea");
    expect(first).toMatchObject({ namespace: ADA, key: "tea", value: { text: "Ada drinks green tea.", cups: 3 } });
    expect(first?.createdAt).toBeInstanceOf(Date);
    await store.put(ADA, "tea", { text: "Ada drinks black tea." });
    const second = await store.get(ADA, "tea");
    expect(second?.value).toEqual({ text: "Ada drinks black tea." });
    expect(second?.createdAt).toEqual(first?.createdAt);
    expect(await store.get(BEN, "tea")).toBeNull();
    await store.delete(ADA, "tea");
    expect(await store.get(ADA, "tea")).toBeNull();
    await store.delete(ADA, "tea");
  });

  it.each<Record<string, unknown>>([
    {},
    { count: 5, list: [1, null, true, { deep: [[["down"]]] }] },
    { text: "  spaces around  " },
    { text: "" },
    { text: " ", other: "\ud800 half a character" },
    { "": "a name without letters", constructor: "x", "a.b": 1 },
    { amount: Number.MAX_VALUE, tiny: 1e-300 },
    { text: "long ".repeat(15_000), note: "short" },
  ])("gives back %j as it was", async (value) => {
    const store = new MemoryStore({ client: await newClient(), fields: ["text"] });
    for (const index of [undefined, false, ["note"]] as const) {
      const isLong = JSON.stringify(value).length > 16_000;
      if (isLong && index !== undefined) continue;
      await store.put(ADA, "item", value, index as string[] | false | undefined);
      expect((await store.get(ADA, "item"))?.value).toEqual(value);
    }
  });

  it("refuses a value that is longer than metadata may be beside its text", async () => {
    const store = await newStore();
    await expect(store.put(ADA, "long", { numbers: Array(20_000).fill(1) })).rejects.toThrow("16 KB");
  });

  it("answers batches, lists and namespaces as LangGraph's own store does", async () => {
    const [own, reference] = [await newStore(), new InMemoryStore()];
    const items: [string[], string, object][] = [
      [ADA, "tea", { text: "Ada drinks tea.", kind: "taste", rank: 2 }],
      [ADA, "work", { text: "Ada builds bridges.", kind: "work", rank: 3 }],
      [["users", "ada", "trips"], "rome", { text: "Ada went to Rome.", kind: "trip", rank: 1 }],
      [BEN, "tea", { text: "Ben drinks coffee.", kind: "taste", rank: 5 }],
      [["users-old"], "tea", { text: "Nobody drinks.", kind: "taste", rank: 9 }],
    ];
    for (const store of [own, reference])
      for (const [namespace, key, value] of items) await store.put(namespace, key, value);
    const keysOf = (found: { namespace: string[]; key: string }[]) =>
      found.map(({ namespace, key }) => [...namespace, key].join("/")).sort();
    for (const [prefix, options] of [
      [[], {}],
      [["users"], {}],
      [ADA, {}],
      [["us"], {}],
      [["users"], { filter: { kind: "taste" } }],
      [[], { filter: { rank: { $gte: 2, $lt: 5 } } }],
      [[], { filter: { kind: { $ne: "taste" }, rank: { $gt: 1 } } }],
      [[], { filter: { kind: { $in: ["work", "trip"] } } }],
      [[], { filter: { missing: 1 } }],
    ] as const) {
      const [ours, theirs] = await Promise.all([own, reference].map((store) => store.search([...prefix], options)));
      expect(keysOf(ours!), JSON.stringify([prefix, options])).toEqual(keysOf(theirs!));
    }
    const pages = await Promise.all([0, 2, 4].map((offset) => own.search([], { offset, limit: 2 })));
    expect(keysOf(pages.flat())).toHaveLength(5);
    expect(new Set(keysOf(pages.flat())).size).toBe(5);
    for (const options of [
      {},
      { prefix: ["users"] },
      { prefix: ["users", "*"], maxDepth: 2 },
      { suffix: ["trips"] },
      { suffix: ["a", "b", "c", "d"] },
      { maxDepth: 1 },
      { limit: 2, offset: 1 },
    ]) {
      expect(await own.listNamespaces(options), JSON.stringify(options)).toEqual(
        await reference.listNamespaces(options),
      );
    }
    const operations: Operation[] = [
      { namespace: ADA, key: "tea" },
      { namespace: ADA, key: "tea", value: { text: "first" } },
      { namespace: ADA, key: "tea", value: { text: "second" } },
      { namespace: BEN, key: "tea", value: null },
      { namespacePrefix: BEN },
    ];
    const answers: unknown[] = await own.batch(operations);
    expect(answers).toHaveLength(operations.length);
    expect((answers[0] as Item).value).toEqual(items[0]?.[2]);
    expect((await own.get(ADA, "tea"))?.value).toEqual({ text: "second" });
    expect(await own.get(BEN, "tea")).toBeNull();
  });

  it("finds by a query within a prefix, and nothing that is not indexed", async () => {
    const store = await newStore();
    await store.put(ADA, "tea", { text: "Ada drinks green tea every morning.", kind: "taste" });
    await store.put(ADA, "secret", { text: "The green tea is in the safe.", kind: "place" }, false);
    await store.put(BEN, "tea", { text: "Ben drinks green tea as well.", kind: "taste" });
    const found = await store.search(ADA, { query: "green tea" });
    expect(found.map(({ namespace, key }) => [namespace, key])).toEqual([[ADA, "tea"]]);
    expect(found[0]?.score).toBeGreaterThan(0);
    expect(await store.search(["users"], { query: "green tea" })).toHaveLength(2);
    expect(await store.search(["users"], { query: "green tea", limit: 1, offset: 1 })).toHaveLength(1);
    expect(await store.search(["users"], { query: "green tea", filter: { kind: "place" } })).toEqual([]);
    expect(await store.search([], { query: "green tea" })).toHaveLength(2);
  });

  it("keeps stores of other categories and memories of people apart, and is part of a user's recall", async () => {
    const client = await newClient();
    const store = new MemoryStore({ client, userOf: ([, user]) => user });
    const other = new MemoryStore({ client, category: "other" });
    await client.remember({ content: "Ada drinks cocoa.", user_id: "ada" });
    await store.put(ADA, "tea", { text: "My favourite tea is Assam." });
    expect(await other.get(ADA, "tea")).toBeNull();
    expect(await other.search([])).toEqual([]);
    expect(await store.search([])).toHaveLength(1);
    const { context } = await client.recall("Which tea do I like?", { user_id: "ada" });
    expect(context).toContain("Assam");
  });

  it("leaves one item where writers made it at once", async () => {
    const store = await newStore();
    await Promise.all([1, 2, 3].map((count) => store.put(ADA, "tea", { count })));
    await store.put(ADA, "tea", { count: 4 });
    expect((await store.search(ADA)).map(({ value }) => value)).toEqual([{ count: 4 }]);
    await store.delete(ADA, "tea");
    expect(await store.search(ADA)).toEqual([]);
  });
});

it("MemoryRetriever answers memories as documents of LangChain", async () => {
  const client = await newClient();
  const { id } = await client.remember({
    content: "Ada drinks green tea.",
    user_id: "ada",
    metadata: { place: "home" },
  });
  await client.remember({ content: "Ben drinks green tea.", user_id: "ben" });
  const documents = await new MemoryRetriever({ client, userId: "ada", limit: 5 }).invoke("green tea");
  expect(documents).toMatchObject([{ id, pageContent: "Ada drinks green tea.", metadata: { place: "home" } }]);
  expect(documents[0]?.metadata.score).toBeGreaterThan(0);
});
