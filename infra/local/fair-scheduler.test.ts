import { setImmediate as nextRound, setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../shared/kernel/errors.ts";
import { FairScheduler } from "./fair-scheduler.ts";

/** Returns the order in which concurrent requests started; each occupies the thread for `busyMs` milliseconds. */
async function startOrder(asked: string[], turns = new FairScheduler(), busyMs = 0): Promise<string[]> {
  const began: string[] = [];
  await Promise.all(
    asked.map(async (line) => {
      await turns.take(line);
      began.push(line);
      for (const until = performance.now() + busyMs; performance.now() < until; );
    }),
  );
  return began;
}

describe("FairScheduler", () => {
  it("serves a new queue after one request of a flood", async () => {
    const flood = Array.from({ length: 200 }, () => "flood");
    const began = await startOrder([...flood, "other", "other", "third"]);
    expect(began.slice(0, 5)).toEqual(["flood", "other", "third", "flood", "other"]);
    expect(began).toHaveLength(203);
  });

  it("serves every queue in its order, and no queue twice while another one waits", async () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 150 });
    await fc.assert(
      fc.asyncProperty(lines, async (asked) => {
        const turns = new FairScheduler();
        const began: { line: string; place: number }[] = [];
        await Promise.all(
          asked.map(async (line, place) => {
            await turns.take(line);
            began.push({ line, place });
          }),
        );
        expect(began.map(({ place }) => place).sort((a, b) => a - b)).toEqual(asked.map((_, place) => place));
        for (const [index, { line, place }] of began.entries()) {
          const later = began.slice(index + 1);
          expect(later.every((other) => other.line !== line || other.place > place)).toBe(true);
          const again = later.findIndex((other) => other.line === line);
          const between = new Set(later.slice(0, Math.max(0, again)).map((other) => other.line));
          const waiting = new Set(later.map((other) => other.line).filter((other) => other !== line));
          if (again >= 0) expect(between).toEqual(waiting);
        }
      }),
    );
  });

  it("yields to the event loop after each slice, so that a new queue starts", async () => {
    const turns = new FairScheduler({ sliceMs: 1, aloneSliceMs: 1 });
    const flood = Array.from({ length: 20 }, () => "flood");
    const began: string[] = [];
    const flooding = startOrder(flood, turns, 2).then((all) => began.push(...all));
    await nextRound();
    await nextRound();
    await turns.take("newcomer");
    expect(began).toEqual([]);
    await flooding;
    expect(began).toEqual(flood);
  });

  it("refuses requests only of a queue that is too long", async () => {
    const turns = new FairScheduler({ mostWaiting: 2 });
    const waiting = [turns.take("flood"), turns.take("flood")];
    await expect(turns.take("flood")).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    await Promise.all([...waiting, turns.take("other")]);
    await turns.take("flood");
  });

  it("lets a queue pause after each of its turns while others are served", async () => {
    const turns = new FairScheduler();
    const began: string[] = [];
    const take = async (line: string, restMs?: number) => {
      await turns.take(line, restMs);
      began.push(line);
    };
    const beganAt = performance.now();
    const resting = Array.from({ length: 4 }, () => take("resting", 20));
    await Promise.all(Array.from({ length: 100 }, () => take("other")));
    expect(began.filter((line) => line === "resting")).toHaveLength(1);
    await Promise.all(resting);
    expect(performance.now() - beganAt).toBeGreaterThan(55);
    await take("resting", 20);
  });

  it("starts many requests of a single queue together, and fewer once others arrive", async () => {
    const turns = new FairScheduler({ sliceMs: 1, aloneSliceMs: 1_000 });
    const rounds = async () => {
      let passed = 0;
      let isOver = false;
      const counting = (async () => {
        for (; !isOver; passed++) await nextRound();
      })();
      await startOrder(Array(10).fill("flood"), turns, 2);
      isOver = true;
      await counting;
      return passed;
    };
    expect(await rounds()).toBeLessThan(5);
    await turns.take("other");
    expect(await rounds()).toBeGreaterThanOrEqual(10);
  });

  it("refuses all waiting and new requests once it is closed", async () => {
    const turns = new FairScheduler();
    const refusal = new ServiceError("SERVICE_UNAVAILABLE", "No more turns.");
    await turns.take("resting", 20);
    const began: string[] = [];
    const asked = ["resting", "one", "one", "other"].map(async (line) => {
      await turns.take(line);
      began.push(line);
    });
    turns.refuse(refusal);
    const outcomes = await Promise.allSettled([...asked, turns.take("late")]);
    expect(outcomes).toEqual(outcomes.map(() => ({ status: "rejected", reason: refusal })));
    await sleep(50);
    expect(began).toEqual([]);
  });
});
