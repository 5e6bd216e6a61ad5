import { expect, it } from "vitest";
import { BLANK_DOCUMENT } from "../../../../test/fixtures/blank-document.ts";
import { AskedTime } from "./asked-time.ts";

/** The week of 9 to 15 November 2026. */
const WEEK = { from: Date.parse("2026-11-09"), to: Date.parse("2026-11-16") - 1 };

it.each([
  ["in it", "2026-11-12T12:00:00.000+00:00", "I had dinner.", [true, 0, 0]],
  ["half its length before", "2026-11-05T12:00:00.000+00:00", "I had dinner.", [false, 0.5, 0]],
  ["more than its length behind", "2026-11-24T12:00:00.000+00:00", "I had dinner.", [false, 0, 0]],
  ["named afterwards", "2026-11-18T12:00:00.000+00:00", "I had dinner on 12 November.", [false, 0.64, 1]],
  ["named by its month", "2026-12-24T12:00:00.000+00:00", "I was in Oslo in November.", [false, 0, 0.23]],
  ["by its own offset", "2026-11-18T12:00:00.000-05:00", "I had dinner last Sunday.", [false, 0.61, 0.79]],
])("what happened or is named %s", (_, occurred_at, content, expected) => {
  const memory = { ...BLANK_DOCUMENT, org: "org_a", id: "1", content, occurred_at };
  const time = new AskedTime([WEEK]);
  const round = (value: number) => Math.round(value * 100) / 100;
  expect([time.holds(memory), round(time.nearness(memory)), round(time.namedBy(memory))]).toEqual(expected);
});

it("is nothing where the query names no time, and open ends hold everything on their side", () => {
  const memory = { ...BLANK_DOCUMENT, org: "org_a", id: "1", content: "On 12 November I had dinner." };
  const none = new AskedTime([]);
  expect([none.holds(memory), none.nearness(memory), none.namedBy(memory)]).toEqual([false, 0, 0]);
  const since = new AskedTime([{ from: 0, to: Number.POSITIVE_INFINITY }]);
  expect([since.holds(memory), since.nearness(memory)]).toEqual([true, 0]);
});
