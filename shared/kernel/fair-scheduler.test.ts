import { setImmediate as nextRound, setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ServiceError } from "./errors.ts";
import { FairScheduler } from "./fair-scheduler.ts";

/** Returns the order in which concurrent requests started; each occupies the thread for `busyMs` milliseconds. */
async function startOrder(asked: string[], turns = new FairScheduler(), busyMs = 0): Promise<string[]> {
  const began: string[] = [];
  await Promise.all(
    asked.map(async (queue) => {
      await turns.take(queue);
      began.push(queue);
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
    const queues = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 150 });
    await fc.assert(
      fc.asyncProperty(queues, async (asked) => {
        const turns = new FairScheduler();
        const began: { queue: string; place: number }[] = [];
        await Promise.all(
          asked.map(async (queue, place) => {
            await turns.take(queue);
            began.push({ queue, place });
          }),
        );
        expect(began.map(({ place }) => place).sort((a, b) => a - b)).toEqual(asked.map((_, place) => place));
        for (const [index, { queue, place }] of began.entries()) {
          const later = began.slice(index + 1);
          expect(later.every((other) => other.queue !== queue || other.place > place)).toBe(true);
          const again = later.findIndex((other) => other.queue === queue);
          const between = new Set(later.slice(0, Math.max(0, again)).map((other) => other.queue));
          const waiting = new Set(later.map((other) => other.queue).filter((other) => other !== queue));
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

  it("gives light use its turns at once, and heavy use some milliseconds of them", async () => {
    const turns = new FairScheduler({ freeTurns: 8 });
    const began: string[] = [];
    const flood = startOrder(Array(20).fill("flood"), turns, 2).then((all) => began.push(...all));
    await nextRound();
    let rounds = 0;
    const counting = setInterval(() => rounds++, 0);
    for (let turn = 0; turn < 8; turn++) await turns.take("light");
    expect(rounds).toBe(0);
    expect(began).toEqual([]);
    clearInterval(counting);
    await flood;
    expect(began).toHaveLength(20);
  });

  it("refuses requests only of a queue that is too long", async () => {
    const turns = new FairScheduler({ maxWaiting: 2 });
    const waiting = [turns.take("flood"), turns.take("flood")];
    await expect(turns.take("flood")).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    await Promise.all([...waiting, turns.take("other")]);
    await turns.take("flood");
  });

  it("lets a queue pause after each of its turns while others are served", async () => {
    const turns = new FairScheduler();
    const began: string[] = [];
    const take = async (queue: string, pauseMs?: number) => {
      await turns.take(queue, pauseMs);
      began.push(queue);
    };
    const beganAt = performance.now();
    const paused = Array.from({ length: 4 }, () => take("paused", 20));
    await Promise.all(Array.from({ length: 100 }, () => take("other")));
    expect(began.filter((queue) => queue === "paused")).toHaveLength(1);
    await Promise.all(paused);
    expect(performance.now() - beganAt).toBeGreaterThan(55);
    await take("paused", 20);
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
    await turns.take("paused", 20);
    const began: string[] = [];
    const asked = ["paused", "one", "one", "other"].map(async (queue) => {
      await turns.take(queue);
      began.push(queue);
    });
    turns.refuse(refusal);
    const outcomes = await Promise.allSettled([...asked, turns.take("late")]);
    expect(outcomes).toEqual(outcomes.map(() => ({ status: "rejected", reason: refusal })));
    await sleep(50);
    expect(began).toEqual([]);
  });
});
