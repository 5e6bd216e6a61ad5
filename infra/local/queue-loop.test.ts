import { createHash } from "node:crypto";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { LocalQueue } from "../../shared/adapters/local/queue.ts";
import { systemClock } from "../../shared/kernel/clock.ts";
import { DAY_MS, HOUR_MS } from "../../shared/kernel/durations.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import { deadLettersOf } from "../../shared/ports/queues.ts";
import { movableClock } from "../../test/contract/movable-clock.ts";
import { temporaryFolder } from "../../test/fixtures/temporary-folder.ts";
import { QueueLoop } from "./queue-loop.ts";

const DONE: SQSBatchResponse = { batchItemFailures: [] };
const EMPTY = { waiting: 0, inFlight: 0, delayed: 0 };

interface Options {
  clock?: typeof systemClock;
  visibilitySeconds?: number;
  concurrency?: number;
}

/** A loop with two queues whose handler records the bodies of each batch and then does what `handle` does. */
function setUp(
  handle: (event: SQSEvent) => Promise<SQSBatchResponse> = async () => DONE,
  { clock = systemClock, visibilitySeconds = 30, concurrency }: Options = {},
) {
  const file = path.join(temporaryFolder(), "queues.sqlite");
  const names = ["urgent", "work"];
  const queues = names.map((name) => ({ name, maxReceives: 2, visibilitySeconds }));
  const queue = new LocalQueue({ file, clock, queues });
  onTestFinished(() => queue.close());
  const batches: string[][] = [];
  const handler = (event: SQSEvent) => {
    batches.push(event.Records.map(({ body }) => JSON.parse(body)));
    return handle(event);
  };
  const loop = new QueueLoop({ queue, names, batchSize: 3, concurrency, handler, clock, logger: silentLogger });
  onTestFinished(() => loop.stop());
  const send = (...bodies: string[]) =>
    queue.send(
      "work",
      bodies.map((body) => ({ body })),
    );
  return { queue, loop, send, batches };
}

