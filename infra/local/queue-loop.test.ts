import { createHash } from "node:crypto";
import path from "node:path";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { LocalQueue } from "../../shared/adapters/local/queue.ts";
import { type Clock, systemClock } from "../../shared/kernel/clock.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import { deadLettersOf } from "../../shared/ports/queues.ts";
import { movableClock } from "../../test/contract/movable-clock.ts";
import { temporaryFolder } from "../../test/fixtures/temporary-folder.ts";
import { QueueLoop } from "./queue-loop.ts";

const DONE: SQSBatchResponse = { batchItemFailures: [] };
const EMPTY = { waiting: 0, inFlight: 0, delayed: 0 };

function setUp(
  handler: (event: SQSEvent) => Promise<SQSBatchResponse>,
  clock: Clock = systemClock,
  visibilitySeconds = 30,
  concurrency?: number,
) {
  const file = path.join(temporaryFolder(), "queues.sqlite");
  const names = ["urgent", "work"];
  const queues = names.map((name) => ({ name, maxReceives: 2, visibilitySeconds }));
  const queue = new LocalQueue({ file, clock, queues });
  onTestFinished(() => queue.close());
  const loop = new QueueLoop({ queue, names, batchSize: 3, concurrency, handler, clock, logger: silentLogger });
  onTestFinished(() => loop.stop());
  const messagesOf = (bodies: string[]) => bodies.map((body) => ({ body }));
  const send = (...bodies: string[]) => queue.send("work", messagesOf(bodies));
  return { queue, loop, send };
}

function bodiesOf({ Records }: SQSEvent): string[] {
  return Records.map(({ body }) => JSON.parse(body));
}

function recorder() {
  const batches: string[][] = [];
  const handler = async (event: SQSEvent) => {
    batches.push(bodiesOf(event));
    return DONE;
  };
  return { batches, handler };
}

