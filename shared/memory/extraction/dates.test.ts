import { describe, expect, test } from "vitest";
import { loadDateReader, timeOf } from "./dates.ts";

const readDates = await loadDateReader();
/** A Monday. */
const MONDAY = new Date("2023-05-08T13:56:00Z");

describe("relative dates are resolved against the text's own time", () => {
  test.each([
    ["I ran yesterday.", "I ran on 7 May 2023.", "2023-05-07"],
    ["I ran the day before yesterday.", "I ran on 6 May 2023.", "2023-05-06"],
    ["I ran last Friday, twice", "I ran on 5 May 2023, twice", "2023-05-05"],
    ["I ran last Tues with Ann", "I ran on 2 May 2023 with Ann", "2023-05-02"],
    ["We ran two days ago", "We ran on 6 May 2023", "2023-05-06"],
    ["I run this week", "I run in the week of 8 May 2023", "2023-05-08"],
    ["I ran last week", "I ran in the week of 1 May 2023", "2023-05-01"],
    ["I ran this past weekend", "I ran on the weekend of 6 May 2023", "2023-05-06"],
    ["I ran two weekends ago", "I ran on the weekend of 29 April 2023", "2023-04-29"],
    ["I run next month", "I run in June 2023", "2023-06"],
    ["I ran last year", "I ran in 2022", "2022"],
    ["I began three years ago", "I began in 2020", "2020"],
    ["I have run since last year", "I have run since 2022", "2022"],
    ["We leave tomorrow at 3pm", "We leave on 9 May 2023 at 3pm", "2023-05-09"],
    ["Last weekend was fun", "the weekend of 6 May 2023 was fun", "2023-05-06"],
  ])("%s", (text, resolved, iso) => {
    const read = readDates(text, MONDAY);
    expect(read.text).toBe(resolved);
    expect(read.dates.map((date) => date.iso)).toEqual([iso]);
  });

  test.each([
    ["I saw them a few weeks ago", "I saw them around the week of 17 April 2023"],
    ["I began about five years ago", "I began around 2018"],
  ])("%s: vague, so no date of its own", (text, resolved) => {
    expect(readDates(text, MONDAY)).toEqual({ text: resolved, dates: [] });
  });

  test.each(["I saw the sun at night", "I may go in a second", "for 4 years", "See you on Monday", "every week", ""])(
    "'%s' names no date",
    (text) => expect(readDates(text, MONDAY)).toEqual({ text, dates: [] }),
  );
});

test("without a time only dates that name their year are dates", () => {
  expect(readDates("I ran yesterday and on 3 March 2021", undefined)).toEqual({
    text: "I ran yesterday and on 3 March 2021",
    dates: [{ name: "3 March 2021", iso: "2021-03-03" }],
  });
  expect(readDates("I moved in 2019", undefined).dates).toEqual([{ name: "2019", iso: "2019" }]);
});

describe("the time of a memory", () => {
  test.each([
    [{ occurred_at: "2023-05-08T13:56:00Z" }, "2023-05-08T13:56:00.000Z"],
    [{ date: "2023-05-08" }, "2023-05-08T00:00:00.000Z"],
    [{ session_date_time: "1:56 pm on 8 May, 2023" }, "2023-05-08T13:56:00.000Z"],
    [{ timestamp: 1_683_554_160 }, "2023-05-08T13:56:00.000Z"],
    [{ timestamp: 1_683_554_160_000 }, "2023-05-08T13:56:00.000Z"],
  ])("%j", async (metadata, iso) => {
    expect((await timeOf(metadata, undefined))?.toISOString()).toBe(iso);
  });

  test("is the caller's where the metadata tell none that can be read", async () => {
    for (const date of ["", "5", "soon", "2023-99-99", null, true, [], 1e300]) {
      expect((await timeOf({ date }, "2024-01-01T00:00:00Z"))?.getUTCFullYear()).toBe(2024);
    }
    expect(await timeOf({}, undefined)).toBeUndefined();
  });
});
