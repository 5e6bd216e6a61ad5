import { spawn } from "node:child_process";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "../../../test/fixtures/temporary-folder.ts";
import { newPrincipal } from "../../../test/support/principals.ts";
import { openRecordStore } from "../../../test/support/record-store.ts";
import { LocalRecordStore } from "../../adapters/local/records.ts";
import { ServiceError } from "../../kernel/errors.ts";
import { type Logger, silentLogger } from "../../kernel/logger.ts";
import { ConditionFailedError } from "../../ports/errors.ts";
import type { RecordStore, Write } from "../../ports/record-store.ts";
import type { Principal } from "./principal.ts";
import { RateLimiter, type RateLimiterOptions, readOwnUse } from "./rate-limit.ts";

const LIMITER = fileURLToPath(new URL("./rate-limit.ts", import.meta.url));
const STORE = fileURLToPath(new URL("../../adapters/local/records.ts", import.meta.url));
const MINUTE = 60_000;
const PER_ADDRESS = { name: "address", perMinute: 60, burst: 2 };

let now: number;
let store: LocalRecordStore;

beforeEach(() => {
  now = Date.parse("2026-01-31T12:00:00Z");
  store = openRecordStore(() => now);
});

const newLimiter = () => new RateLimiter(store, () => now, silentLogger);

const limitedTo = (requests_per_minute: number, burst_limit: number, id = "ak_1") =>
  newPrincipal({ id, rateLimit: { requests_per_minute, burst_limit } });

/** Whether a request was admitted; any error other than RATE_LIMITED fails the test. */
async function passes(limiter: RateLimiter, who: Principal, operation?: "create_memory"): Promise<boolean> {
  try {
    await limiter.take(who, operation);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "RATE_LIMITED") return false;
    throw error;
  }
}

/** The results of requests one after the other, to one limiter or to several in turn. */
async function passesInTurn(limiters: RateLimiter[], who: Principal, count: number): Promise<boolean[]> {
  const passed: boolean[] = [];
  for (let turn = 0; turn < count; turn++) passed.push(await passes(limiters[turn % limiters.length]!, who));
  return passed;
}

