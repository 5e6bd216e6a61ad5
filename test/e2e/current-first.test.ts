import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Caller, openTarget, type Target } from "../support/target.ts";

let target: Target;
let caller: Caller;

beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());
beforeEach(async () => {
  caller = await target.organization();
});

interface Result {
  id: string;
  score?: number;
  superseded_by?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of many routes
async function done(answer: ReturnType<Caller["get"]>): Promise<any> {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body.data ?? body;
}

async function store(content: string, occurred_at: string): Promise<string> {
  const { id } = await done(caller.post("/memories", { content, occurred_at, user_id: "ann" }));
  return id;
}

/** The searches of a user's memories by route. */
const SEARCHES: [string, (query: string, options?: object) => Promise<Result[]>][] = [
  [
    "GET /search",
    async (q, options = {}) => {
      const parameters = new URLSearchParams({ q, user_id: "ann", ...options });
      return (await done(caller.get(`/search?${parameters}`))).results;
    },
  ],
  ...["/search", "/search/advanced", "/search/hybrid", "/search/enhanced"].map(
    (route): [string, (query: string, options?: object) => Promise<Result[]>] => [
      `POST ${route}`,
      async (query, options = {}) => {
        const body = { query, filters: { user_id: "ann" }, ...options };
        return (await done(caller.post(route, body))).results;
      },
    ],
  ),
  [
    "POST /v3/memories/search",
    async (query) => (await done(caller.post("/v3/memories/search", { query, filters: { user_id: "ann" } }))).results,
  ],
];
const OVER_TIME = SEARCHES.filter(([route]) => !route.includes("/v3"));

const idsOf = (results: Result[]) => results.map(({ id }) => id);

describe("a superseded value", () => {
  const ASKED = "Where do I live?";
  let zurich: string;
  let berlin: string;

  beforeEach(async () => {
    // The newer statement is stored first, because the event time counts, not the time of storage.
    berlin = await store("I live in Berlin.", "2026-06-01T10:00:00Z");
    zurich = await store("I live in Zurich.", "2026-01-01T10:00:00Z");
  });

  it.each(SEARCHES)("ranks directly behind the current one (%s)", async (_route, search) => {
    expect(idsOf(await search(ASKED))).toEqual([berlin, zurich]);
  });

  it.each(OVER_TIME)("names its successor, and scores stay in order (%s)", async (_route, search) => {
    const [first, second] = await search(ASKED);
    expect(first?.superseded_by).toBeUndefined();
    expect(second?.superseded_by).toBe(berlin);
    expect(second?.score ?? 0).toBeLessThanOrEqual(first?.score ?? 0);
  });

  it.each(OVER_TIME)("is excluded by current_only (%s)", async (_route, search) => {
    expect(idsOf(await search(ASKED, { current_only: true }))).toEqual([berlin]);
  });

  it.each(OVER_TIME)("is returned for an earlier as_of (%s)", async (_route, search) => {
    const [first, ...others] = await search(ASKED, { as_of: "2026-03-01T00:00:00Z" });
    expect(first).toMatchObject({ id: zurich });
    expect(first?.superseded_by).toBeUndefined();
    expect(others).toEqual([]);
  });

  it("is current again once its successor is deleted", async () => {
    await done(caller.delete(`/memories/${berlin}`));
    for (const [, search] of OVER_TIME) expect(await search(ASKED)).toMatchObject([{ id: zurich }]);
  });

  it("is not affected by statements of other users", async () => {
    const { id } = await done(
      caller.post("/memories", { content: "I live in Oslo.", occurred_at: "2026-09-01T10:00:00Z", user_id: "bob" }),
    );
    expect(idsOf(await SEARCHES[0]![1](ASKED))).toEqual([berlin, zurich]);
    const { results } = await done(caller.post("/search", { query: ASKED }));
    const successors = new Map(results.map((result: Result) => [result.id, result.superseded_by]));
    expect([zurich, berlin, id].map((each) => successors.get(each))).toEqual([berlin, undefined, undefined]);
  });
});

describe("a successor that the search itself does not find", () => {
  const ASKED = "Did I move to Rome?";
  /** As many as a search reads, and all nearer to the question than the successor. */
  const OTHERS = 100;
  let rome: string;
  let paris: string;

  beforeEach(async () => {
    rome = await store("I moved from Paris to Rome.", "2026-01-01T10:00:00Z");
    paris = await store("I live in Paris again, near the canal.", "2026-06-01T10:00:00Z");
    const others = Array.from({ length: OTHERS }, (_, number) => `Move ${number} to Rome: did the crates fit?`);
    const memories = others.map((content) => ({ content, user_id: "ann", options: { extract_facts: false } }));
    await done(caller.post("/memories/batch", { memories }));
  });

  it("ranks directly before the superseded value", async () => {
    for (const [route, search] of SEARCHES) {
      const found = idsOf(await search(ASKED, route === "GET /search" ? { limit: 50 } : { options: { limit: 50 } }));
      expect(found.indexOf(paris), route).toBe(found.indexOf(rome) - 1);
      expect(found, route).toContain(rome);
    }
  });

  it("is left out if the filters exclude it", async () => {
    const occurred_before = "2026-03-01T00:00:00Z";
    for (const [route, search] of OVER_TIME) {
      const filters = route === "GET /search" ? { occurred_before } : { filters: { user_id: "ann", occurred_before } };
      expect(idsOf(await search(ASKED, filters)), route).toEqual([rome]);
    }
  });
});

describe("statements about the same thing", () => {
  it.each(OVER_TIME)("rank the latest first if they match about equally well (%s)", async (_route, search) => {
    const later = await store("Garden shed roof panels: the green corrugated ones.", "2026-06-01T10:00:00Z");
    const earlier = await store("Garden shed roof panels: the black corrugated ones.", "2026-01-01T10:00:00Z");
    expect(idsOf(await search("Which panels does the garden shed roof get?"))).toEqual([later, earlier]);
  });

  it.each(OVER_TIME)("rank a later correction first if the question is about the past (%s)", async (_route, search) => {
    const wrong = await store("The party gold after the dragon hoard was 1,940.", "2026-01-01T10:00:00Z");
    const right = await store("Correction: the party gold after the dragon hoard was 1,340.", "2026-06-01T10:00:00Z");
    expect(idsOf(await search("How much party gold was there after the dragon hoard?"))).toEqual([right, wrong]);
  });

  it.each(OVER_TIME)("rank what the assistant said first if the question asks for it (%s)", async (_route, search) => {
    const own = await store("You mentioned the yellow cable for the garden lamp.", "2026-01-01T10:00:00Z");
    const content = "Mentioning it now: take the yellow cable for the garden lamp, as it is rated for the rain.";
    const metadata = { speaker: "assistant" };
    const { id: advice } = await done(caller.post("/memories", { content, metadata, user_id: "ann" }));
    expect(idsOf(await search("Which yellow cable did you mention for the garden lamp?"))).toEqual([advice, own]);
    expect(idsOf(await search("Which yellow cable was mentioned for the garden lamp?"))).toEqual([own, advice]);
  });

  it.each(OVER_TIME)("rank a denial first if the question asks for yes or no (%s)", async (_route, search) => {
    const planned = await store("The choir concert in Turku harbour takes place on Friday.", "2026-01-01T10:00:00Z");
    const denied = await store(
      "The choir concert in Turku harbour did not take place, as the choir caught colds.",
      "2026-01-01T10:00:00Z",
    );
    expect(idsOf(await search("Did the choir concert in Turku harbour take place?"))).toEqual([denied, planned]);
    expect(new Set(idsOf(await search("choir concert Turku harbour")))).toEqual(new Set([denied, planned]));
  });

  it.each(OVER_TIME)(
    "rank behind others if they are about the end of the time asked about (%s)",
    async (_route, search) => {
      const earlier = await store("Garden shed roof panels: the old corrugated ones.", "2026-01-01T10:00:00Z");
      const later = await store("Garden shed roof panels: the blue corrugated ones.", "2026-06-01T10:00:00Z");
      expect(idsOf(await search("Which panels did the garden shed roof get before the blue ones?"))).toEqual([
        earlier,
        later,
      ]);
    },
  );
});

describe("a statement without a slot", () => {
  const ASKED = "affitto garage";
  let former: string;
  let present: string;

  beforeEach(async () => {
    present = await store("L'affitto del garage costa 750 euro al mese.", "2026-06-01T10:00:00Z");
    former = await store("L'affitto del garage costa 700 euro al mese.", "2026-01-01T10:00:00Z");
  });

  it.each(OVER_TIME)("is ended by no other statement (%s)", async (_route, search) => {
    for (const options of [{}, { current_only: true }, { as_of: "2026-07-01T00:00:00Z" }]) {
      const found = await search(ASKED, options);
      expect(new Set(idsOf(found))).toEqual(new Set([former, present]));
      expect(found.map(({ superseded_by }) => superseded_by)).toEqual([undefined, undefined]);
    }
  });
});

it("rejects an invalid as_of", async () => {
  const { status } = await caller.get("/search?q=tea&as_of=yesterday");
  expect(status).toBe(400);
  expect((await caller.post("/search", { query: "tea", as_of: "2026-13-01" })).status).toBe(400);
});
