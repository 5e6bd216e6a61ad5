import { describe, expect, it } from "vitest";
import { describePattern } from "./describe.ts";
import { patternsOf } from "./mine.ts";

const DAYS = ["2026-03-02", "2026-04-08", "2026-05-14", "2026-06-19", "2026-07-25"];

/** Returns the patterns of texts, one per day, as lines. */
async function found(contents: string[], days = DAYS): Promise<string[]> {
  const said = contents.map((content, index) => {
    return { memory_id: `mem_${index}`, day: days[index] ?? "2026-09-01", content, names: [] };
  });
  return (await patternsOf(said)).map(describePattern);
}

const onDays = (...contents: string[]) => contents;
const times = (text: string, count: number) => Array.from({ length: count }, () => text);

describe("what is asserted on several days is counted", () => {
  it("two words near each other on three days, one word on five", async () => {
    expect(await found(times("I flew to Lisbon.", 3))).toEqual([
      "flew + Lisbon: stated on 3 days, 2 Mar 2026 to 14 May 2026",
    ]);
    expect(
      await found(["The boiler broke.", "The boiler!", "Our boiler leaks.", "The boiler is fixed.", "Boiler humming."]),
    ).toEqual(["boiler: stated on 5 days, 2 Mar 2026 to 25 Jul 2026"]);
  });

  it("a day once, whatever is said on it", async () => {
    expect(await found(times("I flew to Lisbon.", 5), times("2026-03-02", 5))).toEqual([]);
  });

  it("a day of the week that is unlikely to be chance", async () => {
    const saturdays = ["2026-03-07", "2026-03-14", "2026-03-21", "2026-03-28", "2026-04-04", "2026-04-11"];
    const others = ["2026-03-02", "2026-03-10", "2026-03-19", "2026-04-01", "2026-04-09", "2026-04-13"];
    const texts = [...times("I ran the parkrun.", 6), "Rain.", "Soup.", "Snow.", "Bread.", "Trains.", "Mud."];
    expect(await found(texts, [...saturdays, ...others])).toEqual([
      "ran + parkrun: stated on 6 days, mostly Saturdays, 7 Mar 2026 to 11 Apr 2026",
    ]);
  });

  it.each([
    [
      "weight",
      onDays("Weight 82 kg.", "My weight: 80.5 kg.", "Weight is 79 kg now."),
      "82 kg (2 Mar 2026), 80.5 kg (8 Apr",
    ],
    ["parkrun", onDays("parkrun 34:12", "33:40 at parkrun", "PARKRUN 29:58"), "34:12 (2 Mar 2026), 33:40 (8 Apr"],
    ["pressure", onDays("Blood pressure 148/92.", "Pressure 142/90", "pressure 138/88"), "148/92 (2 Mar 2026), 142/90"],
    [
      "Gewicht",
      onDays("Mein Gewicht heute: 82 kg.", "Gewicht 81,2 kg.", "Das Gewicht ist 80 kg."),
      "82 kg (2 Mar 2026), 81,2",
    ],
  ])("a quantity over time: %s", async (label, texts, values) => {
    const [series = ""] = (await found(texts)).filter((text) => text.includes(values));
    expect(series.toLowerCase()).toContain(`${label.toLowerCase()}: `);
  });
});

describe("what is not asserted is not counted", () => {
  it.each([
    ["questions", "Should I fly to Lisbon?"],
    ["conditions", "If I flew to Lisbon, I would stay."],
    ["denials", "I did not fly to Lisbon."],
    ["plans", "I will fly to Lisbon."],
    ["quotations", 'Anna wrote "I flew to Lisbon" again.'],
    ["forwarded words", "Forwarded from Petra:\n> I flew to Lisbon and paid.\n> Best, Petra"],
    ["conditions in German", "Wenn ich nach Lissabon fahre, bleibe ich."],
    ["times of day", "Dinner at 18:30."],
    ["dates", "Dinner on 3/5/2026."],
  ])("%s", async (_, text) => {
    const texts = await found(times(text, 3));
    expect(texts.filter((line) => /lis[bs]|:\d\d \(|\/\d/i.test(line))).toEqual([]);
  });
});
