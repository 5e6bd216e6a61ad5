import { describe, expect, it } from "vitest";
import { processorTimeOf } from "../../../../test/support/processor-time.ts";
import { loadNameFinder } from "./names.ts";

async function namesIn(text: string): Promise<string[]> {
  const find = await loadNameFinder(text);
  return find(text).map(({ name, type }) => `${name}: ${type}`);
}

const ENGLISH = "This is the text of a log that was kept by those who were there, and it has been kept well. ";

describe("names in a chunk", () => {
  it.each([
    [
      "Ada Lovelace met Charles Babbage in Lisbon.",
      ["Ada Lovelace: person", "Charles Babbage: person", "Lisbon: place"],
    ],
    ["They moved from Porto to Qwyrtzel last year.", ["Porto: place", "Qwyrtzel: other"]],
    ["It was paid by the Lovelace Foundation.", ["Lovelace Foundation: organization"]],
    ["The report says that Lisbon, Porto and Faro agree.", ["Lisbon: place", "Porto: place"]],
  ])("of %s", async (text, expected) => {
    expect(await namesIn(ENGLISH + text)).toEqual(expect.arrayContaining(expected));
  });

  it("are not first words of a sentence, headings of plain words or parts of other words", async () => {
    const text = `${ENGLISH}Ships come. However, they go. Winter is long. See example/Path and user@Host and fooBar.`;
    expect(await namesIn(text)).toEqual([]);
  });

  it("are unique, most frequent first, at most twelve", async () => {
    const many = Array.from(
      { length: 30 },
      (_, n) => `They wrote to Zorvak${String.fromCharCode(97 + (n % 26))}${n} again.`,
    );
    const found = await namesIn(`${ENGLISH}${many.join(" ")} They wrote to Lisbon. They wrote to Lisbon.`);
    expect(found).toHaveLength(12);
    expect(found[0]).toBe("Lisbon: place");
    expect(new Set(found).size).toBe(12);
  });

  it("are only known people and places in other languages than English", async () => {
    const german =
      "Der Hafen ist alt und die Schiffe kommen nicht mehr oft zu uns. Das Haus der Familie ist in Berlin.";
    expect(await namesIn(german)).toEqual(["Berlin: place"]);
  });

  it.each(["A", "Aa ", "A. ", "Of the ", "Á", "A-", "A of the "])(
    "take time by the length of endless %j",
    async (unit) => {
      const find = await loadNameFinder(ENGLISH);
      expect(await processorTimeOf(() => find(unit.repeat(100_000 / unit.length)))).toBeLessThan(5_000);
    },
  );
});
