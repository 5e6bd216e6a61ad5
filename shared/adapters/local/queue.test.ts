import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { movableClock } from "../../../test/contract/movable-clock.ts";
import { temporaryFolder } from "../../../test/fixtures/temporary-folder.ts";
import { CONSTANT, orderOfGrowth } from "../../../test/support/processor-time.ts";
import { deadLettersOf } from "../../ports/queues.ts";
import { LocalQueue } from "./queue.ts";

/** A queue, and what opens its file again, as the next process does. */
function setUp({ redeliverAfterCrash = false } = {}) {
  const file = path.join(temporaryFolder(), "queues.sqlite");
  const time = movableClock();
  const queues = [{ name: "work", maxReceives: 2, visibilitySeconds: 30, redeliverAfterCrash }];
  const open = () => {
    const queue = new LocalQueue({ file, clock: time.now, queues, deadLetters: ["stream-dead-letters"] });
    onTestFinished(() => queue.close());
    return queue;
  };
  return { queue: open(), open, time };
}

describe("LocalQueue", () => {
  it("keeps messages across restarts, with their delay and receive count", async () => {
    const { queue, open, time } = setUp();
    await queue.send("work", [{ body: "a" }, { body: "b", delaySeconds: 60 }]);
    queue.receive("work", 10);
    const reopened = open();
    expect(await reopened.depth("work")).toEqual({ waiting: 0, inFlight: 1, delayed: 1 });
    time.advance(60_000);
    const received = reopened.receive("work", 10).map(({ body, receiveCount }) => `${body} ${receiveCount}`);
    expect(received).toEqual(['"a" 2', '"b" 1']);
  });

  it("delivers messages at once that the previous process held, and counts that receive", async () => {
    const { queue, open } = setUp();
    await queue.send("work", [{ body: "a" }, { body: "b", delaySeconds: 60 }]);
    queue.receive("work", 10);
    const reopened = open();
    reopened.releaseInHand();
    expect(await reopened.depth("work")).toEqual({ waiting: 1, inFlight: 0, delayed: 1 });
    expect(reopened.receive("work", 10).map(({ receiveCount }) => receiveCount)).toEqual([2]);
  });

  it("returns held messages as if they had not been received, so that the next process quarantines none", async () => {
    const { queue, open, time } = setUp();
    await queue.send("work", [{ body: "in hand" }, { body: "failed" }, { body: "done" }]);
    const messages = queue.receive("work", 10);
    queue.finish(messages.slice(1), new Set([messages[1]!.id]));
    void queue.working("work", { id: "in a request" }, () => new Promise(() => {}));
    queue.giveBackInHand();
    // The consumer that held the message may still finish its work, which no longer affects the message.
    queue.finish(messages.slice(0, 1), new Set());
    const reopened = open();
    expect(reopened.quarantineInterrupted()).toEqual([]);
    const receive = () => reopened.receive("work", 10).map(({ body, receiveCount }) => [body, receiveCount]);
    expect(receive()).toEqual([['"in hand"', 1]]);
    time.advance(29_000);
    expect(receive()).toEqual([]);
    time.advance(1_000);
    expect(receive()).toContainEqual(['"failed"', 2]);
  });

  it("quarantines jobs in progress when the process died, once per job, until they are sent again", async () => {
    const { queue, open, time } = setUp();
    const job = { org: "org_1", id: "running" };
    await queue.send("work", [{ body: job }, { body: { id: "failed" } }, { body: { id: "done" } }]);
    const messages = queue.receive("work", 10);
    const failed = messages.filter(({ body }) => body.includes("failed"));
    queue.finish(messages.slice(1), new Set(failed.map(({ id }) => id)));
    // The job enqueued its next turn before it ended.
    await queue.send("work", [{ body: { id: "running", org: "org_1" }, delaySeconds: 1 }]);
    void queue.working("work", { id: "in a request" }, () => new Promise(() => {}));
    await queue.working("work", { id: "ended" }, async () => {});
    const startedAt = time.now();
    time.advance(5_000);
    const reopened = open();
    expect(reopened.quarantineInterrupted().map(({ body }) => body)).toEqual([job, { id: "in a request" }]);
    const times = { startedAt, quarantinedAt: startedAt + 5_000 };
    expect(await reopened.quarantined()).toMatchObject([
      { queue: "work", body: job, ...times },
      { queue: "work", body: { id: "in a request" }, ...times },
    ]);
    reopened.releaseInHand();
    expect(reopened.receive("work", 10).map(({ body }) => body)).toEqual(['{"id":"failed"}']);
    expect(reopened.isQuarantined("work", job)).toBe(true);
    expect(reopened.isQuarantined("work", { id: "failed" })).toBe(false);
    await reopened.send("work", [{ body: job }]);
    await reopened.working("work", { id: "in a request" }, async () => {});
    expect(await reopened.quarantined()).toEqual([]);
    expect(reopened.receive("work", 10).map(({ body }) => JSON.parse(body))).toEqual([job]);
  });

  it("redelivers jobs in progress when the process died if their queue says so", async () => {
    const { queue, open } = setUp({ redeliverAfterCrash: true });
    await queue.send("work", [{ body: "a" }]);
    queue.receive("work", 1);
    const reopened = open();
    expect(reopened.quarantineInterrupted()).toEqual([]);
    reopened.releaseInHand();
    expect(reopened.receive("work", 1).map(({ body }) => body)).toEqual(['"a"']);
  });

  it("deletes nothing with a receipt that another receive has replaced", async () => {
    const { queue, time } = setUp();
    await queue.send("work", [{ body: "slow" }]);
    const [first] = queue.receive("work", 1);
    time.advance(30_000);
    const [second] = queue.receive("work", 1);
    queue.delete([first!.receipt]);
    expect(await queue.depth("work")).toEqual({ waiting: 0, inFlight: 1, delayed: 0 });
    queue.delete([second!.receipt]);
    expect(await queue.depth("work")).toEqual({ waiting: 0, inFlight: 0, delayed: 0 });
  });

  it("reports when the next message is due", async () => {
    const { queue, time } = setUp();
    expect(queue.nextDue("work")).toBeUndefined();
    await queue.send("work", [{ body: 1, delaySeconds: 20 }]);
    expect(queue.nextDue("work")).toBe(time.now() + 20_000);
    await queue.send("work", [{ body: 2 }]);
    expect(queue.nextDue("work")).toBe(time.now());
    queue.receive("work", 10);
    expect(queue.nextDue("work")).toBe(time.now() + 20_000);
  });

  it("notifies listeners of sends and new dead letters until they unsubscribe", async () => {
    const { queue, time } = setUp();
    const told: string[] = [];
    const unsubscribe = queue.onSend("work", () => told.push("work"));
    queue.onSend(deadLettersOf("work"), () => told.push("dead letters"));
    await queue.send("work", [{ body: 1 }]);
    for (let receives = 0; receives < 3; receives++) {
      queue.receive("work", 10);
      time.advance(30_000);
    }
    unsubscribe();
    await queue.send("work", [{ body: 2 }]);
    expect(told).toEqual(["work", "dead letters"]);
  });

  it("has the additional dead-letter queues of its options", async () => {
    const { queue } = setUp();
    await queue.send("stream-dead-letters", [{ body: "parked" }]);
    expect(queue.receive("stream-dead-letters", 10).map(({ body }) => body)).toEqual(['"parked"']);
  });

  it("accepts dead letters of any size", async () => {
    const { queue } = setUp();
    const body = { before: "x".repeat(1024 * 1024), after: "y".repeat(1024 * 1024) };
    await queue.send("stream-dead-letters", [{ body }]);
    expect(JSON.parse(queue.receive("stream-dead-letters", 1)[0]!.body)).toEqual(body);
  });

  it("refuses a message above the size limit of SQS, and all sent with it", async () => {
    const { queue } = setUp();
    await expect(queue.send("work", [{ body: "fine" }, { body: "x".repeat(1024 * 1024) }])).rejects.toThrow();
    expect(await queue.depth("work")).toEqual({ waiting: 0, inFlight: 0, delayed: 0 });
  });
});

