import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HELD_BACK_TURNS, TUNING_TURNS } from "../../../test/fixtures/labelled-turns.ts";
import { isSure, polarityOf, polarityOfSentiment, SentimentsSchema, sentimentOf, sentimentTask } from "./sentiment.ts";

describe("the sentiment of a text by rule", () => {
  it.each([
    ["positive", "This is great, thank you so much!"],
    ["positive", "I love it 😍"],
    ["positive", "😊"],
    ["negative", "This is terrible. I hate waiting."],
    ["negative", "That is not good."],
    ["negative", "I don't like it at all."],
    ["positive", "Not bad!"],
    ["negative", "The food was good but the service was awful."],
    ["positive", "The service was awful but the food was wonderful."],
    ["neutral", "The parcel is on the table."],
    ["neutral", "Die Lieferung steht auf dem Tisch."],
    ["positive", "Die Lieferung steht auf dem Tisch 😊"],
    ["neutral", ""],
  ])("is %s: %s", (sentiment, text) => {
    expect(sentimentOf(polarityOf(text)).sentiment).toBe(sentiment);
  });

  it("is stronger with intensifying words", () => {
    expect(polarityOf("very good")).toBeGreaterThan(polarityOf("good"));
    expect(polarityOf("slightly good")).toBeLessThan(polarityOf("good"));
    expect(polarityOf("very bad")).toBeLessThan(polarityOf("bad"));
    expect(polarityOf("not good")).toBeGreaterThan(polarityOf("bad bad bad"));
  });

  it("stays within its bounds and matches its label", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
        const polarity = polarityOf(text);
        expect(Math.abs(polarity)).toBeLessThan(1);
        const { sentiment, confidence } = sentimentOf(polarity);
        expect(confidence).toBeGreaterThanOrEqual(0.5);
        expect(confidence).toBeLessThanOrEqual(1);
        const back = polarityOfSentiment({ sentiment, confidence });
        if (sentiment !== "neutral") expect(back).toBeCloseTo(polarity, 2);
      }),
    );
  });

  it("is returned for each text in the shape of a model's answer", async () => {
    const answer = await sentimentTask.builtIn({ texts: ["Great!", "Awful!", "Here."] });
    expect(SentimentsSchema.parse(answer).sentiments.map(({ sentiment }) => sentiment)).toEqual([
      "positive",
      "negative",
      "neutral",
    ]);
    const { system, user } = sentimentTask.prompt({ texts: ["x".repeat(5000), "two"] });
    expect(system).toContain("exactly 2 sentiments");
    expect(user.length).toBeLessThan(1000);
  });
});

describe("the sentiment of labelled turns", () => {
  it.each([
    ["that the rules were tuned on", TUNING_TURNS],
    ["that were kept apart", HELD_BACK_TURNS],
  ])("is right for at least 17 of 20 %s, and wrong for at most two others", (_which, turns) => {
    const judged = turns.map(([label, turn]) => ({ label, answer: sentimentOf(polarityOf(turn)) }));
    const shown = judged.filter(({ answer }) => isSure(answer));
    const right = shown.filter(({ label, answer }) => answer.sentiment === label).length;
    expect(right).toBeGreaterThanOrEqual(17);
    expect(shown.length - right).toBeLessThanOrEqual(2);
  });
});
