import { setImmediate as nextRound } from "node:timers/promises";
import { expect, it } from "vitest";
import { takeTurn } from "./turns.ts";

/** Occupies the thread. */
function work(milliseconds: number): void {
  for (const until = performance.now() + milliseconds; performance.now() < until; );
}

it("gives an organization its turn after one step of another that has many", async () => {
  const done: string[] = [];
  const step = async (org: string) => {
    await takeTurn(org);
    work(5);
    done.push(org);
  };
  const heavy = Promise.all(Array.from({ length: 20 }, () => step("org_heavy")));
  await nextRound();
  await nextRound();
  const before = done.length;
  await step("org_other");
  expect(done.indexOf("org_other") - before).toBeLessThanOrEqual(1);
  await heavy;
  expect(done).toHaveLength(21);
});
