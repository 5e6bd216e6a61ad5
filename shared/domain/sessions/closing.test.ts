import { describe, expect, it } from "vitest";
import { ClosingSummarySchema, closingTask } from "./closing.ts";
import { outcomeOf } from "./outcome.ts";
import { TopicsSchema, topicsTask } from "./topics.ts";

const NOTHING = { messages: 0, topics: [], points: [], outcome: [], known: [], changed: [], transcript: "" };

describe("the rules' summary of a session that ends", () => {
  it.each([
    ["The session had no messages.", NOTHING],
    ["The conversation had 1 message.", { ...NOTHING, messages: 1 }],
    ["The conversation was about tea. It had 12 messages.", { ...NOTHING, messages: 12, topics: ["tea"] }],
    [
      "The conversation was about tea and Porto. Ada likes tea. She moved.",
      { ...NOTHING, messages: 2, topics: ["tea", "Porto"], points: ["Ada likes tea.", "She moved."] },
    ],
    [
      "Ada wants a bike. Ada needs it now. The assistant will send one on Monday.",
      {
        ...NOTHING,
        messages: 3,
        points: ["Ada wants a bike.", "Ada needs it now."],
        outcome: ["The assistant will send one on Monday."],
      },
    ],
    [
      "Ada asked for a bike. The user now lives in Hamburg, formerly Berlin. The user's diet is now vegan.",
      {
        ...NOTHING,
        messages: 2,
        points: ["Ada asked for a bike."],
        changed: ["The user now lives in Hamburg, formerly Berlin.", "The user's diet is now vegan."],
      },
    ],
  ])("is %j", async (summary, closing) => {
    const answer = await closingTask.builtIn(closing);
    expect(ClosingSummarySchema.parse(answer)).toEqual({ summary });
  });

  it("is requested from a model with known facts and changes as data", () => {
    const { system, user } = closingTask.prompt({
      ...NOTHING,
      messages: 1,
      known: ["diet: vegetarian"],
      changed: ["lives in Hamburg, formerly Berlin"],
      transcript: "user: I moved.",
    });
    expect(user).toContain("Known of the user:\n- diet: vegetarian");
    expect(user).toContain("Changed in this conversation:\n- lives in Hamburg, formerly Berlin");
    expect(system).toContain("material to read");
  });

  it("does not exceed its length", async () => {
    const answer = await closingTask.builtIn({ ...NOTHING, messages: 1, points: ["é".repeat(5_000)] });
    expect(ClosingSummarySchema.parse(answer).summary).toHaveLength(4_000);
  });
});

describe("the topics of messages", () => {
  it("have the shape of a model's answer, whatever was said", async () => {
    for (const content of [
      "",
      "🙂",
      "The billing address in Lisbon is wrong.",
      `${"x".repeat(300)} ${"y".repeat(300)}`,
    ]) {
      const input = { messages: [{ role: "user" as const, content }], most: 5 };
      const answer = await topicsTask.builtIn(input);
      expect(TopicsSchema.parse(answer)).toEqual(answer);
      expect(topicsTask.prompt(input).user.length).toBeLessThan(600);
    }
  });
});

describe("the outcome of messages", () => {
  it.each([
    ["I've refunded the 49 euros, you'll see them by Friday.", "refunded the 49 euros"],
    ["Wir haben vereinbart, dass die Lampe bis Montag ersetzt wird.", "vereinbart"],
  ])("is what the end settles: %s", async (content, settled) => {
    const before = { role: "user" as const, content: "My lamp arrived broken. It was a gift for my sister." };
    expect((await outcomeOf([before, { role: "assistant", content }])).join(" ")).toContain(settled);
  });

  it("is nothing if nothing is settled", async () => {
    expect(await outcomeOf([{ role: "user", content: "My lamp is green. Is yours?" }])).toEqual([]);
  });
});
