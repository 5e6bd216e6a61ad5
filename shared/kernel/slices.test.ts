import { expect, it } from "vitest";
import { createSlices } from "./slices.ts";

it.each([true, false])("yields after each slice, and only then, in the background: %s", async (inBackground) => {
  const nextStep = createSlices({ sliceMs: 50, inBackground, org: undefined });
  let turns = 0;
  const others = setInterval(() => turns++, 0);
  for (let step = 0; step < 20; step++) await nextStep();
  expect(turns).toBe(0);
  for (let step = 0; step < 4; step++) {
    const until = performance.now() + 51;
    while (performance.now() < until);
    await nextStep();
  }
  clearInterval(others);
  expect(turns).toBeGreaterThanOrEqual(3);
});
