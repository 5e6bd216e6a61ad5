import { describe, expect, it } from "vitest";
import { readPassage } from "./passage.ts";
import { retentionOf, weighTerms } from "./salience.ts";
import { loadTokenCounter } from "./tokens.ts";

const tokens = await loadTokenCounter();

function weigh(text: string): (term: string) => number {
  const weights = weighTerms(text, readPassage(text), tokens);
  return (term) => weights.get(term) ?? Number.NaN;
}

describe("salience", () => {
  it("weighs rare words over common ones, and both over function words", () => {
    const weight = weigh("The people liked the pottery");
    expect(weight("pottery")).toBeGreaterThan(2 * weight("people"));
    expect(weight("people")).toBeGreaterThan(10 * weight("the"));
  });

  it("weighs names inside a sentence and numbers double", () => {
    const named = weigh("We saw Rose");
    const plain = weigh("We saw a rose");
    expect(named("rose")).toBe(2 * plain("rose"));
    expect(weigh("room 12")("12")).toBeGreaterThanOrEqual(2);
  });

  it("treats the first word of a label, but not of a sentence, as a name", () => {
    expect(weigh("Pottery is fun")("pottery")).toBe(weigh("fun pottery")("pottery"));
    expect(weigh("Rose: hello")("rose")).toBe(2 * weigh("a rose")("rose"));
  });

  it("returns the retained share of the weight", () => {
    const text = "Anna moved to Paris in 2021";
    const weights = weighTerms(text, readPassage(text), tokens);
    expect(retentionOf(weights, text)).toBe(1);
    expect(retentionOf(weights, "")).toBe(0);
    const withoutYear = retentionOf(weights, "Anna moved to Paris");
    const withoutVerb = retentionOf(weights, "Anna Paris 2021");
    expect(withoutYear).toBeLessThan(1);
    expect(withoutVerb).toBeGreaterThan(withoutYear);
  });

  it("returns 1 without terms", () => {
    expect(retentionOf(weighTerms("...", readPassage("..."), tokens), "")).toBe(1);
  });
});
