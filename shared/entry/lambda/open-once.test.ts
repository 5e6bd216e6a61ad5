import { expect, it } from "vitest";
import { openOnce } from "./open-once.ts";

it("opens once for all callers, and again only after a failure", async () => {
  let tries = 0;
  const get = openOnce(async () => {
    tries += 1;
    if (tries === 1) throw new Error("not yet");
    return tries;
  });
  await expect(get()).rejects.toThrow("not yet");
  expect(await Promise.all([get(), get()])).toEqual([2, 2]);
  expect(await get()).toBe(2);
});
