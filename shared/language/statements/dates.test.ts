import { describe, expect, test } from "vitest";
import { annotateDates } from "../dates/annotate.ts";
import { anchorOf, datesWithin, namesOfDate } from "./dates.ts";

describe("the time of a memory", () => {
  test.each([
    [{ occurred_at: "2023-05-08T13:56:00Z" }, "2023-05-08T13:56:00.000Z", undefined],
    [{ occurred_at: "2023-05-08T13:56:00+02:00" }, "2023-05-08T11:56:00.000Z", "+02:00"],
    [{ occurred_at: "2023-05-08T13:56:00", timezone: "Europe/Berlin" }, "2023-05-08T11:56:00.000Z", "Europe/Berlin"],
    [{ occurred_at: "2023-05-08T13:56:00", timezone: "Nowhere/Town" }, "2023-05-08T13:56:00.000Z", undefined],
    [{ date: "2023-05-08" }, "2023-05-08T00:00:00.000Z", undefined],
    [{ session_date_time: "1:56 pm on 8 May, 2023" }, "2023-05-08T13:56:00.000Z", undefined],
    [{ timestamp: 1_683_554_160 }, "2023-05-08T13:56:00.000Z", undefined],
    [{ timestamp: 1_683_554_160_000 }, "2023-05-08T13:56:00.000Z", undefined],
  ])("%j", (metadata, iso, zone) => {
    const anchor = anchorOf(metadata, undefined);
    expect(anchor?.instant.toISOString()).toBe(iso);
    expect(anchor?.zone).toBe(zone);
  });

  test("is the caller's if the metadata contain no valid time", () => {
    for (const date of ["", "5", "soon", "2023-99-99", null, true, [], 1e300]) {
      expect(anchorOf({ date }, "2024-01-01T00:00:00Z")?.instant.getUTCFullYear()).toBe(2024);
    }
    expect(anchorOf({}, undefined)).toBeUndefined();
  });
});

const MONDAY = { instant: new Date("2023-05-08T13:56:00Z") };

test.each([
  ["I ran yesterday", ["7 May 2023"]],
  ["I ran last week", ["week of 1 May 2023"]],
  ["I ran last weekend", ["weekend of 6 May 2023"]],
  ["I ran from May 2021 to May 2022", ["May 2021", "May 2022"]],
  ["I ran in 2019", ["2019"]],
  ["I ran a few weeks ago", []],
  ["I run every Monday, for 2 years", []],
])("'%s' names the dates %j", (text, names) => {
  const named = annotateDates(text, MONDAY).flatMap(namesOfDate);
  expect(named.map(({ name }) => name)).toEqual(names);
});

test("a statement has the annotations of its remaining words, with their positions in it", () => {
  const dates = annotateDates("Yesterday I ran and last year I sat", MONDAY);
  const statement = "Ann sat last year";
  expect(datesWithin(statement, dates)).toMatchObject([{ start: 8, end: 17, text: "last year", value: "2022" }]);
});
