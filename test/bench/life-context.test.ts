import { expect, test } from "vitest";
import { loadTokenCounter } from "../../shared/compression/tokens.ts";
import type { SessionMessage } from "../../shared/sessions/session.ts";
import { NOTHING_SAID, readStateTask } from "../../shared/sessions/state.ts";
import { gistOf, keyPointsIn } from "../../shared/sessions/summary.ts";
import {
  DEVELOPMENT,
  HELD_OUT,
  measureContexts,
  NO_STORIES,
  readStories,
  type SessionContext,
} from "./life-context.ts";

const CONTEXT_WINDOW = 8192;

async function readContext(messages: SessionMessage[]): Promise<SessionContext> {
  const gist = await gistOf(messages, CONTEXT_WINDOW, await loadTokenCounter());
  const state = await readStateTask.builtIn({ previous: NOTHING_SAID, earlier: [], messages });
  return { ...state, summary: gist?.text ?? "", key_points: gist ? keyPointsIn([gist]) : [] };
}

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
