import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { annotateDates, type DateAnnotation } from "./annotate.ts";
import type { Anchor } from "./calendar.ts";
import { DateAnnotation as DateAnnotationSchema } from "./schema.ts";

interface Case {
  text: string;
  anchor: Anchor;
  expected: string[];
}

const CASES = new URL("../../../test/fixtures/dated-texts.txt", import.meta.url);

function readCases(): Case[] {
  let anchor: Anchor = { instant: new Date(Number.NaN) };
  const cases: Case[] = [];
  for (const line of readFileSync(CASES, "utf8").trim().split("\n")) {
    if (line.startsWith("#")) continue;
    const [, instant, zone] = /^@ (\S+) ?(\S+)?$/.exec(line) ?? [];
    if (instant !== undefined) anchor = { instant: new Date(instant), zone };
    else {
      const [, text = "", values = ""] = line.split("|").map((part) => part.trim());
      cases.push({ text, anchor, expected: values.split(" ").filter((value) => value !== "") });
    }
  }
  return cases;
}

const MARKS = { past: "<", future: ">", unknown: "" };

function shown({ value, end_value, approximate, direction }: DateAnnotation): string {
  return `${approximate ? "~" : ""}${value}${end_value === undefined ? "" : `/${end_value}`}${MARKS[direction]}`;
}

const cases = readCases();

test.each(cases)("$text ($anchor.instant)", ({ text, anchor, expected }) => {
  const found = annotateDates(text, anchor).map(shown);
  const isMarked = (place: number) => /[<>]$/.test(expected[place] ?? "");
  expect(found.map((value, place) => (isMarked(place) ? value : value.replace(/[<>]$/, "")))).toEqual(expected);
});

test("there are many cases, with and without dates", () => {
  expect(cases.length).toBeGreaterThanOrEqual(120);
  expect(cases.filter(({ expected }) => expected.length === 0).length).toBeGreaterThan(40);
});

const NOVEMBER = { instant: new Date("2026-11-22T19:00:00Z"), zone: "Europe/Berlin" };

/** Expects that each date has the position of its words, and that the dates are in order without overlaps. */
function expectPositions(text: string, dates: DateAnnotation[]): void {
  let previousEnd = 0;
  for (const { start, end, text: words } of dates) {
    expect(text.slice(start, end)).toBe(words);
    expect(start).toBeGreaterThanOrEqual(previousEnd);
    previousEnd = end;
  }
}

test("annotations have the positions of their words, in order and without overlaps", () => {
  for (const { text, anchor } of cases) expectPositions(`${text}\n${text}`, annotateDates(`${text}\n${text}`, anchor));
});

describe("the shape of an annotation", () => {
  test("of a moment", () => {
    expect(annotateDates("It ran at 14:30 yesterday.", NOVEMBER)).toEqual([
      {
        start: 10,
        end: 25,
        text: "14:30 yesterday",
        value: "2026-11-21T14:30+01:00",
        precision: "minute",
        direction: "past",
        kind: "point",
      },
    ]);
  });

  test("of a range", () => {
    expect(annotateDates("I was away from 1 Feb 2025 to March 2025.", NOVEMBER)).toMatchObject([
      { value: "2025-02-01", end_value: "2025-03", precision: "range", kind: "range", direction: "past" },
    ]);
  });
});

test("without an anchor, only dates with a year are found", () => {
  const found = annotateDates("I ran yesterday, in May, on Friday and on 3 March 2021", undefined);
  expect(found.map(({ value }) => value)).toEqual(["2021-03-03"]);
});

test("an unknown zone is ignored", () => {
  const [date] = annotateDates("It begins at 14:30 tomorrow", { ...NOVEMBER, zone: "Nowhere/Town" });
  expect(date?.value).toBe("2026-11-23T14:30");
});

test("each line is read in its own language", () => {
  const lines = [
    "We met yesterday and talked about it.",
    "昨日、病院に行きました。",
    "Am Freitag habe ich den Zahnarzt besucht.",
  ];
  const dates = annotateDates(lines.join("\n"), NOVEMBER);
  expect(dates.map(({ value }) => value)).toEqual(["2026-11-21", "2026-11-21", "2026-11-20"]);
});

describe("any text with any anchor", () => {
  const words = cases.flatMap(({ text }) => text.match(/\S+\s*/gu) ?? []);
  const fragment = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...words) },
    fc.string({ unit: anyCharacter, maxLength: 6 }),
    fc.constantFrom("9999 years ago ", "in 9999 weeks ", "0 ", "31", "-", "\n", "２０２６年", "24:00 ", "+0100 "),
  );
  const anchors = fc.record({
    instant: fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
    zone: fc.constantFrom(
      ...[undefined, ..."Europe/Berlin America/St_Johns Pacific/Apia +14:00 -12:00 nowhere".split(" ")],
    ),
  });

  test("yields ISO values in order, with the positions of their words", () => {
    const value =
      /^(?:\d{4}(?:-\d{2}(?:-\d{2}(?:T\d{2}:\d{2}(?:[+-]\d{2}:\d{2})?)?)?)?|R\/(?:\d{4}[-\d]*\/)?PT?\d+[YMWDH]|PT?\d+[YMWDH])$/;
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 14 }), anchors, (parts, anchor) => {
        const text = parts.join("");
        const dates = annotateDates(text, anchor);
        expectPositions(text, dates);
        for (const date of dates) {
          expect(date.value).toMatch(value);
          if (date.end_value !== undefined) expect(date.end_value).toMatch(value);
          expect(DateAnnotationSchema.safeParse(date).success).toBe(true);
        }
      }),
      { numRuns: 3000 },
    );
  });
});
