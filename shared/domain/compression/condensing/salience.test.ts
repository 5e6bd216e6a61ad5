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

  it("does not take the first word of a sentence for a name, but a label's", () => {
    expect(weigh("Pottery is fun")("pottery")).toBe(weigh("fun pottery")("pottery"));
    expect(weigh("Rose: hello")("rose")).toBe(2 * weigh("a rose")("rose"));
  });

  it("gives the share of the weight that is still there", () => {
    const text = "Anna moved to Paris in 2021";
    const weights = weighTerms(text, readPassage(text), tokens);
    expect(retentionOf(weights, text)).toBe(1);
    expect(retentionOf(weights, "")).toBe(0);
    const withoutYear = retentionOf(weights, "Anna moved to Paris");
    const withoutVerb = retentionOf(weights, "Anna Paris 2021");
    expect(withoutYear).toBeLessThan(1);
    expect(withoutVerb).toBeGreaterThan(withoutYear);
  });

  it("has nothing to lose where there are no terms", () => {
    expect(retentionOf(weighTerms("...", readPassage("..."), tokens), "")).toBe(1);
  });
});
