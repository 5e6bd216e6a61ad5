import { expect, it } from "vitest";
import { ReceiverConcurrencyLimiter, type ReleaseSlot } from "./receiver-concurrency.ts";

/** A limiter with a clock that the test advances. */
function setUp() {
  let now = 0;
  const turns = new ReceiverConcurrencyLimiter(() => now);
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { turns, pass };
}

async function takeAll(turns: ReceiverConcurrencyLimiter, name: string, count: number): Promise<ReleaseSlot[]> {
  const taken = await Promise.all(Array.from({ length: count }, () => turns.take(name)));
  return taken.flatMap((end) => end ?? []);
}

it("refuses attempts at a receiver that hangs, and no attempts at others", async () => {
  const { turns, pass } = setUp();
  expect(await takeAll(turns, "hangs", 2)).toHaveLength(2);
  pass(500);
  expect(await turns.take("hangs")).toBeUndefined();
  expect(await turns.take("answers")).toBeDefined();
});

it("lets an attempt wait for a slot that is released in time", async () => {
  const { turns, pass } = setUp();
  const [first] = await takeAll(turns, "answers", 2);
  const third = turns.take("answers");
  pass(400);
  first?.();
  pass(400);
  expect(await third).toBeDefined();
});

it("allows more attempts after each quick answer, and few again after a slow one", async () => {
  const { turns, pass } = setUp();
  for (let round = 0; round < 10; round++) for (const end of await takeAll(turns, "answers", 1)) end();
  const many = await takeAll(turns, "answers", 8);
  expect(many).toHaveLength(8);
  pass(500);
  expect(await turns.take("answers")).toBeUndefined();
  for (const end of many) end();
  expect(await takeAll(turns, "answers", 2)).toHaveLength(2);
  pass(500);
  expect(await turns.take("answers")).toBeUndefined();
});

it("allows more detached attempts", async () => {
  const { turns, pass } = setUp();
  await takeAll(turns, "hangs", 2);
  const detached = () => turns.take("hangs", { detached: true });
  for (let count = 0; count < 6; count++) expect(await detached()).toBeDefined();
  pass(2_000);
  expect(await detached()).toBeUndefined();
});

it("forgets idle receivers, but none with running attempts", async () => {
  const { turns, pass } = setUp();
  await takeAll(turns, "hangs", 2);
  for (let number = 0; number < 1_100; number++) for (const end of await takeAll(turns, `r${number}`, 1)) end();
  pass(500);
  expect(await turns.take("hangs")).toBeUndefined();
});
