import { beforeEach, describe, expect, it } from "vitest";
import { TtlCache } from "./ttl-cache.ts";

let now: number;
let reads: number;
let cache: TtlCache<{ id: string }>;

beforeEach(() => {
  now = 1;
  reads = 0;
  cache = new TtlCache(() => now, 10_000);
});

const read = async () => ({ id: `reading ${++reads}` });
const ask = (name = "a") => cache.get(name, read);

describe("a cached value", () => {
  it("is not read again during its lifetime", async () => {
    await ask();
    now += 9_999;
    expect(await ask()).toEqual({ id: "reading 1" });
    now += 1;
    expect(await ask()).toEqual({ id: "reading 2" });
  });

  it("has a lifetime from the start of its read", async () => {
    const { promise, resolve } = Promise.withResolvers<{ id: string }>();
    const slow = cache.get("a", () => promise);
    now += 9_000;
    resolve({ id: "slow" });
    expect(await slow).toEqual({ id: "slow" });
    now += 1_000;
    expect(await ask()).toEqual({ id: "reading 1" });
  });

  it("reports its size in bytes, without evicted entries", async () => {
    expect(cache.bytes).toBe(0);
    await ask("a");
    const one = cache.bytes;
    expect(one).toBeGreaterThan("a".length + "id".length + "reading 1".length);
    await ask("b");
    expect(cache.bytes).toBe(2 * one);
    await cache.get("long", async () => ({ id: "x".repeat(10_000) }));
    expect(cache.bytes).toBeGreaterThan(10_000);
    cache.forget("long");
    cache.forget("a");
    expect(cache.bytes).toBe(one);
  });

  it("is read once for concurrent requests", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask()));
    expect(new Set(answers.map((answer) => answer?.id))).toEqual(new Set(["reading 1"]));
  });

  it("is not kept if it is absent or its read failed", async () => {
    expect(await cache.get("a", async () => undefined)).toBeUndefined();
    await expect(cache.get("a", () => Promise.reject(new Error("down")))).rejects.toThrow("down");
    expect(await ask()).toEqual({ id: "reading 1" });
  });

  it.each([
    ["its name", () => cache.forget("a")],
    ["its value", () => cache.forgetWhere(({ id }) => id === "reading 1")],
  ])("is read again after it is dropped by %s", async (_how, forget) => {
    await ask();
    await ask("b");
    forget();
    expect([await ask(), await ask("b")]).toEqual([{ id: "reading 3" }, { id: "reading 2" }]);
  });

  it.each([
    ["its name", () => cache.forget("a")],
    ["a test of its value", () => cache.forgetWhere(() => false)],
  ])("is not kept if it was dropped by %s during its read", async (_how, forget) => {
    const { promise, resolve } = Promise.withResolvers<{ id: string }>();
    const early = cache.get("a", () => promise);
    forget();
    const late = ask();
    resolve({ id: "of before" });
    expect([await early, await late]).toEqual([{ id: "of before" }, { id: "reading 1" }]);
    expect(await ask()).toEqual({ id: "reading 1" });
  });

  it("is limited in number", async () => {
    for (let index = 0; index <= 10_000; index++) await ask(`name ${index}`);
    expect(await ask("name 10000")).toEqual({ id: "reading 10001" });
    expect(await ask("name 0")).toEqual({ id: "reading 10002" });
  });
});
