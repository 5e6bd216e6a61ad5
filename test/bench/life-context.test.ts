import { expect, test } from "vitest";
import { DEVELOPMENT, HELD_OUT, measureContexts, NO_STORIES, readContext, readStories } from "./life-context.ts";

for (const { half, assertions, least } of [
  { half: "odd", assertions: DEVELOPMENT, least: 0.95 },
  { half: "even", assertions: HELD_OUT, least: 0.75 },
] as const) {
  test(`contexts of the ${half} stories say what matters, in whole sentences`, async ({ skip, annotate }) => {
    const stories = readStories(half);
    if (stories === undefined) return skip(NO_STORIES);
    const { held, asserted, broken, faults, lines } = await measureContexts(stories, assertions, readContext);
    await annotate(`${held} of ${asserted} assertions hold, ${faults.length} faults of form in ${lines} lines`);
    await annotate(`broken: ${broken.join("; ")}; faults: ${faults.join("; ")}`);
    expect(asserted).toBeGreaterThanOrEqual(40);
    expect(held / asserted).toBeGreaterThanOrEqual(least);
    expect(faults.length / lines).toBeLessThanOrEqual(0.01);
  });
}
