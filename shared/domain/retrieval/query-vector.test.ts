import { describe, expect, it } from "vitest";
import type { Embedder, EmbeddingOptions } from "../../ports/ports.ts";
import { embedQuestion, withoutNames } from "./query-vector.ts";

describe("a query without names of one word", () => {
  it.each([
    ["When did Caroline go to the support group?", "When did go to the support group?"],
    ["What does Melanie's son play?", "What does son play?"],
    ["What do Jon and Gina have in common?", "What do and have in common?"],
    ["Où travaille Mariela depuis mars ?", "Où travaille depuis mars ?"],
  ])("%s", (query, rest) => expect(withoutNames(query)?.text).toBe(rest));

  it.each([
    ["no name", "Where do I live?"],
    ["a name of two words", "Who founded Tessel Robotics?"],
    ["an acronym", "Which cells express CD28 and TNF?"],
    ["nothing else", "Who is Thalia?"],
    ["nouns with capitals", "Wie heißt der Hund meiner Schwester?"],
    ["a capital that begins the query", "Caroline went where?"],
  ])("is not made of one with %s", (_, query) => expect(withoutNames(query)).toBeUndefined());
});

/** Embeds texts with a name as (1, 0) and others as (0, 1), and counts the calls. */
function counting(isLexical: boolean) {
  const calls: [string[], EmbeddingOptions][] = [];
  const embed: Embedder["embed"] = async (texts, options) => {
    calls.push([texts, options]);
    return texts.map((text) => new Float32Array(text.includes("Anna") ? [1, 0] : [0, 1]));
  };
  return { calls, embedder: { embed, isLexical } };
}

describe("the vectors of a query", () => {
  it("are made in one call, that about speakers of length 1", async () => {
    const { calls, embedder } = counting(false);
    const { vector, aboutSpeakers } = await embedQuestion(embedder, "Where does Anna paint?");
    expect(calls).toEqual([[["Where does Anna paint?", "Where does paint?"], { purpose: "query" }]]);
    expect([vector, aboutSpeakers?.names]).toEqual([new Float32Array([1, 0]), new Set(["anna"])]);
    for (const value of aboutSpeakers?.vector ?? []) expect(value).toBeCloseTo(Math.SQRT1_2);
  });

  it.each([
    ["that names nobody", false, "Where do I paint?", [0, 1]],
    ["of which words are compared", true, "Where does Anna paint?", [1, 0]],
  ])("are one for a query %s", async (_, isLexical, query, vector) => {
    const { calls, embedder } = counting(isLexical);
    expect(await embedQuestion(embedder, query)).toEqual({ vector: new Float32Array(vector) });
    expect(calls.map(([texts]) => texts)).toEqual([[query]]);
  });
});
