import { beforeEach, describe, expect, it } from "vitest";
import { TtlCache } from "./ttl-cache.ts";

let now: number;
let reads: number;
let remembered: TtlCache<{ id: string }>;

beforeEach(() => {
  now = 1;
  reads = 0;
  remembered = new TtlCache(() => now, 10_000);
});

const read = async () => ({ id: `reading ${++reads}` });
const ask = (name = "a") => remembered.get(name, read);

describe("what was read lately", () => {
  it("is not read again for as long as it is trusted", async () => {
    await ask();
    now += 9_999;
    expect(await ask()).toEqual({ id: "reading 1" });
    now += 1;
    expect(await ask()).toEqual({ id: "reading 2" });
  });

  it("is trusted from when the reading began", async () => {
    const { promise, resolve } = Promise.withResolvers<{ id: string }>();
    const slow = remembered.get("a", () => promise);
    now += 9_000;
    resolve({ id: "slow" });
    expect(await slow).toEqual({ id: "slow" });
    now += 1_000;
    expect(await ask()).toEqual({ id: "reading 1" });
  });

  it("reports its size in bytes, without evicted entries", async () => {
    expect(remembered.bytes).toBe(0);
    await ask("a");
    const one = remembered.bytes;
    expect(one).toBeGreaterThan("a".length + "id".length + "reading 1".length);
    await ask("b");
    expect(remembered.bytes).toBe(2 * one);
    await remembered.get("long", async () => ({ id: "x".repeat(10_000) }));
    expect(remembered.bytes).toBeGreaterThan(10_000);
    remembered.forget("long");
    remembered.forget("a");
    expect(remembered.bytes).toBe(one);
  });

  it("is read once by all who ask at once", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask()));
    expect(new Set(answers.map((answer) => answer?.id))).toEqual(new Set(["reading 1"]));
  });

  it("is not remembered when it is absent or the reading failed", async () => {
    expect(await remembered.get("a", async () => undefined)).toBeUndefined();
    await expect(remembered.get("a", () => Promise.reject(new Error("down")))).rejects.toThrow("down");
    expect(await ask()).toEqual({ id: "reading 1" });
  });

  it.each([
    ["its name", () => remembered.forget("a")],
    ["what it holds", () => remembered.forgetWhere(({ id }) => id === "reading 1")],
  ])("is read again once it is forgotten by %s", async (_how, forget) => {
    await ask();
    await ask("b");
    forget();
    expect([await ask(), await ask("b")]).toEqual([{ id: "reading 3" }, { id: "reading 2" }]);
  });

  it.each([
    ["its name", () => remembered.forget("a")],
    ["what it may hold", () => remembered.forgetWhere(() => false)],
  ])("is not remembered when it was forgotten by %s while it was read", async (_how, forget) => {
    const { promise, resolve } = Promise.withResolvers<{ id: string }>();
    const early = remembered.get("a", () => promise);
    forget();
    const late = ask();
    resolve({ id: "of before" });
    expect([await early, await late]).toEqual([{ id: "of before" }, { id: "reading 1" }]);
    expect(await ask()).toEqual({ id: "reading 1" });
  });

  it("does not grow without end", async () => {
    for (let place = 0; place <= 10_000; place++) await ask(`name ${place}`);
    expect(await ask("name 10000")).toEqual({ id: "reading 10001" });
    expect(await ask("name 0")).toEqual({ id: "reading 10002" });
  });
});
