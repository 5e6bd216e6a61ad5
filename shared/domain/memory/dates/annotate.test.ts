import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../../test/support/any-character.ts";
import { annotateDates, type DateAnnotation } from "./annotate.ts";
import type { Anchor } from "./calendar.ts";
import { DateAnnotation as DateAnnotationSchema } from "./schema.ts";

interface Case {
  text: string;
  anchor: Anchor;
  expected: string[];
}

const CASES = new URL("../../../../test/fixtures/dated-texts.txt", import.meta.url);

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
  const unmarked = found.map((value, place) =>
    /[<>]$/.test(expected[place] ?? "") ? value : value.replace(/[<>]$/, ""),
  );
  expect(unmarked).toEqual(expected);
});

test("the cases are many, of nine languages and of both kinds", () => {
  expect(cases.length).toBeGreaterThanOrEqual(120);
  expect(cases.filter(({ expected }) => expected.length === 0).length).toBeGreaterThan(40);
});

const NOVEMBER = { instant: new Date("2026-11-22T19:00:00Z"), zone: "Europe/Berlin" };

test("annotations say where their words stand, in order and apart", () => {
  for (const { text, anchor } of cases) {
    let end = 0;
    for (const date of annotateDates(`${text}\n${text}`, anchor)) {
      expect(`${text}\n${text}`.slice(date.start, date.end)).toBe(date.text);
      expect(date.start).toBeGreaterThanOrEqual(end);
      end = date.end;
    }
  }
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

test("without an anchor only dates that say their year are dates", () => {
  const found = annotateDates("I ran yesterday, in May, on Friday and on 3 March 2021", undefined);
  expect(found.map(({ value }) => value)).toEqual(["2021-03-03"]);
});

test("an unknown zone counts as none", () => {
  const [date] = annotateDates("It begins at 14:30 tomorrow", { ...NOVEMBER, zone: "Nowhere/Town" });
  expect(date?.value).toBe("2026-11-23T14:30");
});

test("lines of several languages are each read in their own", () => {
  const text =
    "We met yesterday and talked about it.\n昨日、病院に行きました。\nAm Freitag habe ich den Zahnarzt besucht.";
  expect(annotateDates(text, NOVEMBER).map(({ value }) => value)).toEqual(["2026-11-21", "2026-11-21", "2026-11-20"]);
});

describe("any text and any anchor", () => {
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

  test("yields ISO values, in order, whose words are in the text", () => {
    const value =
      /^(?:\d{4}(?:-\d{2}(?:-\d{2}(?:T\d{2}:\d{2}(?:[+-]\d{2}:\d{2})?)?)?)?|R\/(?:\d{4}[-\d]*\/)?PT?\d+[YMWDH]|PT?\d+[YMWDH])$/;
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 14 }), anchors, (parts, anchor) => {
        const text = parts.join("");
        let end = 0;
        for (const date of annotateDates(text, anchor)) {
          expect(date.value).toMatch(value);
          if (date.end_value !== undefined) expect(date.end_value).toMatch(value);
          expect(DateAnnotationSchema.safeParse(date).success).toBe(true);
          expect(text.slice(date.start, date.end)).toBe(date.text);
          expect(date.start).toBeGreaterThanOrEqual(end);
          end = date.end;
        }
      }),
      { numRuns: 3000 },
    );
  });
});
