import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { inParallel } from "./parallel.ts";

test.each([1, 3, 100])("runs at most %d at a time and answers in order", async (width) => {
  let atWork = 0;
  let most = 0;
  const items = Array.from({ length: 10 }, (_, index) => index);
  const answers = await inParallel(items, width, async (item, index) => {
    most = Math.max(most, ++atWork);
    for (let turn = 0; turn <= (item * 7) % 4; turn++) await nextTurn();
    atWork--;
    return item * 100 + index;
  });
  expect(answers).toEqual(items.map((item) => item * 101));
  expect(most).toBe(Math.min(width, items.length));
});

test("returns nothing for no items, and rejects with the first error", async () => {
  expect(await inParallel([], 4, async () => 1)).toEqual([]);
  await expect(inParallel([1, 2], 1, () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
});