describe("QueueLoop", () => {
  it("drains all visible messages in batches, and leaves delayed ones", async () => {
    const { batches, queue, loop, send } = setUp();
    await send("a", "b", "c", "d");
    await queue.send("work", [{ body: "later", delaySeconds: 600 }]);
    await loop.drain();
    expect(batches).toEqual([["a", "b", "c"], ["d"]]);
    expect(await queue.depth("work")).toEqual({ ...EMPTY, delayed: 1 });
  });

  it("takes urgent messages first, even before the rest of a queue that it has started", async () => {
    const { batches, queue, loop, send } = setUp(async () => {
      if (batches.length === 2) await queue.send("urgent", [{ body: "very" }]);
      return DONE;
    });
    await send("a", "b", "c", "d", "e", "f", "g");
    await queue.send("urgent", [{ body: "soon" }]);
    loop.start();
    await expect.poll(() => batches.flat()).toHaveLength(9);
    expect(batches).toEqual([["soon"], ["a", "b", "c"], ["very"], ["d", "e", "f"], ["g"]]);
  });

  it("passes the attributes that SQS passes", async () => {
    const events: SQSEvent[] = [];
    const time = movableClock();
    const notYet = async (event: SQSEvent) => {
      events.push(event);
      throw new Error("not yet");
    };
    const { loop, send } = setUp(notYet, { clock: time.now });
    const sentAt = time.now();
    await send("é");
    time.advance(1_000);
    await loop.drain();
    time.advance(30_000);
    await loop.drain();
    const [first, second] = events.flatMap(({ Records }) => Records);
    expect(second).toMatchObject({
      messageId: first!.messageId,
      body: '"é"',
      md5OfBody: createHash("md5").update('"é"').digest("hex"),
      attributes: {
        ApproximateReceiveCount: "2",
        SentTimestamp: String(sentAt),
        ApproximateFirstReceiveTimestamp: String(sentAt + 1_000),
      },
    });
    expect(second!.receiptHandle).not.toBe(first!.receiptHandle);
  });

  it("wakes for a new message, and for one that an earlier process left", async () => {
    const { batches, loop, send } = setUp();
    await send("left");
    loop.start();
    await expect.poll(() => batches).toEqual([["left"]]);
    await send("new");
    await expect.poll(() => batches).toEqual([["left"], ["new"]]);
  });

  it("wakes when a delay ends", async () => {
    const { batches, queue, loop } = setUp();
    loop.start();
    await queue.send("work", [{ body: "later", delaySeconds: 1 }]);
    expect(batches).toEqual([]);
    await vi.waitFor(() => expect(batches).toEqual([["later"]]), { timeout: 5_000 });
  });

  it("sleeps also when the clock is 30 days behind what waits", async () => {
    const time = movableClock();
    const { batches, queue, loop, send } = setUp(undefined, { clock: time.now });
    await send("a");
    time.advance(-30 * DAY_MS);
    const looks = vi.spyOn(queue, "nextDue");
    const waits = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => waits.mockRestore());
    loop.start();
    expect(waits.mock.lastCall?.[1]).toBe(HOUR_MS);
    await sleep(50);
    // One look of the start for each queue.
    expect(looks).toHaveBeenCalledTimes(2);
    expect(batches).toEqual([]);
  });

  it("returns failed messages after the visibility timeout, and finally moves them to the dead letters", async () => {
    const failBad = async ({ Records }: SQSEvent) => {
      const failed = Records.filter(({ body }) => body === '"bad"');
      return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    };
    const { batches, queue, loop, send } = setUp(failBad, { visibilitySeconds: 1 });
    loop.start();
    await send("good", "bad");
    const depth = () => queue.depth(deadLettersOf("work"));
    await vi.waitFor(async () => expect(await depth()).toEqual({ ...EMPTY, waiting: 1 }), { timeout: 10_000 });
    expect(batches).toEqual([["good", "bad"], ["bad"]]);
    expect(await queue.depth("work")).toEqual(EMPTY);
  });

  it("keeps a whole batch if the handler reports a message that is not in it", async () => {
    const { queue, loop, send } = setUp(async () => ({ batchItemFailures: [{ itemIdentifier: "unknown" }] }));
    await send("a", "b");
    await loop.drain();
    expect(await queue.depth("work")).toEqual({ ...EMPTY, inFlight: 2 });
  });

  it("shares one run among concurrent drains", async () => {
    let running = 0;
    let most = 0;
    const { queue, loop, send } = setUp(async () => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      return DONE;
    });
    await send("a", "b", "c", "d", "e");
    await Promise.all([loop.drain(), loop.drain(), loop.drain()]);
    expect(most).toBe(1);
    expect(await queue.depth("work")).toEqual(EMPTY);
  });

  it("finishes the running batch on stop and takes no other", async () => {
    const gate = Promise.withResolvers<SQSBatchResponse>();
    const { batches, queue, loop, send } = setUp(() => gate.promise);
    loop.start();
    await send("a", "b", "c", "d");
    await expect.poll(() => batches).toHaveLength(1);
    const stopped = loop.stop();
    gate.resolve(DONE);
    await stopped;
    await send("e");
    await loop.drain();
    expect(batches).toEqual([["a", "b", "c"]]);
    expect(await queue.depth("work")).toEqual({ ...EMPTY, waiting: 2 });
  });

  it("processes the configured number of batches per queue, and new messages while some batches are slow", async () => {
    const gates = new Map<string, () => void>();
    const waitAtGate = async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gates.set(batches.at(-1)?.[0] ?? "", resolve);
      await promise;
      return DONE;
    };
    const { batches, queue, loop, send } = setUp(waitAtGate, { concurrency: 2 });
    loop.start();
    await send("a", "b", "c", "d", "e", "f", "g");
    await expect.poll(() => [...gates.keys()]).toEqual(["a", "d"]);
    await queue.send("urgent", [{ body: "soon" }]);
    await expect.poll(() => [...gates.keys()]).toEqual(["a", "d", "soon"]);
    gates.get("d")?.();
    await expect.poll(() => [...gates.keys()]).toEqual(["a", "d", "soon", "g"]);
    gates.get("g")?.();
    await expect.poll(async () => (await queue.depth("work")).inFlight).toBe(3);
    await send("h");
    await expect.poll(() => [...gates.keys()].at(-1)).toBe("h");
    for (const open of gates.values()) open();
    await loop.drain();
    expect(await queue.depth("work")).toEqual(EMPTY);
  });

  it("keeps messages while the disk is full, without limiting their attempts", async () => {
    const time = movableClock();
    let isFull = true;
    const failOnFullDisk = async () => {
      if (isFull) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
      return DONE;
    };
    const { batches, queue, loop, send } = setUp(failOnFullDisk, { clock: time.now });
    await send("a");
    for (let round = 0; round < 5; round++) {
      await expect(loop.drain()).rejects.toMatchObject({ code: "ENOSPC" });
      expect(await queue.depth("work")).toEqual({ ...EMPTY, delayed: 1 });
      time.advance(30_000);
    }
    isFull = false;
    batches.length = 0;
    await loop.drain();
    expect(batches).toEqual([["a"]]);
    expect(await queue.depth(deadLettersOf("work"))).toEqual(EMPTY);
  });
});