/** Starts a separate process that requests 100 tokens, ten at once, when its input ends; `go` returns how many it got. */
function startProcess(file: string): { go(): Promise<number> } {
  const script = `
    const { RateLimiter } = await import(${JSON.stringify(LIMITER)});
    const { LocalRecordStore } = await import(${JSON.stringify(STORE)});
    const store = new LocalRecordStore({ file: ${JSON.stringify(file)}, clock: Date.now, streams: [] });
    const logger = { ...console, warn: (...line) => console.error(...line) };
    const limiter = new RateLimiter(store, Date.now, logger, { whenDown: "refuse" });
    process.stdin.resume().on("end", async () => {
      const take = () => limiter.takeFrom("subject", [{ name: "key", perMinute: 1, burst: 50 }]).then(() => 1, () => 0);
      let passed = 0;
      for (let round = 0; round < 10; round++) {
        for (const each of await Promise.all(Array.from({ length: 10 }, take))) passed += each;
      }
      console.log(passed);
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["pipe", "pipe", "inherit"] });
  return {
    go: async () => {
      child.stdin.end();
      return Number(await text(child.stdout));
    },
  };
}

describe("the rate limiter", () => {
  it("lets exactly 50 of 200 parallel requests of two operating system processes through at a limit of 50", async () => {
    const file = path.join(temporaryFolder(), "shared.sqlite");
    new LocalRecordStore({ file, clock: () => now, streams: [] }).close();
    const processes = [startProcess(file), startProcess(file)];
    const passed = await Promise.all(processes.map(({ go }) => go()));
    expect(passed.reduce((sum, each) => sum + each)).toBe(50);
  });

  it("lets exactly 50 of 200 parallel requests of several processes through at a limit of 50", async () => {
    const processes = [newLimiter(), newLimiter(), newLimiter(), newLimiter()];
    const who = limitedTo(50, 50);
    const outcomes = await Promise.all(Array.from({ length: 200 }, (_, turn) => passes(processes[turn % 4]!, who)));
    expect(outcomes.filter(Boolean)).toHaveLength(50);
  });

  it("admits another request after each interval", async () => {
    const limiter = newLimiter();
    const who = limitedTo(60, 2);
    expect(await passesInTurn([limiter], who, 3)).toEqual([true, true, false]);
    now += 999;
    expect(await passes(limiter, who)).toBe(false);
    now += 1;
    expect(await passesInTurn([limiter], who, 2)).toEqual([true, false]);
  });

  it("reports when to retry, and the remaining requests", async () => {
    const limiter = newLimiter();
    const who = limitedTo(60, 1);
    expect(await limiter.take(who, undefined)).toMatchObject({ policy: { name: "key" }, remaining: 0 });
    await expect(limiter.take(who, undefined)).rejects.toMatchObject({ details: { limit: "key", retry_after: 1 } });
  });

  it("limits an operation within the plan's general limit, and takes from neither when one is empty", async () => {
    const limiter = newLimiter();
    const free = newPrincipal({ plan: "free" });
    const created = [];
    for (let turn = 0; turn < 12; turn++) created.push(await passes(limiter, free, "create_memory"));
    expect(created.filter(Boolean)).toHaveLength(10);
    let others = 0;
    while (await passes(limiter, free)) others++;
    expect(others).toBe(90);
  });

  it("keeps credentials and organizations apart", async () => {
    const limiter = newLimiter();
    expect(await passes(limiter, limitedTo(1, 1, "ak_1"))).toBe(true);
    expect(await passes(limiter, limitedTo(1, 1, "ak_2"))).toBe(true);
    expect(await passes(limiter, { ...limitedTo(1, 1), org: "org_2" })).toBe(true);
    expect(await passes(limiter, limitedTo(1, 1, "ak_1"))).toBe(false);
  });

  describe("of an organization", () => {
    const many = Array.from({ length: 40 }, (_, number) => newPrincipal({ id: `ak_${number}`, plan: "free" }));
    const recordOf = (id: string) => store.get({ pk: `org_1#${id}`, sk: "rate_limits" });

    it("allows at most the plan's budget across all keys and processes", async () => {
      const processes = [newLimiter(), newLimiter(), newLimiter(), newLimiter()];
      const asked = many.flatMap((who) => Array.from({ length: 5 }, () => who));
      const outcomes = await Promise.all(asked.map((who, turn) => passes(processes[turn % 4]!, who, "create_memory")));
      expect(outcomes.filter(Boolean)).toHaveLength(50);
      expect(await passes(newLimiter(), newPrincipal({ id: "ak_new", plan: "free" }), "create_memory")).toBe(false);
      expect(await passes(newLimiter(), newPrincipal({ plan: "free", org: "org_2" }), "create_memory")).toBe(true);
    });

    it("reports the tighter of the organization's and the credential's limit", async () => {
      const limiter = newLimiter();
      const first = await limiter.take(many[0]!, "create_memory");
      expect(first).toMatchObject({ policy: { name: "create_memory" }, remaining: 9 });
      for (const who of many.slice(1, 48)) await limiter.take(who, "create_memory");
      for (const who of many.slice(1, 9)) await limiter.take(who, "create_memory");
      const tight = await limiter.take(many[20]!, "create_memory");
      expect(tight).toMatchObject({ policy: { name: "organization_create_memory", burst: 50 }, remaining: 1 });
      await limiter.take(many[21]!, "create_memory");
      const refused = { details: { limit: "organization_create_memory", requests_per_minute: 50 } };
      await expect(limiter.take(many[22]!, "create_memory")).rejects.toMatchObject(refused);
    });

    it("takes no token from a credential if its organization has none, nor the other way round", async () => {
      for (const who of many) await newLimiter().take(who, "create_memory");
      for (const who of many.slice(0, 10)) await newLimiter().take(who, "create_memory");
      const before = await recordOf("ak_30");
      // This limiter has no cached state, so it writes before it knows that the organization has no token.
      await expect(newLimiter().take(many[30]!, "create_memory")).rejects.toMatchObject({ code: "RATE_LIMITED" });
      expect(await recordOf("ak_30")).toEqual(before);
      const ofAll = await recordOf("organization");
      const own = { ...many[31]!, rateLimit: { requests_per_minute: 1, burst_limit: 1 } };
      await newLimiter().take(own, undefined);
      const afterOne = await recordOf("organization");
      await expect(newLimiter().take(own, undefined)).rejects.toMatchObject({ details: { limit: "key" } });
      expect(await recordOf("organization")).toEqual(afterOne);
      expect(afterOne).not.toEqual(ofAll);
    });

    it("is counted separately: two concurrent writes of one record each", async () => {
      let underWay = 0;
      let most = 0;
      const writes: Write[][] = [];
      const write = async (...those: Write[]) => {
        writes.push(those);
        most = Math.max(most, ++underWay);
        await new Promise((resolve) => setImmediate(resolve));
        underWay--;
        return store.write(...those);
      };
      const slow = Object.create(store, { write: { value: write } });
      await new RateLimiter(slow, () => now, silentLogger).take(many[0]!, "create_memory");
      expect(writes.map(({ length }) => length)).toEqual([1, 1]);
      expect(most).toBe(2);
    });

    it("logs a token that could not be returned, and still reports the refusal", async () => {
      const lines: unknown[][] = [];
      const logger: Logger = { ...silentLogger, error: (...line) => lines.push(line) };
      for (let turn = 0; turn < 50; turn++) await newLimiter().take(many[turn % 40]!, "create_memory");
      const write = (...those: Write[]) => {
        const [first] = those;
        const isReturn = first !== undefined && "update" in first && first.condition === "present";
        return isReturn ? Promise.reject(new Error("down")) : store.write(...those);
      };
      const failing = Object.create(store, { write: { value: write } });
      const taken = new RateLimiter(failing, () => now, logger).take(many[30]!, "create_memory");
      await expect(taken).rejects.toMatchObject({ code: "RATE_LIMITED" });
      expect(lines).toMatchObject([["RATE_LIMIT_NOT_RETURNED", {}]]);
    });
  });

  it("refuses from its cached state, without asking the store, until there is a token again", async () => {
    const limiter = newLimiter();
    const who = limitedTo(60, 2);
    expect(await passesInTurn([limiter], who, 2)).toEqual([true, true]);
    const write = vi.spyOn(store, "write");
    expect(await passesInTurn([limiter], who, 2)).toEqual([false, false]);
    expect(write).not.toHaveBeenCalled();
    now += 1_000;
    expect(await passesInTurn([limiter], who, 2)).toEqual([true, false]);
  });

  it("is not blocked by a process whose clock is far ahead, and limits each of the two", async () => {
    const ahead = new RateLimiter(store, () => now + 10 * MINUTE, silentLogger);
    const who = limitedTo(60, 2);
    expect(await passesInTurn([ahead], who, 3)).toEqual([true, true, false]);
    expect(await passesInTurn([newLimiter()], who, 3)).toEqual([true, true, false]);
    const use = await readOwnUse(store, { org: "org_1", id: "ak_1", rate_limit: who.rateLimit! }, now);
    expect(use.current_usage).toBe(2);
  });

  it("limits each of two processes whose clocks are far apart, even if they alternate", async () => {
    const processes = [new RateLimiter(store, () => now + 10 * MINUTE, silentLogger), newLimiter()];
    const who = limitedTo(60, 4);
    const passed = await passesInTurn(processes, who, 40);
    expect(passed.filter(Boolean)).toHaveLength(8);
    now += 2_000;
    passed.push(...(await passesInTurn(processes, who, 8)));
    expect(passed.filter(Boolean)).toHaveLength(12);
  });

  it("is shared by processes whose clocks differ by little", async () => {
    const processes = [new RateLimiter(store, () => now + 500, silentLogger), newLimiter()];
    const passed = await passesInTurn(processes, limitedTo(60, 4), 8);
    expect(passed.filter(Boolean).length).toBeOneOf([3, 4, 5]);
  });

  it("reads and writes nothing for an unlimited credential", async () => {
    const calls = [vi.spyOn(store, "get"), vi.spyOn(store, "write")];
    expect(await newLimiter().take(newPrincipal(), "create_memory")).toBeUndefined();
    for (const call of calls) expect(call).not.toHaveBeenCalled();
  });

  describe("while the store is down", () => {
    const lines: unknown[][] = [];
    const logger: Logger = { ...silentLogger, error: (...line) => lines.push(line) };
    const limiterOn = (down: RecordStore, options?: RateLimiterOptions) =>
      new RateLimiter(down, () => now, logger, options);
    const isDown = () => Object.create(store, { write: { value: () => Promise.reject(new Error("down")) } });

    it("admits requests and logs it", async () => {
      expect(await limiterOn(isDown()).take(limitedTo(1, 1), undefined)).toBeUndefined();
      expect(lines.splice(0)).toMatchObject([["RATE_LIMIT_UNAVAILABLE", { when_down: "admit" }]]);
    });

    it("refuses requests that must be counted", async () => {
      const taken = limiterOn(isDown(), { whenDown: "refuse" }).takeFrom("sign_in#198.51.100.7", [PER_ADDRESS]);
      await expect(taken).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
      expect(lines.splice(0)).toMatchObject([["RATE_LIMIT_UNAVAILABLE", { when_down: "refuse" }]]);
    });
  });

  it("refuses a request whose writes always conflict, rather than admit it uncounted", async () => {
    let writes = 0;
    const write = (one: Write) => {
      writes++;
      const guess = "update" in one ? one.condition : undefined;
      const wasIdle = JSON.stringify(guess).includes("orAbsent");
      const existing = { pk: "p", sk: "s", kind: "k", key: wasIdle ? now + 1 : now };
      return Promise.reject(new ConditionFailedError(0, existing));
    };
    const overtaken = Object.create(store, { write: { value: write } });
    const taken = new RateLimiter(overtaken, () => now, silentLogger).take(limitedTo(60, 50), undefined);
    await expect(taken).rejects.toMatchObject({ code: "RATE_LIMITED", details: { retry_after: 1 } });
    expect(writes).toBe(10);
  });

  it("limits each named subject separately", async () => {
    const limiter = newLimiter();
    const taken = (subject: string) => limiter.takeFrom(subject, [PER_ADDRESS]);
    expect(await taken("sign_in#198.51.100.7")).toMatchObject({ policy: PER_ADDRESS, remaining: 1 });
    expect(await taken("sign_in#198.51.100.7")).toMatchObject({ remaining: 0 });
    await expect(taken("sign_in#198.51.100.7")).rejects.toMatchObject({ details: { limit: "address" } });
    expect(await taken("sign_in#198.51.100.8")).toMatchObject({ remaining: 1 });
    expect(await limiter.takeFrom("sign_in#198.51.100.7", [])).toBeUndefined();
  });

  it("deletes the record of a bucket that has long been idle", async () => {
    await newLimiter().take(limitedTo(60, 5), undefined);
    const key = { pk: "org_1#ak_1", sk: "rate_limits" };
    expect(await store.get(key)).toBeDefined();
    now += 25 * 60 * MINUTE;
    expect(await store.get(key)).toBeUndefined();
    expect(await passes(newLimiter(), limitedTo(60, 5))).toBe(true);
  });

  it("reports how much of a key's own limit is used", async () => {
    const limiter = newLimiter();
    const who = limitedTo(60, 10);
    const key = { org: who.org, id: who.id, rate_limit: { requests_per_minute: 60, burst_limit: 10 } };
    expect(await readOwnUse(store, key, now)).toMatchObject({ current_usage: 0 });
    for (let turn = 0; turn < 3; turn++) await passes(limiter, who);
    expect(await readOwnUse(store, key, now)).toMatchObject({ current_usage: 3 });
    expect(await readOwnUse(store, key, now + MINUTE)).toMatchObject({ current_usage: 0 });
  });

  it("admits at most the burst plus the refill, and at least the refill", async () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(gaps, fc.integer({ min: 1, max: 5 }), fc.uuid(), async (waits, burst, id) => {
        const limiters = [newLimiter(), newLimiter()];
        const start = now;
        let passed = 0;
        for (const [turn, wait] of waits.entries()) {
          now += wait;
          if (await passes(limiters[turn % 2]!, limitedTo(60, burst, id))) passed++;
          expect(passed).toBeLessThanOrEqual(burst + Math.floor((now - start) / 1000));
        }
        expect(passed).toBeGreaterThanOrEqual(Math.min(waits.length, burst));
      }),
      { numRuns: 40 },
    );
  });
});
