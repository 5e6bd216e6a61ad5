import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { termOf } from "./condensing/salience.ts";
import { loadTokenCounter } from "./condensing/tokens.ts";
import { bySalience, condenseTo, keyPointsOf, type Salient } from "./gist.ts";

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

describe("selection by salience", () => {
  /** Recomputes the gain of each sentence at each step. */
  const plain = (sentences: Salient[], weights: ReadonlyMap<string, number>) => {
    const covered = new Set<string>();
    const left = new Set(sentences.keys());
    const order: number[] = [];
    for (;;) {
      let best = { position: -1, gain: 0 };
      for (const position of left) {
        const { words, factor = 1 } = sentences[position] as Salient;
        const fresh = new Map(words.map((word) => [termOf(word), word.folded]));
        for (const term of covered) fresh.delete(term);
        if ([...fresh].every(([term, folded]) => term !== folded)) continue;
        const sum = [...fresh.keys()].reduce((total, term) => total + (weights.get(term) ?? 0), 0);
        const gain = (factor / words.length ** 0.5) * sum;
        if (gain > best.gain) best = { position, gain };
      }
      if (best.position === -1) return order;
      order.push(best.position);
      left.delete(best.position);
      for (const word of sentences[best.position]?.words ?? []) covered.add(termOf(word));
    }
  };

  it("takes the sentence with the highest gain at each step", () => {
    const folded = fc.constantFrom("a", "b", "c", "d", "e", "f", "not");
    const word = fc.record({ folded, start: fc.nat(3), end: fc.constant(4) });
    const sentence = fc.record({ words: fc.array(word, { maxLength: 6 }), factor: fc.constantFrom(1, 2) });
    const weight = fc.constantFrom(0, 1, 2, 4);
    fc.assert(
      fc.property(fc.array(sentence, { maxLength: 12 }), fc.array(weight, { minLength: 7 }), (sentences, sizes) => {
        const terms = new Set(sentences.flatMap(({ words }) => words.map(termOf)));
        const weights = new Map([...terms].map((term, position) => [term, sizes[position % sizes.length] ?? 0]));
        const order = [...bySalience(sentences, weights)].map(({ position }) => position);
        expect(order).toEqual(plain(sentences, weights));
      }),
    );
  });
});
