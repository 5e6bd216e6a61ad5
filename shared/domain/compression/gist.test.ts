import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { loadTokenCounter } from "./condensing/tokens.ts";
import { condenseTo, keyPointsOf } from "./gist.ts";

const TALK = `user: I can't log in to my account since yesterday, it says error 403.
assistant: I'm sorry to hear that. Which browser are you using?
user: Firefox 128 on Ubuntu, in the office in Lausanne.
assistant: Thank you. I will reset your session tokens and send a mail once it is done.
user: Please also update my billing address to 12 Baker Street, London.
assistant: Done! Your billing address is now 12 Baker Street, London.`;

const tokens = await loadTokenCounter();

describe("condensing to a length", () => {
  it("leaves a text that fits unchanged", () => {
    expect(condenseTo(TALK, 1000, tokens)).toEqual({ text: TALK, tokens: tokens.count(TALK), retention: 1 });
  });

  it("uses most of the limit, and keeps the most informative parts", () => {
    const gist = condenseTo(TALK, 60, tokens);
    expect(gist.tokens).toBeGreaterThan(45);
    expect(gist.text).toContain("Baker Street");
    expect(gist.text).not.toContain("sorry");
    expect(gist.retention).toBeGreaterThan(0.5);
    expect(gist.retention).toBeLessThan(1);
  });

  it("fits any text into any limit, and counts the result", () => {
    const part = fc.oneof(fc.constantFrom(...TALK.split("\n")), fc.string({ unit: anyCharacter, maxLength: 200 }));
    const texts = fc.oneof(
      fc.array(part, { maxLength: 40 }).map((parts) => parts.join("\n")),
      fc.constantFrom("x", "汉字", "😀", " ", "a b ").map((unit) => unit.repeat(2000)),
    );
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 120 }), (text, most) => {
        const gist = condenseTo(text, most, tokens);
        expect(gist.tokens).toBe(tokens.count(gist.text));
        expect(gist.tokens).toBeLessThanOrEqual(most);
        expect(gist.retention).toBeGreaterThanOrEqual(0);
        expect(gist.retention).toBeLessThanOrEqual(1);
      }),
      { numRuns: 200 },
    );
  });

  it("keeps more with a higher limit", () => {
    const retentions = [10, 30, 60, 90, 200].map((most) => condenseTo(TALK, most, tokens).retention);
    expect(retentions).toEqual(retentions.toSorted((one, other) => one - other));
  });
});

describe("key points", () => {
  it("are the most informative statements, in order, without questions and pleasantries", () => {
    const points = keyPointsOf(TALK, 3, tokens).map(({ text }) => text);
    expect(points).toEqual([
      "I can't log in to my account since yesterday, it says error 403.",
      "Firefox 128 on Ubuntu, in the office in Lausanne.",
      expect.stringContaining("12 Baker Street, London."),
    ]);
  });

  it("are not repeated", () => {
    const points = keyPointsOf(`${TALK}\n${TALK}`, 20, tokens).map(({ text }) => text);
    expect(points).toHaveLength(new Set(points).size);
  });

  it("are none if nothing is stated", () => {
    expect(keyPointsOf("", 3, tokens)).toEqual([]);
    expect(keyPointsOf("user: What is it? Who is there?", 3, tokens)).toEqual([]);
  });
});
