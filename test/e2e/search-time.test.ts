import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

const PLAIN = { extract_facts: false, extract_entities: false, compress: false };
const USER = "ada";
const NOW = "2026-11-20T09:00:00Z";

/** Memories of these days; no question below shares a word with the memory that it must find. */
const MEMORIES: [at: string, content: string][] = [
  ["2026-03-12T12:00:00Z", "Our greyhound Biscuit had surgery."],
  ["2026-11-11T12:00:00Z", "Dinner with Renée at the Georgian place."],
  ["2026-11-12T12:00:00Z", "The dentist filled a cavity."],
  ["2026-11-19T12:00:00Z", "The parcel from Lisbon arrived."],
];
const OTHERS = Array.from({ length: 120 }, (_, index) => `There is chess at the club, round ${index}.`);

let target: Target;
let caller: Caller;

beforeAll(async () => {
  target = await openTarget();
  caller = await target.organization();
  const memories = [
    ...MEMORIES.map(([occurred_at, content]) => ({ content, occurred_at })),
    ...OTHERS.map((content) => ({ content, metadata: { occurred_at: "2026-07-01T12:00:00Z" } })),
  ].map((memory) => ({ ...memory, user_id: USER }));
  for (let start = 0; start < memories.length; start += 100) {
    const batch = { memories: memories.slice(start, start + 100), options: PLAIN };
    expect((await caller.post("/memories/batch", batch)).body.data.failed).toEqual([]);
  }
  await eventually(async () => expect(await answers.search("chess")).not.toEqual([]));
});
afterAll(() => target.close());

const contentsOf = (items: { content: string }[]) => items.map(({ content }) => content);

const answers = {
  async search(q: string) {
    const query = new URLSearchParams({ q, user_id: USER, now: NOW, threshold: "0" });
    return contentsOf((await caller.get(`/search?${query}`)).body.data.results);
  },
  async filtered(query: string) {
    const options = { threshold: 0 };
    const body = { query, filters: { user_id: USER }, options, now: NOW };
    return contentsOf((await caller.post("/search", body)).body.data.results);
  },
  async recall(query: string) {
    const body = { query, user_id: USER, now: NOW };
    return contentsOf((await caller.post("/recall", body)).body.data.items);
  },
};

describe.each(["search", "filtered", "recall"] as const)("%s", (mode) => {
  it.each([
    ["What did I do last week?", [1, 2]],
    ["Was habe ich gestern bekommen?", [3]],
    ["¿Qué pasó en marzo?", [0]],
  ])("finds memories of the time that the query names: %s", async (question, expected) => {
    const contents = expected.map((index) => MEMORIES[index]?.[1]);
    const found = await answers[mode](question);
    expect(found.slice(0, contents.length).toSorted()).toEqual(contents.toSorted());
  });
});

it("omits no result when words of the query look like a time filter but are not", async () => {
  expect(await answers.search("Who sent the parcel that came yesterday from Lisbon?")).toContain(MEMORIES[3]?.[1]);
  expect((await answers.search("greyhound surgery last week"))[0]).toBe(MEMORIES[0]?.[1]);
});

it("takes a time in the metadata for the event time", async () => {
  const query = new URLSearchParams({ q: "chess", user_id: USER, occurred_before: "2026-07-02" });
  const { results } = (await caller.get(`/search?${query}`)).body.data;
  expect(results.length).toBeGreaterThan(0);
  expect(Date.parse(results[0].occurred_at)).toBe(Date.parse("2026-07-01T12:00:00Z"));
});
