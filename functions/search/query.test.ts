import { expect, it } from "vitest";
import { checkQuery } from "../../shared/domain/retrieval/run-search.ts";
import { Query } from "../../shared/language/questions/query.ts";
import { analyseQuery } from "./query.ts";

it.each([
  ["How many cats does Ann have?", "quantity"],
  ["When did they meet?", "time"],
  ["what year was it", "time"],
  ["Where is the key?", "place"],
  ["Which city did he visit?", "place"],
  ["Who called?", "person"],
  ["Why did it rain?", "reason"],
  ["How do I get there?", "manner"],
  ["Did Ann call?", "confirmation"],
  ["What is her job?", "description"],
  ["green tea", "topic"],
  ["whoever calls", "topic"],
])("classifies %j as a question about: %s", async (query, intent) => {
  expect((await analyseQuery(new Query(query))).semantic_intent).toBe(intent);
});

it("returns content words and names", async () => {
  const { tokens, entities } = await analyseQuery(new Query("When did Ada Lovelace visit Zurich?"));
  expect(tokens).toEqual(["ada", "lovelac", "visit", "zurich"]);
  expect(entities.map(({ name }) => name)).toEqual(expect.arrayContaining(["Ada Lovelace", "Zurich"]));
});

it("accepts a query with a word, and repairs ill-formed text", () => {
  expect(checkQuery("who").text).toBe("who");
  expect(checkQuery("a".repeat(1000)).text).toHaveLength(1000);
  expect(checkQuery("tea \ud800").text).toBe("tea \ufffd");
});

it.each(["", " ", "?!", "\u0000", "\ud800"])("refuses %j, which has no word", (query) => {
  expect(() => checkQuery(query)).toThrow(expect.objectContaining({ code: "INVALID_QUERY" }));
});

it("refuses a query that is too long before it reads its words", () => {
  const refusal = expect.objectContaining({ code: "QUERY_TOO_LONG", details: { max_length: 1000 } });
  expect(() => checkQuery(" ".repeat(1001))).toThrow(refusal);
});
