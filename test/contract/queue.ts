import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../../shared/ports/json.ts";
import type { Queue } from "../../shared/ports/queue.ts";
import { expectEventually } from "./eventually.ts";

/** A worker's handler as Lambda calls it. */
export type QueueHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

/** One adapter with two empty queues, and the event source that passes their messages to a worker. */
export interface QueueUnderTest {
  queue: Queue;
  /** Name of a queue whose messages move to `deadLetters` after `maxReceives` unsuccessful receives. */
  main: string;
  deadLetters: string;
  maxReceives: number;
  /** How long a received message stays hidden. One or two seconds keep the suite fast with a real clock. */
  visibilitySeconds: number;
  /**
   * One poll of the event source, as by Lambda: takes up to 10 visible messages, passes them to the handler as one
   * SQSEvent, and deletes those that it did not report as failed (none if it throws). Returns the number of messages
   * taken. Does not wait for messages and does not reject if the handler does.
   */
  poll(queue: string, handler: QueueHandler): Promise<number>;
  /** Lets this many seconds pass: moves an injected clock, or waits. */
  pass(seconds: number): Promise<void>;
  close(): Promise<void>;
}

export type OpenQueue = () => Promise<QueueUnderTest>;

const SLOW = 60_000;

/** The behaviour of every `Queue`, tested with each adapter. Every test opens its own queues. */
export function describeQueue(name: string, open: OpenQueue): void {
  describe(`${name}: Queue`, { timeout: SLOW }, () => {
    let subject: QueueUnderTest;
    let queue: Queue;
    let main: string;

    beforeEach(async () => {
      subject = await open();
      ({ queue, main } = subject);
    }, SLOW);
    afterEach(() => subject.close());

    /** Returns the bodies of one poll; `failing` ones are reported as failed. */
    const take = async (from: string, failing: (body: Json) => boolean = () => false): Promise<Json[]> => {
      const bodies: Json[] = [];
      await subject.poll(from, async ({ Records }) => {
        bodies.push(...Records.map(bodyOf));
        const failed = Records.filter((record) => failing(bodyOf(record)));
        return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
      });
      return bodies;
    };
    /** Polls until the expected bodies have arrived, in any order. */
    const takeAll = async (from: string, expected: Json[]): Promise<void> => {
      const taken: Json[] = [];
      await expectEventually(async () => {
        taken.push(...(await take(from)));
        return sorted(taken);
      }, sorted(expected));
    };

    it("delivers each message once, with any JSON", async () => {
      const bodies: Json[] = ['text 😀 "quoted"', 7, true, null, [1, [2]], { nested: { list: ["é"] } }];
      await queue.send(
        main,
        bodies.map((body) => ({ body })),
      );
      await takeAll(main, bodies);
      await subject.pass(subject.visibilitySeconds + 1);
      expect(await take(main)).toEqual([]);
      await expectEventually(() => queue.depth(main), { waiting: 0, inFlight: 0, delayed: 0 });
    });

    it("accepts any number of messages in one call, and none", async () => {
      await queue.send(main, []);
      const bodies = Array.from({ length: 33 }, (_, place) => ({ place, filler: "x".repeat(20_000) }));
      await queue.send(
        main,
        bodies.map((body) => ({ body })),
      );
      await takeAll(main, bodies);
    });

    it("passes SQS events of at most ten records", async () => {
      await queue.send(
        main,
        Array.from({ length: 12 }, (_, body) => ({ body })),
      );
      const events: SQSEvent[] = [];
      await expectEventually(async () => {
        await subject.poll(main, async (event) => {
          events.push(event);
          return { batchItemFailures: [] };
        });
        return events.flatMap(({ Records }) => Records).length;
      }, 12);
      const records = events.flatMap(({ Records }) => Records);
      expect(events.every(({ Records }) => Records.length <= 10)).toBe(true);
      expect(new Set(records.map(({ messageId }) => messageId)).size).toBe(12);
      for (const record of records) {
        expect(record.eventSource).toBe("aws:sqs");
        expect(record.eventSourceARN.split(":").at(-1)).toBe(main);
        expect(record.receiptHandle).not.toBe("");
        expect(record.attributes.ApproximateReceiveCount).toBe("1");
        expect(Number(record.attributes.SentTimestamp)).toBeGreaterThan(0);
      }
    });

    it("keeps queues separate", async () => {
      await queue.send(main, [{ body: "main" }]);
      expect(await take(subject.deadLetters)).toEqual([]);
      await takeAll(main, ["main"]);
    });

    it("delays a message", async () => {
      await queue.send(main, [{ body: "later", delaySeconds: 3 }, { body: "now" }]);
      await expectEventually(() => queue.depth(main), { waiting: 1, inFlight: 0, delayed: 1 });
      await takeAll(main, ["now"]);
      await subject.pass(4);
      await takeAll(main, ["later"]);
    });

    it("lists every queue, including dead letter queues", async () => {
      const names = queue.names();
      expect(names).toEqual(expect.arrayContaining([main, subject.deadLetters]));
      expect(names).toEqual(names.toSorted());
      for (const name of names) expect((await queue.depth(name)).waiting).toBeGreaterThanOrEqual(0);
    });

    it("refuses delays outside 0..900 seconds, and unknown queues", async () => {
      for (const delaySeconds of [-1, 901, 0.5]) {
        await expect(queue.send(main, [{ body: "x", delaySeconds }])).rejects.toThrow();
      }
      await expect(queue.send("no-such-queue", [{ body: "x" }])).rejects.toThrow();
      await expect(queue.depth("no-such-queue")).rejects.toThrow();
    });

    it("counts waiting, delayed and in-flight messages separately", async () => {
      await queue.send(main, [{ body: 1 }, { body: 2, delaySeconds: 600 }]);
      await expectEventually(() => queue.depth(main), { waiting: 1, inFlight: 0, delayed: 1 });
      await expectEventually(async () => (await take(main, () => true)).length, 1);
      await expectEventually(() => queue.depth(main), { waiting: 0, inFlight: 1, delayed: 1 });
    });

    it("hides a failed message for the visibility timeout, then delivers it again with a higher count", async () => {
      await queue.send(main, [{ body: "fails once" }]);
      await expectEventually(() => take(main, () => true), ["fails once"]);
      expect(await take(main)).toEqual([]);
      await subject.pass(subject.visibilitySeconds + 1);
      const counts: string[] = [];
      await expectEventually(async () => {
        await subject.poll(main, async ({ Records }) => {
          counts.push(...Records.map(({ attributes }) => attributes.ApproximateReceiveCount));
          return { batchItemFailures: [] };
        });
        return counts;
      }, ["2"]);
    });

    it("delivers only the failed messages of a batch again", async () => {
      await queue.send(
        main,
        ["a", "b", "c", "d"].map((body) => ({ body })),
      );
      const isBad = (body: Json) => body === "b" || body === "d";
      const first: Json[] = [];
      await expectEventually(async () => {
        first.push(...(await take(main, isBad)));
        return sorted(first);
      }, ["a", "b", "c", "d"]);
      await subject.pass(subject.visibilitySeconds + 1);
      await takeAll(main, ["b", "d"]);
    });

    it("delivers a whole batch again when the handler throws", async () => {
      await queue.send(main, [{ body: "a" }, { body: "b" }]);
      const seen: Json[] = [];
      await expectEventually(async () => {
        await subject.poll(main, async ({ Records }) => {
          seen.push(...Records.map(bodyOf));
          throw new Error("handler crashed");
        });
        return sorted(seen);
      }, ["a", "b"]);
      await subject.pass(subject.visibilitySeconds + 1);
      await takeAll(main, ["a", "b"]);
    });

    it("moves a message to the dead letter queue after its last receive", async () => {
      await queue.send(main, [{ body: { poison: true } }, { body: "fine" }]);
      const isPoison = (body: Json) => body !== "fine";
      const received: Json[] = [];
      const expectedReceives = subject.maxReceives + 1;
      await expectEventually(async () => {
        received.push(...(await take(main, isPoison)));
        if (received.length < expectedReceives) await subject.pass(subject.visibilitySeconds + 1);
        return received.length;
      }, expectedReceives);
      expect(received.filter(isPoison)).toHaveLength(subject.maxReceives);
      await subject.pass(subject.visibilitySeconds + 1);
      expect(await take(main)).toEqual([]);
      await takeAll(subject.deadLetters, [{ poison: true }]);
      await expectEventually(() => queue.depth(main), { waiting: 0, inFlight: 0, delayed: 0 });
    });

    it("answers a ping", async () => {
      await expect(queue.ping()).resolves.toBeUndefined();
    });
  });
}

function bodyOf(record: { body: string }): Json {
  return JSON.parse(record.body) as Json;
}

/** Sorts bodies by their JSON, because queues guarantee no order. */
function sorted(bodies: Json[]): Json[] {
  return bodies.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
