import { describe, expect, test } from "vitest";
import { normalizedName } from "../../kernel/text/normalized-name.ts";
import { mergeEntities, mergeFacts, resolveAliases } from "./merging.ts";
import type { EntityType, ExtractedEntity } from "./schemas.ts";

function entity(name: string, type: EntityType = "person", aliases: string[] = []): ExtractedEntity {
  return { name, type, aliases };
}

const fact = (content: string, confidence = 0.9) => ({ content, confidence, category: "other" as const });
const contentsOf = (facts: { content: string }[]) => facts.map(({ content }) => content);

test.each([
  ["The Grand Canyon", "grand canyon"],
  ["Café  Zoé", "cafe zoe"],
  ["Charlotte's Web", "charlotte web"],
  ["Spider-Man", "spider man"],
  ["The", "the"],
  ["北京", "北京"],
  ["🙂", ""],
])("%s is compared as '%s'", (name, normalized) => expect(normalizedName(name)).toBe(normalized));

describe("merging", () => {
  test("merges spellings, most mentioned first, with the specific type", () => {
    const mentions = [entity("Ann"), entity("CAFÉ", "other"), entity("cafe", "place"), entity("Café", "place")];
    expect(mergeEntities(mentions)).toEqual([
      { name: "CAFÉ", type: "place", aliases: ["cafe"] },
      { name: "Ann", type: "person", aliases: [] },
    ]);
  });

  test("merges a single name with the full name that contains it", () => {
    expect(mergeEntities([entity("Alice"), entity("Alice Johnson"), entity("Johnson")])).toEqual([
      { name: "Alice Johnson", type: "person", aliases: ["Alice", "Johnson"] },
    ]);
  });

  test("does not merge a single name with one of two full names, or with a place", () => {
    const names = [entity("Alice"), entity("Alice Johnson"), entity("Alice Brown")];
    expect(mergeEntities(names).map(({ name }) => name)).toEqual(["Alice", "Alice Johnson", "Alice Brown"]);
    expect(mergeEntities([entity("Paris", "place"), entity("Paris Hilton")])).toHaveLength(2);
  });

  test("separates only a person and a place with the same name", () => {
    const names = [entity("Jordan"), entity("Jordan", "place"), entity("Jordan", "other"), entity("Jordan", "place")];
    const apart = [
      { name: "Jordan", type: "person", aliases: [] },
      { name: "Jordan", type: "place", aliases: [] },
    ];
    expect(mergeEntities(names)).toEqual(apart);
    expect(mergeEntities(mergeEntities(names))).toEqual(apart);
    expect(resolveAliases(names, ["Jordan Lee"]).map(({ name, type }) => [name, type])).toEqual([
      ["Jordan", "place"],
      ["Jordan Lee", "person"],
    ]);
    expect(mergeEntities([entity("Acme", "product"), entity("Acme", "organization")])).toHaveLength(1);
  });

  test("keeps at most 40 entities and the 60 facts with the most confidence, in order", () => {
    expect(mergeEntities(Array.from({ length: 100 }, (_, i) => entity(`Name${i}`)))).toHaveLength(40);
    const facts = Array.from({ length: 100 }, (_, i) => fact(`fact ${i}`, i < 40 ? 0.5 : 0.9));
    expect(contentsOf(mergeFacts([...facts, ...facts]))).toEqual(contentsOf(facts.slice(40)));
  });

  test("keeps facts that differ in a sign, and merges those that differ only in case", () => {
    const contents = ["She writes C++.", "She writes C#.", "she writes C#", "It was 5 °C.", "It was -5 °C."];
    const merged = contentsOf(mergeFacts(contents.map((content) => fact(content))));
    expect(merged).toEqual(["She writes C++.", "She writes C#.", "It was 5 °C.", "It was -5 °C."]);
  });
});

describe("names in the user's earlier memories", () => {
  test.each([
    ["Alice", ["Alice Johnson", "Bob"], "Alice Johnson"],
    ["Mel", ["Melanie", "Caroline"], "Melanie"],
    ["Alice", ["Alice Johnson", "Alice Brown"], "Alice"],
    ["Al", ["Alice"], "Al"],
    ["Alice", ["Alice", "Alice Johnson"], "Alice Johnson"],
    ["Alice", ["Alice", "Alice Brown", "Alice Johnson"], "Alice"],
    ["Mel", ["Mel", "Melanie"], "Mel"],
    ["Dora", ["Bob"], "Dora"],
  ])("%s among %j is %s", (name, known, resolved) => {
    const [answer] = resolveAliases([entity(name)], known);
    expect(answer).toEqual(entity(resolved, "person", resolved === name ? [] : [name]));
  });

  test("does not apply to places", () => {
    expect(resolveAliases([entity("Paris", "place")], ["Paris Hilton"])).toEqual([entity("Paris", "place")]);
  });
});
