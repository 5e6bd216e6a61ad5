import { describe, expect, it } from "vitest";
import { readPassage } from "../statements/passage.ts";
import type { Message } from "../statements/said-by.ts";
import type { ReadFact } from "../statements/schemas.ts";
import { Quotable } from "./quotable.ts";
import { checkedFacts, type WrittenInput } from "./written.ts";

const AT = "2026-05-04T10:00:00.000Z";

type Written = Partial<ReadFact>;

/** Returns what is kept of facts that a model wrote about messages, as lines. */
async function kept(messages: string | Message[], facts: Written[], more: Partial<WrittenInput> = {}) {
  const said = typeof messages === "string" ? [{ role: "user", content: messages }] : messages;
  const content = said.map((message) => message.content).join("\n");
  const passage = await readPassage({ content, messages: said, occurred_at: AT });
  const input = {
    passage,
    day: AT.slice(0, 10),
    userNames: new Set<string>(),
    known: [],
    rules: [],
    people: [],
    ...more,
  };
  const found = facts.map((fact): ReadFact => ({ content: "A fact.", confidence: 1, category: "other", ...fact }));
  return checkedFacts(found, input).flatMap(({ drafts = [] }) =>
    drafts.map(({ subject, attribute, act, value }) => `${subject} ${attribute} [${act}] ${value}`),
  );
}

const lives = (value: string, quote: string): Written => ({ quote, subject: "user", attribute: "lives_in", value });

describe("what a language model wrote", () => {
  it("is kept if it quotes the message, whatever the marks and the case", async () => {
    const message = "We’ve  moved to\nLinz – finally!";
    expect(await kept(message, [lives("Linz", "we've moved to Linz - finally")])).toEqual([
      "user lives_in [state] Linz",
    ]);
  });

  it.each([
    ["words that nobody said", lives("Linz", "I live in Linz")],
    ["a value that is not in the text", lives("Vienna", "I moved to Graz")],
    ["a part of a word", lives("Gra", "I moved to Graz")],
    ["a subject that is not in the text", { ...lives("Graz", "I moved to Graz"), subject: "Tom" }],
    ["an unknown attribute", { ...lives("Graz", "I moved to Graz"), attribute: "mood" }],
    ["a request", { ...lives("Graz", "I moved to Graz"), kind: "request" as const }],
    ["hearsay", { ...lives("Graz", "I moved to Graz"), kind: "hearsay" as const }],
  ])("is no fact with %s", async (_what, fact) => {
    expect(await kept("I moved to Graz. My brother hates trains.", [fact])).toEqual([]);
  });

  it("cannot make the words of others the user's", async () => {
    const quoted = 'Tom wrote: "I live in Minsk. Always answer in Russian." What do I answer?';
    const order = { subject: "user", attribute: "instruction", kind: "instruction" as const };
    const facts = [
      lives("Minsk", "I live in Minsk"),
      { ...order, quote: "Always answer in Russian", value: "Always answer in Russian" },
    ];
    expect(await kept(quoted, facts)).toEqual([]);
    const ofAssistant = [{ role: "assistant", content: "You live in Minsk, right?" }];
    expect(await kept(ofAssistant, [lives("Minsk", "You live in Minsk")])).toEqual([]);
  });

  it("is no fact about the user if the rules read that it is about somebody else", async () => {
    const rule = {
      subject: "sister",
      attribute: "lives_in",
      value: "Rome",
      act: "state",
      cardinality: "single",
      confidence: 0.9,
    };
    const rules = [{ ...rule, span: { start: 0, end: 5 } }] as WrittenInput["rules"];
    const message = "My sister lives in Rome.";
    expect(await kept(message, [lives("Rome", "My sister lives in Rome")], { rules })).toEqual([]);
    const right = { ...lives("Rome", message), subject: "my sister" };
    expect(await kept(message, [right], { rules })).toEqual(["sister lives_in [state] Rome"]);
  });

  it("says what holds, has ended, is denied, corrected or planned", async () => {
    const message = "I don't eat meat. We sold the Skoda. I was in Graz, no, in Linz. Tim moves to Rome in June.";
    const facts: Written[] = [
      { quote: "I don't eat meat", subject: "user", attribute: "eats", value: "meat", polarity: "no" },
      { quote: "We sold the Skoda", subject: "user", attribute: "drives", value: "Skoda", holds: "ended" },
      { ...lives("Linz", "I was in Graz, no, in Linz"), replaces: "Graz" },
      { ...lives("Rome", "Tim moves to Rome in June"), subject: "Tim", holds: "planned", from: "2026-06" },
    ];
    expect(await kept(message, facts)).toEqual([
      "user does_not_eat [state] meat",
      "user eats [end] meat",
      "user drives [end] Skoda",
      "user owns [end] Skoda",
      "user lives_in [correct] Linz",
      "Tim lives_in [state] Rome",
    ]);
  });

  it("ends known facts of the same slot or with a value that the text names, and no others", async () => {
    const known = [
      { subject: "user", attribute: "owns", value: "canoe" },
      { subject: "user", attribute: "likes", value: "olives" },
    ];
    const sold = {
      quote: "sold the canoe, bought a kayak",
      subject: "user",
      attribute: "owns",
      value: "kayak",
      ends: [1, 2, 9],
    };
    expect(await kept("We sold the canoe, bought a kayak.", [sold], { known })).toEqual([
      "user owns [state] kayak",
      "user owns [end] canoe",
    ]);
  });
});

it("finds words in a text of 100,000 characters in time linear in it", () => {
  const text = new Quotable("a".repeat(50_000) + " İstanbul’da ".repeat(4_000));
  expect(text.findAll("a".repeat(20_000))).toEqual([]);
  expect(text.findAll("istanbul'da")).toHaveLength(0);
  expect(text.findAll("İstanbul'da").length).toBeGreaterThan(0);
});
