import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { movableClock } from "../../../test/contract/movable-clock.ts";
import { temporaryFolder } from "../../../test/fixtures/temporary-folder.ts";
import { deadLettersOf } from "../queues.ts";
import { LocalQueue } from "./queue.ts";

function setUp() {
  const file = path.join(temporaryFolder(), "queues.sqlite");
  const time = movableClock();
  const queues = [{ name: "work", maxReceives: 2, visibilitySeconds: 30 }];
  const open = () => new LocalQueue({ file, clock: time.now, queues, deadLetters: ["stream-dead-letters"] });
  const queue = open();
  onTestFinished(() => queue.close());
  return { queue, open, time };
}

describe("LocalQueue", () => {
  it("keeps messages across restarts, with their delay and receive count", async () => {
    const { queue, open, time } = setUp();
    await queue.send("work", [{ body: "a" }, { body: "b", delaySeconds: 60 }]);
    queue.receive("work", 10);
    const reopened = open();
    onTestFinished(() => reopened.close());
    expect(await reopened.depth("work")).toEqual({ waiting: 0, inFlight: 1, delayed: 1 });
    time.advance(60_000);
    const received = reopened.receive("work", 10).map(({ body, receiveCount }) => [body, receiveCount]);
    expect(received).toEqual([
      ['"a"', 2],
      ['"b"', 1],
    ]);
  });

  it("hands out at once what was in hand when the process before ended, and counts that receive", async () => {
    const { queue, open } = setUp();
    await queue.send("work", [{ body: "a" }, { body: "b", delaySeconds: 60 }]);
    queue.receive("work", 10);
    const reopened = open();
    onTestFinished(() => reopened.close());
    reopened.releaseInHand();
    expect(await reopened.depth("work")).toEqual({ waiting: 1, inFlight: 0, delayed: 1 });
    expect(reopened.receive("work", 10).map(({ receiveCount }) => receiveCount)).toEqual([2]);
  });

  it("deletes nothing by a receipt that another receive has replaced", async () => {
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

  it("tells when the next message is due", async () => {
    const { queue, time } = setUp();
    expect(queue.nextDue("work")).toBeUndefined();
    await queue.send("work", [{ body: 1, delaySeconds: 20 }]);
    expect(queue.nextDue("work")).toBe(time.now() + 20_000);
    await queue.send("work", [{ body: 2 }]);
    expect(queue.nextDue("work")).toBe(time.now());
    queue.receive("work", 10);
    expect(queue.nextDue("work")).toBe(time.now() + 20_000);
  });

  it("tells listeners of sends and of new dead letters, until they are gone", async () => {
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

  it("has the further queues of dead letters it was given", async () => {
    const { queue } = setUp();
    await queue.send("stream-dead-letters", [{ body: "parked" }]);
    expect(queue.receive("stream-dead-letters", 10).map(({ body }) => body)).toEqual(['"parked"']);
  });

  it("takes dead letters of any size", async () => {
    const { queue } = setUp();
    const body = { before: "x".repeat(1024 * 1024), after: "y".repeat(1024 * 1024) };
    await queue.send("stream-dead-letters", [{ body }]);
    expect(JSON.parse(queue.receive("stream-dead-letters", 1)[0]!.body)).toEqual(body);
  });

  it("refuses a message beyond what SQS holds, and all that were sent with it", async () => {
    const { queue } = setUp();
    await expect(queue.send("work", [{ body: "fine" }, { body: "x".repeat(1024 * 1024) }])).rejects.toThrow();
    expect(await queue.depth("work")).toEqual({ waiting: 0, inFlight: 0, delayed: 0 });
  });
});
