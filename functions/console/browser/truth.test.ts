import { describe, expect, it } from "vitest";
import { attributeOf, heldOn, lanesOf, propertyOf, sentenceOf, spanOf } from "./truth.js";

const FACT = { id: "f", subject: "user", status: "current", valid_from: "2024-01-01T10:00:00.000+00:00" };
// biome-ignore lint/suspicious/noExplicitAny: only the fields that the timeline reads
const fact = (attribute: string, value: string, more = {}): any => ({ ...FACT, attribute, value, ...more });

const berlin = fact("lives_in", "Berlin", { status: "superseded", valid_to: "2025-05-04T10:00:00.000+00:00" });
const zurich = fact("lives_in", "Zurich", { valid_from: "2025-05-04T10:00:00.000+00:00", valid_to: "2027-03-01" });
const lisbon = fact("lives_in", "Lisbon", { status: "planned", valid_from: "2027-03-01" });
const nurse = fact("works_as", "nurse");

describe("what held on a day", () => {
  it("is what had begun and not ended when the day was over", () => {
    const facts = [berlin, zurich, lisbon];
    expect(heldOn(facts, "2023-12-31")).toEqual([]);
    expect(heldOn(facts, "2024-04-14")).toEqual([berlin]);
    expect(heldOn(facts, "2025-05-04")).toEqual([zurich]);
    expect(heldOn(facts, "2027-03-01")).toEqual([lisbon]);
    expect(heldOn([{ ...berlin, status: "retracted" }], "2024-04-14")).toEqual([]);
  });

  it.each([
    [nurse, "since 1 Jan 2024"],
    [berlin, "1 Jan 2024 to 4 May 2025"],
    [{ valid_from: "2999-03-01" }, "from 1 Mar 2999 on"],
    [{ valid_from: "2027-03-01", valid_to: "2025-05-04" }, "planned for 1 Mar 2027, dropped 4 May 2025"],
  ])("has its days in words", (held, told) => {
    expect(spanOf(held)).toBe(told);
  });

  it.each([
    ["2024-04-14", [nurse, berlin], "On 14 Apr 2024 Ada lived in Berlin and worked as a nurse."],
    ["2026-01-01", [zurich], "Today Ada lives in Zurich."],
    ["2027-03-02", [lisbon], "On 2 Mar 2027 Ada will live in Lisbon."],
    ["2024-04-14", [fact("favourite_tea", "Assam")], "On 14 Apr 2024 this held about Ada."],
    ["2001-04-14", [], "On 14 Apr 2001 nothing was known about Ada."],
  ])("on %s is said in the tense of the day", (date, held, sentence) => {
    expect(sentenceOf("Ada", date, held, "2026-01-01")).toBe(sentence);
  });
});

it("a lane has its facts in rows that do not overlap, and the lane that changed most is first", () => {
  const tea = fact("likes", "tea");
  const again = { ...nurse, id: "again" };
  const coffee = fact("likes", "coffee", { valid_from: "2025-01-01T00:00:00Z" });
  expect(lanesOf([nurse, again, tea, coffee, lisbon, berlin, zurich])).toEqual([
    { name: "lives in", rows: [[berlin, zurich, lisbon]] },
    { name: "likes", rows: [[tea], [coffee]] },
    { name: "works as", rows: [[again]] },
  ]);
});

it.each(["lives_in", "favourite_tea", "port_of route planner"])(
  "the attribute %s is found by its words",
  (attribute) => {
    expect(attributeOf(propertyOf(fact(attribute, "any")))).toBe(attribute);
  },
);
