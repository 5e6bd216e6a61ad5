import { describe, expect, it } from "vitest";
import { BLANK_DOCUMENT } from "../../../test/fixtures/blank-document.ts";
import { Query } from "../../language/questions/query.ts";
import type { Embedder, EmbeddingOptions } from "../../ports/embedder.ts";
import { areOwnNames, embedQuestion, withoutNames } from "./query-vector.ts";

describe("a query without names of one word", () => {
  it.each([
    ["When did Caroline go to the support group?", "When did go to the support group?"],
    ["What does Melanie's son play?", "What does son play?"],
    ["What do Jon and Gina have in common?", "What do and have in common?"],
    ["Où travaille Mariela depuis mars ?", "Où travaille depuis mars ?"],
  ])("%s", (query, rest) => expect(withoutNames(new Query(query))?.text).toBe(rest));

  it.each([
    ["no name", "Where do I live?"],
    ["a name of two words", "Who founded Tessel Robotics?"],
    ["an acronym", "Which cells express CD28 and TNF?"],
    ["nothing else", "Who is Thalia?"],
    ["nouns with capitals", "Wie heißt der Hund meiner Schwester?"],
    ["a capital that begins the query", "Caroline went where?"],
  ])("is not made of one with %s", (_, query) => expect(withoutNames(new Query(query))).toBeUndefined());
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
  it("are made in one call, that without the names of length 1", async () => {
    const { calls, embedder } = counting(false);
    const { vector, unnamed } = await embedQuestion(embedder, new Query("Where does Anna paint?"));
    expect(calls).toEqual([[["Where does Anna paint?", "Where does paint?"], { purpose: "query" }]]);
    expect([vector, unnamed?.names]).toEqual([new Float32Array([1, 0]), new Set(["anna"])]);
    for (const value of unnamed?.vector ?? []) expect(value).toBeCloseTo(Math.SQRT1_2);
  });

  it.each([
    ["that names nobody", false, "Where do I paint?", [0, 1]],
    ["of which words are compared", true, "Where does Anna paint?", [1, 0]],
  ])("are one for a query %s", async (_, isLexical, query, vector) => {
    const { calls, embedder } = counting(isLexical);
    expect(await embedQuestion(embedder, new Query(query))).toEqual({ vector: new Float32Array(vector) });
    expect(calls.map(([texts]) => texts)).toEqual([[query]]);
  });
});

describe("names of a query", () => {
  const isOwn = (content: string, ...names: string[]) => {
    const document = { ...BLANK_DOCUMENT, org: "org_a", id: "one", content };
    return areOwnNames(new Set(names), { semantic: [], keyword: [{ id: "one", score: 1, document }] });
  };

  it.each([
    ["My name is Mara Lindqvist.", ["mara"]],
    ["Hi! Please call me Mara.", ["mara"]],
    ["Call me, call me Mara.", ["mara"]],
    ["Ich heiße Mara, und das ist ein Test.", ["mara"]],
    ["Me llamo Mara.", ["mara"]],
    ["Je m’appelle Mara.", ["mara"]],
  ])("are the user's own after %s", (content, names) => expect(isOwn(content, ...names)).toBe(true));

  it.each([
    ["somebody else introduces a friend", "This is Mara, my sister.", ["mara"]],
    ["only one of two is", "My name is Mara.", ["mara", "anna"]],
    ["the introduction is of another name", "My name is Marlene, not Mara.", ["mara"]],
  ])("are not if %s", (_, content, names) => expect(isOwn(content, ...names)).toBe(false));
});
