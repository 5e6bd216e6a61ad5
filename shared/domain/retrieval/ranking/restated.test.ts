import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Query } from "../../../language/questions/query.ts";
import type { Ranked } from "./fusion.ts";
import { leadersFirst, restatementsAmong } from "./restated.ts";

const hit = (id: string, content: string, day: string, score = 0.8): Ranked => {
  const at = `${day}T10:00:00.000Z`;
  const sizes = { original_tokens: 0, compressed_tokens: 0, processing_ms: 0 };
  const document = {
    org: "org",
    id,
    version: 1,
    content,
    metadata: {},
    entity_ids: [],
    created_at: at,
    updated_at: at,
    ...sizes,
  };
  return { id, score, semanticScore: 0.9, keywordScore: 0.5, document };
};
const CODE = hit("code", "The code for the bike shed is 4418.", "2026-05-01");
const ASKED = "What is the code for the bike shed?";

it.each([
  ["the same with another value", "The code for the bike shed is now 6073.", "2026-06-01", true],
  ["a mention of the topic", "I spent an hour tidying the bike shed this morning.", "2026-06-01", false],
  ["the same on the same day", "The code for the bike shed is now 6073.", "2026-05-01", false],
  ["the same earlier", "The code for the bike shed is 1000.", "2026-01-01", false],
])("tells whether it says anew: %s", (_case, content, day, says) => {
  const found = restatementsAmong([CODE, hit("other", content, day)], new Query(ASKED), "open");
  expect(found.get("code")).toBe(says ? "other" : undefined);
});

it.each([
  ["What is the code for the bike shed?", "open", false],
  ["What is the code for the bike shed these days?", "now", true],
] as const)("is more lenient where the question asks for what holds now: %s", (query, time, says) => {
  const said = hit("said", "Bike shed: 4418, said the caretaker yesterday evening.", "2026-05-01");
  const later = hit("later", "Shed has 6073 on its new lock, thank goodness for that.", "2026-06-01");
  expect(restatementsAmong([said, later], new Query(query), time).has("said")).toBe(says);
});

it.each([
  ["Are we going to Lisbon?", true],
  ["Where are we going in February?", false],
])("puts a denial of the same thing first where the question asks for yes or no: %s", (query, says) => {
  const plan = hit("plan", "Thalia wants a week in Lisbon with me in February.", "2026-01-01");
  const off = hit("off", "Well, it's off. Lisbon has to wait until her ankle is mended.", "2026-02-01");
  expect(restatementsAmong([plan, off], new Query(query), "open").has("plan")).toBe(says);
});

it("does not count a text that answers the question less well", () => {
  const weak = hit("weak", "The code for the bike shed is now 6073.", "2026-06-01", 0.4);
  expect(restatementsAmong([CODE, weak], new Query(ASKED), "open").size).toBe(0);
});

it("takes the latest of several texts that say the same thing anew", () => {
  const later = ["2026-06-01", "2026-08-01", "2026-07-01"].map((day, index) =>
    hit(day, `The code for the bike shed is ${index}.`, day),
  );
  expect(restatementsAmong([CODE, ...later], new Query(ASKED), "open").get("code")).toBe("2026-08-01");
});

it("moves a leader before what it replaces, which is capped below it; other scores stay", () => {
  const [old, other, fresh] = [0.8, 0.7, 0.6].map((score, index) => hit(`m${index}`, "text", "2026-01-01", score));
  const ordered = leadersFirst([old!, other!, fresh!], ({ id }) => (id === "m0" ? fresh : undefined));
  expect(ordered.map(({ id }) => id)).toEqual(["m2", "m0", "m1"]);
  expect(ordered[0]?.score).toBe(0.8);
  expect(ordered[1]?.score).toBeLessThan(0.8);
  expect(ordered[1]?.score).toBeGreaterThan(0.799);
  expect(ordered[2]?.score).toBe(0.7);
});

it("follows leaders of leaders, and ends where they lead each other", () => {
  const hits = ["a", "b", "c"].map((id) => hit(id, "text", "2026-01-01"));
  const next = new Map([
    ["a", "b"],
    ["b", "c"],
    ["c", "a"],
  ]);
  const byId = new Map(hits.map((one) => [one.id, one]));
  const ordered = leadersFirst(hits, ({ id }) => byId.get(next.get(id) ?? ""));
  expect(ordered.map(({ id }) => id)).toEqual(["c", "b", "a"]);
});

interface Pair {
  kind: "mention" | "update";
  style: "development" | "test";
  question: string;
  older: string;
  newer: string;
}

describe("pairs of statements in five languages", () => {
  const pairs: Pair[] = JSON.parse(readFileSync("test/fixtures/mentions.json", "utf8"));
  const shareOf = (kind: Pair["kind"], style: Pair["style"]) => {
    const own = pairs.filter((pair) => pair.kind === kind && pair.style === style);
    const restated = own.filter(({ question, older, newer }) => {
      const hits = [hit("older", older, "2026-05-01"), hit("newer", newer, "2026-11-01")];
      return restatementsAmong(hits, new Query(question), "open").has("older");
    });
    return restated.length / own.length;
  };

  it.each(["development", "test"] as const)("mentions say nothing anew (%s)", (style) => {
    expect(shareOf("mention", style)).toBeLessThanOrEqual(0.05);
  });

  // Facts tell some of the others.
  it.each([
    ["development", 0.9],
    ["test", 0.7],
  ] as const)("updates do (%s)", (style, share) => {
    expect(shareOf("update", style)).toBeGreaterThanOrEqual(share);
  });
});