describe("work on a queue", () => {
  const WAITING = [2_000, 20_000] as const;
  const REPEATS = 200;

  /** Repeated steps with that many messages waiting. */
  async function repeated(waiting: number, step: (queue: LocalQueue) => unknown): Promise<() => Promise<void>> {
    const { queue } = setUp();
    const bodies = Array.from({ length: waiting }, (_, index) => ({ body: { id: `job ${index}` } }));
    await queue.send("work", bodies);
    return async () => {
      for (let turn = 0; turn < REPEATS; turn++) await step(queue);
    };
  }

  const STEPS: Record<string, (queue: LocalQueue) => unknown> = {
    receive: (queue) => queue.receive("work", 10),
    "receive and finish": (queue) => queue.finish(queue.receive("work", 10), new Set()),
    send: (queue) => queue.send("work", [{ body: { id: "another" } }]),
    "release what a dead process held": (queue) => queue.releaseInHand(),
    "quarantine what a dead process had in progress": (queue) => {
      queue.receive("work", 1);
      queue.quarantineInterrupted();
    },
    "find out when the next one is due": (queue) => queue.nextDue("work"),
  };

  it.each(Object.entries(STEPS))("does not grow with the messages that wait: %s", async (_, step) => {
    const order = await orderOfGrowth(WAITING, (waiting) => repeated(waiting, step), CONSTANT);
    expect(order).toBeLessThanOrEqual(CONSTANT);
  });
});