describe("QueueLoop", () => {
  it("drains all that is visible, in batches, and leaves what is delayed", async () => {
    const { batches, handler } = recorder();
    const { queue, loop, send } = setUp(handler);
    await send("a", "b", "c", "d");
    await queue.send("work", [{ body: "later", delaySeconds: 600 }]);
    await loop.drain();
    expect(batches).toEqual([["a", "b", "c"], ["d"]]);
    expect(await queue.depth("work")).toEqual({ ...EMPTY, delayed: 1 });
  });

  it("takes what is urgent first, also before the rest of a queue that it has begun", async () => {
    const batches: string[][] = [];
    const { queue, loop, send } = setUp(async (event) => {
      batches.push(bodiesOf(event));
      if (batches.length === 2) await queue.send("urgent", [{ body: "very" }]);
      return DONE;
    });
    await send("a", "b", "c", "d", "e", "f", "g");
    await queue.send("urgent", [{ body: "soon" }]);
    loop.start();
    await vi.waitFor(() => expect(batches.flat()).toHaveLength(9));
    expect(batches).toEqual([["soon"], ["a", "b", "c"], ["very"], ["d", "e", "f"], ["g"]]);
  });

  it("hands out the attributes that SQS would", async () => {
    const events: SQSEvent[] = [];
    const time = movableClock();
    const { loop, send } = setUp(async (event) => {
      events.push(event);
      throw new Error("not yet");
    }, time.now);
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

  it("wakes on a send, and for what an earlier process left", async () => {
    const { batches, handler } = recorder();
    const { loop, send } = setUp(handler);
    await send("left");
    loop.start();
    await vi.waitFor(() => expect(batches).toEqual([["left"]]));
    await send("new");
    await vi.waitFor(() => expect(batches).toEqual([["left"], ["new"]]));
  });

  it("wakes when a delay is over", async () => {
    const { batches, handler } = recorder();
    const { queue, loop } = setUp(handler);
    loop.start();
    await queue.send("work", [{ body: "later", delaySeconds: 1 }]);
    expect(batches).toEqual([]);
    await vi.waitFor(() => expect(batches).toEqual([["later"]]), { timeout: 5_000 });
  });

  it("brings failed messages back after the visibility timeout, and to the dead letters in the end", async () => {
    const batches: string[][] = [];
    const { queue, loop, send } = setUp(
      async (event) => {
        batches.push(bodiesOf(event));
        const failed = event.Records.filter(({ body }) => body === '"bad"');
        return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
      },
      systemClock,
      1,
    );
    loop.start();
    await send("good", "bad");
    const depth = () => queue.depth(deadLettersOf("work"));
    await vi.waitFor(async () => expect(await depth()).toEqual({ ...EMPTY, waiting: 1 }), { timeout: 10_000 });
    expect(batches).toEqual([["good", "bad"], ["bad"]]);
    expect(await queue.depth("work")).toEqual(EMPTY);
  });

  it("keeps a whole batch when the handler reports a message it was not given", async () => {
    const { queue, loop, send } = setUp(async () => ({ batchItemFailures: [{ itemIdentifier: "unknown" }] }));
    await send("a", "b");
    await loop.drain();
    expect(await queue.depth("work")).toEqual({ ...EMPTY, inFlight: 2 });
  });

  it("shares one run among concurrent drains", async () => {
    let atWork = 0;
    let most = 0;
    const { queue, loop, send } = setUp(async () => {
      most = Math.max(most, ++atWork);
      await new Promise(setImmediate);
      atWork--;
      return DONE;
    });
    await send("a", "b", "c", "d", "e");
    await Promise.all([loop.drain(), loop.drain(), loop.drain()]);
    expect(most).toBe(1);
    expect(await queue.depth("work")).toEqual(EMPTY);
  });

  it("finishes the batch at work on stop and takes no other", async () => {
    const gate = Promise.withResolvers<void>();
    const batches: string[][] = [];
    const { queue, loop, send } = setUp(async (event) => {
      batches.push(bodiesOf(event));
      await gate.promise;
      return DONE;
    });
    loop.start();
    await send("a", "b", "c", "d");
    await vi.waitFor(() => expect(batches).toHaveLength(1));
    const stopped = loop.stop();
    gate.resolve();
    await stopped;
    await send("e");
    await loop.drain();
    expect(batches).toEqual([["a", "b", "c"]]);
    expect(await queue.depth("work")).toEqual({ ...EMPTY, waiting: 2 });
  });

  it("processes the configured number of batches per queue, and new messages while some batches are slow", async () => {
    const gates = new Map<string, () => void>();
    const { queue, loop, send } = setUp(
      async (event) => {
        const [body = ""] = bodiesOf(event);
        const { promise, resolve } = Promise.withResolvers<void>();
        gates.set(body, resolve);
        await promise;
        return DONE;
      },
      systemClock,
      30,
      2,
    );
    loop.start();
    await send("a", "b", "c", "d", "e", "f", "g");
    await vi.waitFor(() => expect([...gates.keys()]).toEqual(["a", "d"]));
    await queue.send("urgent", [{ body: "soon" }]);
    await vi.waitFor(() => expect([...gates.keys()]).toEqual(["a", "d", "soon"]));
    gates.get("d")?.();
    await vi.waitFor(() => expect([...gates.keys()]).toEqual(["a", "d", "soon", "g"]));
    gates.get("g")?.();
    await vi.waitFor(async () => expect((await queue.depth("work")).inFlight).toBe(3));
    await send("h");
    await vi.waitFor(() => expect([...gates.keys()].at(-1)).toBe("h"));
    for (const open of gates.values()) open();
    await loop.drain();
    expect(await queue.depth("work")).toEqual(EMPTY);
  });

  it("keeps messages while the disk is full, without limiting their attempts", async () => {
    const time = movableClock();
    let isFull = true;
    const handled: string[][] = [];
    const { queue, loop, send } = setUp(async (event) => {
      if (isFull) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
      handled.push(bodiesOf(event));
      return DONE;
    }, time.now);
    await send("a");
    for (let round = 0; round < 5; round++) {
      await expect(loop.drain()).rejects.toMatchObject({ code: "ENOSPC" });
      expect(await queue.depth("work")).toEqual({ ...EMPTY, delayed: 1 });
      time.advance(30_000);
    }
    isFull = false;
    await loop.drain();
    expect(handled).toEqual([["a"]]);
    expect(await queue.depth(deadLettersOf("work"))).toEqual(EMPTY);
  });
});
