import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { queryEmbeddingsOf } from "../../shared/domain/retrieval/metrics.ts";
import { DEPLOYMENT, readTotal } from "../../shared/runtime/stats/series.ts";
import { expectDocumented, routeAt } from "../support/documented.ts";
import { type Answered, createOrganization, type TestedService } from "../support/service.ts";
import { IS_DEPLOYED, onceAllKnow, openTestedService } from "../support/target.ts";

let service: TestedService;
let key: string;

beforeAll(async () => {
  service = await openTestedService();
});
afterAll(() => service.close());
beforeEach(async () => {
  ({ key } = await createOrganization(service));
});

/** Sends a request with the key of the test's organization. Every answer must be documented in openapi.json. */
async function ask(method: string, path: string, body?: unknown, as = key): Promise<Answered> {
  const answer = await service.request(method, path, { key: as, body });
  expectDocumented(routeAt(method, path), answer);
  return answer;
}

/** Returns the data of an answer that must be a success. */
async function succeed(method: string, path: string, body?: unknown) {
  const answer = await ask(method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}

async function refusal(method: string, path: string, body?: unknown): Promise<[number, string]> {
  const { status, body: answer } = await ask(method, path, body);
  return [status, answer.error?.code];
}

interface Draft {
  content: string;
  [field: string]: unknown;
}

const PLAIN = { extract_facts: false, extract_entities: false, compress: false };

/** Stores memories one after the other and returns their ids. */
async function store(...drafts: (Draft | string)[]): Promise<string[]> {
  const ids: string[] = [];
  for (const draft of drafts) {
    const body = typeof draft === "string" ? { content: draft } : draft;
    ids.push((await succeed("POST", "/memories", { options: PLAIN, ...body })).id);
  }
  return ids;
}

const idsOf = ({ results }: { results: { id: string }[] }) => results.map(({ id }) => id);

const TEA = "Ada drinks green tea every morning.";
const COFFEE = "Bob drinks black coffee at noon.";
const BIKE = "Carol repaired her bicycle in the garage.";

describe("plain search", () => {
  it("finds by words, marks them and shows how the query was understood", async () => {
    await store(TEA, COFFEE, BIKE);
    const simple = await succeed("GET", "/search?q=Who%20drank%20tea%3F&threshold=0.55");
    expect(simple.results[0]).toMatchObject({
      content: TEA,
      highlight: "Ada <em>drinks</em> green <em>tea</em> every morning.",
    });
    expect(simple.search_metadata).toMatchObject({ query_tokens: 2, similarity_threshold_used: 0.55 });
    const filtered = await succeed("POST", "/search", {
      query: "Who drank tea in Zurich?",
      options: { threshold: 0.55 },
    });
    expect(filtered.results[0].highlight).toContain("<em>tea</em>");
    expect(filtered.query_analysis).toMatchObject({ tokens: ["drink", "tea", "zurich"], semantic_intent: "person" });
    expect(filtered.query_analysis.entities).toContainEqual({ name: "Zurich", type: expect.any(String) });
  });

  it("filters by strings, lists, dates and nested metadata", async () => {
    const [tea, coffee] = await store(
      { content: TEA, user_id: "ada", category: "drinks", type: "habit", metadata: { place: { city: "Oslo" } } },
      { content: COFFEE, user_id: "bob", category: "drinks", metadata: { place: { city: "Rome" }, tags: ["hot"] } },
      { content: "Carol drinks water.", user_id: "carol", category: "health" },
    );
    const found = async (filters: object) => {
      const data = await succeed("POST", "/search", { query: "drinks", filters, options: { threshold: 0 } });
      return idsOf(data).sort();
    };
    const both = [tea, coffee].sort();
    expect(await found({ user_id: "ada" })).toEqual([tea]);
    expect(await found({ user_id: ["ada", "bob"] })).toEqual(both);
    expect(await found({ category: "drinks", type: ["habit", "none"] })).toEqual([tea]);
    expect(await found({ metadata: { place: { city: "Rome" } } })).toEqual([coffee]);
    expect(await found({ metadata: { "place.city": "Oslo" } })).toEqual([tea]);
    expect(await found({ metadata: { tags: "hot" } })).toEqual([coffee]);
    expect(await found(JSON.parse('{"metadata": {"__proto__": "hot"}}'))).toEqual([]);
    expect(await found({ created_after: "2020-01-01" })).toHaveLength(3);
    expect(await found({ created_before: "2020-01-01T00:00:00Z" })).toEqual([]);
    expect(idsOf(await succeed("GET", "/search?q=drinks&threshold=0&user_id=bob&category=drinks"))).toEqual([coffee]);
  });

  it("orders the relevant results by date, and pages through them", async () => {
    const ids = await store("tea one", "tea two", "tea three");
    const page = (options: object) =>
      succeed("POST", "/search", { query: "tea", options: { threshold: 0.6, ...options } });
    expect(idsOf(await page({ sort: "created_at", order: "asc" }))).toEqual(ids);
    expect(idsOf(await page({ sort: "created_at" }))).toEqual(ids.toReversed());
    await succeed("PUT", `/memories/${ids[0]}`, { metadata: { touched: true } });
    expect(idsOf(await page({ sort: "updated_at" }))[0]).toBe(ids[0]);
    const first = await page({ sort: "created_at", order: "asc", limit: 2 });
    const second = await page({ sort: "created_at", order: "asc", limit: 2, offset: 2 });
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids);
    expect(first.pagination).toEqual({ total: 3, limit: 2, offset: 0, has_next: true });
    expect(second.pagination).toEqual({ total: 3, limit: 2, offset: 2, has_next: false });
    expect(idsOf(await page({ offset: 10_000 }))).toEqual([]);
  });

  it("omits content and metadata if the request says so", async () => {
    await store({ content: TEA, metadata: { a: 1 } });
    const [whole] = (await succeed("GET", "/search?q=tea&threshold=0")).results;
    expect(whole).toMatchObject({ content: TEA, metadata: { a: 1 } });
    const query = "/search?q=tea&threshold=0&include_content=false&include_metadata=false";
    const options = { threshold: 0, include_content: false, include_metadata: false };
    for (const data of [await succeed("GET", query), await succeed("POST", "/search", { query: "tea", options })]) {
      expect(data.results).toHaveLength(1);
      expect(data.results[0]).not.toHaveProperty("content");
      expect(data.results[0]).not.toHaveProperty("metadata");
    }
  });

  it("returns an empty list if nothing is relevant or nothing is stored", async () => {
    const nothing = { results: [], pagination: { total: 0, limit: 10, offset: 0, has_next: false } };
    expect(await succeed("GET", "/search?q=tea")).toMatchObject(nothing);
    await store(BIKE);
    expect(await succeed("POST", "/search", { query: "quantum chromodynamics" })).toMatchObject(nothing);
  });

  it("omits a memory as soon as it expires", async () => {
    const [id] = await store(TEA);
    expect(idsOf(await succeed("GET", "/search?q=green+tea"))).toEqual([id]);
    await succeed("POST", `/memories/${id}/expire`, {});
    expect(idsOf(await succeed("GET", "/search?q=green+tea&threshold=0"))).toEqual([]);
  });

  it("ranks the better rated of equally relevant memories first", async () => {
    const [first, second] = await store(TEA, TEA);
    const search = async () => idsOf(await succeed("GET", "/search?q=green+tea"));
    const [before] = await search();
    const other = before === first ? second : first;
    await succeed("POST", `/memories/${other}/feedback`, { rating: 5 });
    expect((await search())[0]).toBe(other);
    await succeed("POST", `/memories/${other}/feedback`, { rating: 1 });
    await succeed("POST", `/memories/${other}/feedback`, { rating: 1 });
    expect((await search())[0]).toBe(before);
  });

  it.each([
    [
      "among many that are as near",
      Array.from({ length: 14 }, (_, place) => `Ada drinks green tea from cup ${place}.`),
    ],
    ["where it is the only one", ["Bob rides a red bicycle to the lake."]],
  ])(
    "removes a memory that five people rate worst from the first page, %s, until they withdraw their ratings",
    async (_name, others) => {
      const [best] = await store("Ada drinks green tea.", ...others);
      const pages = [
        () => succeed("GET", "/search?q=Does+Ada+drink+green+tea%3F&limit=10"),
        () => succeed("POST", "/search", { query: "Does Ada drink green tea?", options: { limit: 10 } }),
        () => succeed("POST", "/search/hybrid", { query: "Does Ada drink green tea?", options: { limit: 10 } }),
      ];
      for (const page of pages) expect(idsOf(await page())).toContain(best);
      const given: string[] = [];
      for (let rating = 1; rating <= 5; rating++) {
        given.push((await succeed("POST", `/memories/${best}/feedback`, { rating: 1 })).id);
      }
      for (const page of pages) expect(idsOf(await page())).not.toContain(best);
      for (const id of given) await succeed("DELETE", `/memories/${best}/feedback/${id}`);
      for (const page of pages) expect(idsOf(await page())).toContain(best);
    },
  );
});

describe("advanced search", () => {
  it("boosts fields that contain the query's words", async () => {
    const [one, other] = await store(
      { content: "tea with milk and sugar", category: "drinks" },
      { content: "milk and sugar for tea", category: "tea" },
    );
    const search = (ranking: object) =>
      succeed("POST", "/search/advanced", { query: "tea", ranking, options: { threshold: 0.5 } });
    const boosted = await search({ boost_fields: { category: 2 } });
    expect(idsOf(boosted)).toEqual([other, one]);
    const [best] = boosted.results;
    expect(best.boosted_score).toBeCloseTo(2 * best.score);
    expect(boosted.results.map(({ rank }: { rank: number }) => rank)).toEqual([1, 2]);
    expect(idsOf(await search({ boost_fields: { category: 0.5 } }))).toEqual([one, other]);
    expect(idsOf(await search({ sort_by: "created_at", order: "asc" }))).toEqual([one, other]);
  });

  it("counts all matches, not only those of the page", async () => {
    await store(
      { content: "tea one", category: "drinks", user_id: "ada" },
      { content: "tea two", category: "drinks", user_id: "bob" },
      { content: "tea three", category: "notes" },
      { content: BIKE, category: "repairs", user_id: "carol" },
    );
    const aggregation = { by_category: true, by_user: true, by_date: { interval: "year" } };
    const request = { query: "tea", aggregation, options: { limit: 1 } };
    const { results, aggregations, pagination } = await succeed("POST", "/search/advanced", request);
    expect(results).toHaveLength(1);
    expect(pagination).toEqual({ total: 3, limit: 1, offset: 0, has_next: true });
    expect(aggregations).toEqual({
      by_category: { drinks: 2, notes: 1 },
      by_user: { ada: 1, bob: 1 },
      by_date: [{ date: expect.stringMatching(/^\d{4}-01-01T00:00:00.000Z$/), count: 3 }],
    });
    expect((await succeed("POST", "/search/advanced", { query: "tea" })).aggregations).toEqual({});
  });
});

describe("hybrid search", () => {
  const search = (body: object) => succeed("POST", "/search/hybrid", { query: "green tea", ...body });

  it("shows the scores by meaning and by words, and weights them", async () => {
    await store(TEA, COFFEE, BIKE);
    const { results, search_breakdown, weights } = await search({ options: { threshold: 0 } });
    expect(results[0]).toMatchObject({
      content: TEA,
      explanation: expect.stringMatching(/^meaning .* words .*matching green, tea/),
    });
    for (const { hybrid_score, semantic_score, keyword_score } of results) {
      expect(hybrid_score).toBeCloseTo(0.8 * semantic_score + 0.2 * keyword_score);
    }
    expect(search_breakdown).toMatchObject({ keyword_matches: 1, total_documents_searched: 3 });
    expect(weights).toEqual({ semantic_weight: 0.8, keyword_weight: 0.2, normalized: false });
  });

  it("finds by words alone or by meaning alone", async () => {
    await store(TEA, COFFEE);
    const [words] = (await search({ semantic_weight: 0, keyword_weight: 1 })).results;
    expect(words.hybrid_score).toBe(words.keyword_score);
    const [meaning] = (await search({ semantic_weight: 1, keyword_weight: 0 })).results;
    expect(meaning.hybrid_score).toBe(meaning.semantic_score);
  });

  it("pages through the results", async () => {
    const ids = await store("tea one", "tea two", "tea three");
    const page = (offset: number) => search({ query: "tea", options: { threshold: 0.3, limit: 2, offset } });
    const pages = [await page(0), await page(2), await page(4)];
    expect(pages.flatMap(idsOf).toSorted()).toEqual(ids.toSorted());
    expect(pages.map(({ pagination }) => pagination)).toEqual([
      { total: 3, limit: 2, offset: 0, has_next: true },
      { total: 3, limit: 2, offset: 2, has_next: false },
      { total: 3, limit: 2, offset: 4, has_next: false },
    ]);
  });

  it("normalizes weights and says so", async () => {
    await store(TEA);
    const { weights } = await search({ semantic_weight: 3, keyword_weight: 1 });
    expect(weights).toEqual({ semantic_weight: 0.75, keyword_weight: 0.25, normalized: true });
  });

  it("omits explanations if the request says so, and searches only what the filters match", async () => {
    await store({ content: TEA, user_id: "ada" }, { content: TEA, user_id: "bob" }, BIKE);
    const options = { include_explanation: false, threshold: 0 };
    const { results, search_breakdown } = await search({ filters: { user_id: "ada" }, options });
    expect(results).toHaveLength(1);
    expect(results[0]).not.toHaveProperty("explanation");
    expect(search_breakdown.total_documents_searched).toBe(1);
  });

  it.each([
    { semantic_weight: -0.1 },
    { keyword_weight: 1001 },
    { semantic_weight: 0, keyword_weight: 0 },
    { semantic_weight: "1" },
  ])("refuses $semantic_weight and $keyword_weight", async (weights) => {
    expect(await refusal("POST", "/search/hybrid", { query: "tea", ...weights })).toEqual([400, "VALIDATION_ERROR"]);
  });
});

describe("enhanced search", () => {
  const search = (body: object) => succeed("POST", "/search/enhanced", { query: "pottery class", ...body });
  const CLASS = "Mia signed up for a pottery class on Elm Street.";
  const AFTER = "She was late because her tram broke down.";
  const VASE = "Mia gave her sister a blue vase.";

  /** Stores three memories of one session; the last two share no word with the query. */
  const storeSession = () => {
    const session = { user_id: "mia", metadata: { session_id: "s1" } };
    return store({ content: CLASS, ...session }, { content: AFTER, ...session }, { content: VASE, ...session });
  };

  it("finds the neighbours of a match, and shows the path to them", async () => {
    const [start, next] = await storeSession();
    const { mode, results, spreading_stats } = await search({ options: { include_path: true } });
    expect(mode).toBe("spreading");
    expect(idsOf({ results })[0]).toBe(start);
    const reached = results.find(({ id }: { id: string }) => id === next);
    expect(reached).toMatchObject({ content: AFTER, hop_distance: 1 });
    expect(reached.activation_path.map(({ node, hop }: { node: string; hop: number }) => [node, hop])).toEqual([
      [start, 0],
      [next, 1],
    ]);
    for (const { activation_score, score } of results) {
      for (const value of [activation_score, score]) expect(value).toBeGreaterThan(0);
      for (const value of [activation_score, score]) expect(value).toBeLessThanOrEqual(1);
    }
    expect(spreading_stats.initial_nodes).toBeGreaterThan(0);
    expect(spreading_stats.activated_nodes).toBeGreaterThanOrEqual(results.length);
    expect(spreading_stats.total_hops).toBeLessThanOrEqual(3);
    expect(spreading_stats.propagation_efficiency).toBeGreaterThan(0);
    expect(spreading_stats.propagation_efficiency).toBeLessThanOrEqual(1);
  });

  it("finds memories that name the same entity, across sessions", async () => {
    const extracting = { extract_facts: true, extract_entities: true, compress: false };
    const [start, other] = await store(
      { content: "Pottery class with Mia Torres starts on Monday.", user_id: "ann", options: extracting },
      { content: "Mia Torres collects stamps.", user_id: "ben", options: extracting },
      { content: "Rain is expected tomorrow.", user_id: "cal" },
    );
    const { results } = await search({ options: { include_path: true } });
    expect(idsOf({ results })).toEqual([start, other]);
    const path = results[1].activation_path.map(({ node }: { node: string }) => node);
    expect(path).toEqual([start, expect.stringMatching(/^ent_/), other]);
  });

  it("follows no more paths than the request allows", async () => {
    const [start, next] = await storeSession();
    const reached = async (parameters: object) => idsOf(await search({ parameters }));
    // Without a threshold in the request, the answer includes the results of plain search, among them `next`.
    expect(await reached({ budget: 0, threshold: 0.1 })).not.toContain(next);
    expect(await reached({ decay_factor: 0, threshold: 0.1 })).not.toContain(next);
    expect(await reached({ threshold: 1 })).toEqual([]);
    const { spreading_stats } = await search({ parameters: { max_hops: 1 } });
    expect(spreading_stats.total_hops).toBe(1);
    const { results } = await search({ options: { limit: 1, include_content: false, include_metadata: false } });
    expect(idsOf({ results })).toEqual([start]);
    for (const field of ["content", "metadata", "activation_path"]) expect(results[0]).not.toHaveProperty(field);
  });

  it("returns every result of plain search, unless the request has a threshold", async () => {
    await store(CLASS, TEA, COFFEE, BIKE, "Carol and Ada and Bob repaired the garage on Elm Street in the morning.");
    const queries = [
      "xylophone qwertz street",
      "who or what in all the world was in the garage",
      "coffee zebra lamp moon",
    ];
    for (const query of queries) {
      const plain = idsOf(await succeed("POST", "/search", { query }));
      expect(plain).not.toEqual([]);
      expect(idsOf(await search({ query }))).toEqual(expect.arrayContaining(plain));
      const inQuery = await succeed("GET", `/search/enhanced?q=${encodeURIComponent(query)}`);
      expect(idsOf(inQuery)).toEqual(expect.arrayContaining(plain));
      expect(idsOf(await search({ query, parameters: { threshold: 1 } }))).toEqual([]);
    }
  });

  it("stays within the filters on every hop", async () => {
    const [start] = await storeSession();
    const [kept] = await store({ content: CLASS, user_id: "mia", category: "hobby" });
    expect(idsOf(await search({}))).toContain(start);
    expect(idsOf(await search({ filters: { category: "hobby" } }))).toEqual([kept]);
    const query = "/search/enhanced?q=pottery+class&category=hobby&include_path=true";
    const { results } = await succeed("GET", query);
    expect(idsOf({ results })).toEqual([kept]);
    expect(results[0].activation_path).toEqual([{ node: kept, activation: expect.any(Number), hop: 0 }]);
  });

  it.each(["semantic", "hybrid"])("returns results of the mode %s in the same form", async (mode) => {
    const [start] = await storeSession();
    const { results, spreading_stats, ...rest } = await search({ mode, parameters: { threshold: 0.6 } });
    expect(rest.mode).toBe(mode);
    expect(idsOf({ results })).toEqual([start]);
    expect(results[0]).toMatchObject({ activation_score: results[0].score, hop_distance: 0 });
    expect(spreading_stats).toMatchObject({ initial_nodes: 1, activated_nodes: 1, total_hops: 0 });
  });

  it("returns an empty list if there is no memory, or no relevant one", async () => {
    for (const [method, path, body] of [
      ["GET", "/search/enhanced?q=tea", undefined],
      ["POST", "/search/enhanced", { query: "tea" }],
    ] as const) {
      expect(await refusal(method, path, body)).toEqual([404, "INSUFFICIENT_RESULTS"]);
    }
    expect((await search({ mode: "hybrid" })).results).toEqual([]);
    await store(TEA);
    expect((await search({ query: "quantum chromodynamics" })).results).toEqual([]);
  });

  it.each([
    [{ mode: "magic" }, "INVALID_MODE"],
    [{ mode: 7 }, "INVALID_MODE"],
    [{ parameters: { max_hops: 0 } }, "VALIDATION_ERROR"],
    [{ parameters: { max_hops: 6 } }, "VALIDATION_ERROR"],
    [{ parameters: { max_hops: 1.5 } }, "VALIDATION_ERROR"],
    [{ parameters: { decay_factor: 1.1 } }, "VALIDATION_ERROR"],
    [{ parameters: { decay_factor: -0.1 } }, "VALIDATION_ERROR"],
    [{ parameters: { threshold: -0.1 } }, "VALIDATION_ERROR"],
    [{ parameters: { threshold: 1.1 } }, "VALIDATION_ERROR"],
    [{ parameters: { budget: -1 } }, "VALIDATION_ERROR"],
    [{ parameters: { budget: 11 } }, "VALIDATION_ERROR"],
  ])("refuses %o", async (body, code) => {
    expect(await refusal("POST", "/search/enhanced", { query: "tea", ...body })).toEqual([400, code]);
  });

  it.each([
    ["mode=magic", "INVALID_MODE"],
    ["mode=", "INVALID_MODE"],
    ["max_hops=0", "VALIDATION_ERROR"],
    ["max_hops=6", "VALIDATION_ERROR"],
    ["threshold=2", "VALIDATION_ERROR"],
    ["include_path=maybe", "VALIDATION_ERROR"],
  ])("refuses %s", async (query, code) => {
    expect(await refusal("GET", `/search/enhanced?q=tea&${query}`)).toEqual([400, code]);
  });
});

// The hanging calls are injected into the service of the test's own process, which functions do not share.
describe.skipIf(IS_DEPLOYED)("the time limit (of a service in the test's process)", () => {
  const TIMEOUT_MS = 50;
  /** Gives the keyword search enough time on a busy machine. */
  const EMBEDDING_TEST_MS = 1000;

  beforeEach(async () => {
    await store(TEA);
    await limitTime(TIMEOUT_MS);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await limitTime(5000);
  });

  const limitTime = async (timeout_ms: number) => {
    const body = { settings: { timeout_ms } };
    const { status } = await service.request("PUT", "/search/config", { key: service.adminKey, body });
    expect(status).toBe(200);
  };
  /** A call that never ends and collects its abort signal. */
  const hang = (signals: (AbortSignal | undefined)[], signal: AbortSignal | undefined) => {
    signals.push(signal);
    return new Promise<never>(() => {});
  };
  const SEARCHES = [
    ["GET", "/search?q=tea", undefined],
    ["GET", "/search/enhanced?q=tea", undefined],
    ...["/search", "/search/advanced", "/search/hybrid", "/search/enhanced"].map((path): [string, string, object] => [
      "POST",
      path,
      { query: "tea" },
    ]),
  ] as const;

  it.each(SEARCHES)(
    "answers %s %s by words when the embedder hangs, and aborts the call",
    async (method, path, body) => {
      await limitTime(EMBEDDING_TEST_MS);
      const signals: (AbortSignal | undefined)[] = [];
      vi.spyOn(service.runtime.ports.embedder, "embed").mockImplementation((_texts, { signal }) =>
        hang(signals, signal),
      );
      const { results } = await succeed(method, path, body);
      expect(results).toHaveLength(1);
      expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
    },
  );

  it.each(SEARCHES)(
    "answers %s %s by words when the embedder fails, and counts the failure",
    async (method, path, body) => {
      await limitTime(EMBEDDING_TEST_MS);
      const failed = async () =>
        (await readTotal(service.runtime.ports.records, queryEmbeddingsOf(DEPLOYMENT))).failed ?? 0;
      await service.runtime.rollups.flush();
      const before = await failed();
      vi.spyOn(service.runtime.ports.embedder, "embed").mockRejectedValue(new Error("no embedder"));
      const { results } = await succeed(method, path, body);
      expect(results).toHaveLength(1);
      await service.runtime.rollups.flush();
      expect(await failed()).toBe(before + 1);
    },
  );

  it.each(SEARCHES)("ends %s %s with an error when the index hangs", async (method, path, body) => {
    const signals: (AbortSignal | undefined)[] = [];
    vi.spyOn(service.runtime.ports.search, "search").mockImplementation(({ signal }) => hang(signals, signal));
    expect(await refusal(method, path, body)).toEqual([504, "SEARCH_TIMEOUT"]);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  });

  it("ends a search whose hops take too long, and counts it as failed", async () => {
    await limitTime(500);
    const signals: (AbortSignal | undefined)[] = [];
    vi.spyOn(service.runtime.ports.search, "neighbours").mockImplementation(({ signal }) => hang(signals, signal));
    expect(await refusal("POST", "/search/enhanced", { query: "green tea" })).toEqual([504, "SEARCH_TIMEOUT"]);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
    const statistics = await succeed("GET", "/search/stats");
    expect(statistics).toMatchObject({ total_searches: 1, by_mode: { spreading: 1 }, success_rate: 0 });
    expect(statistics.avg_response_time_ms).toBeGreaterThanOrEqual(490);
  });
});

const POSTS = ["/search", "/search/advanced", "/search/hybrid", "/search/enhanced"];
const LONGEST = "tea ".repeat(250);

describe.each(POSTS)("POST %s", (path) => {
  it.each([
    ["no query", {}, "INVALID_QUERY"],
    ["an empty query", { query: "" }, "INVALID_QUERY"],
    ["white space", { query: " \n\t" }, "INVALID_QUERY"],
    ["punctuation alone", { query: "?!… --" }, "INVALID_QUERY"],
    ["a query that is no string", { query: 7 }, "INVALID_QUERY"],
    ["1,001 characters", { query: `${LONGEST}!` }, "QUERY_TOO_LONG"],
    ["an unknown filter", { query: "tea", filters: { org: "other" } }, "INVALID_FILTERS"],
    ["a filter of another type", { query: "tea", filters: { user_id: 7 } }, "INVALID_FILTERS"],
    ["an empty list", { query: "tea", filters: { user_id: [] } }, "INVALID_FILTERS"],
    ["metadata filters in a list", { query: "tea", filters: { metadata: ["x"] } }, "INVALID_FILTERS"],
    ["a date that is none", { query: "tea", filters: { created_after: "yesterday" } }, "INVALID_FILTERS"],
    ["metadata that is a list", { query: "tea", filters: { metadata: { a: [1] } } }, "INVALID_FILTERS"],
    ["filters that are no object", { query: "tea", filters: "user_id" }, "INVALID_FILTERS"],
    ["a limit of 0", { query: "tea", options: { limit: 0 } }, "VALIDATION_ERROR"],
    ["a limit of 51", { query: "tea", options: { limit: 51 } }, "VALIDATION_ERROR"],
  ])("refuses %s", async (_what, body, code) => {
    expect(await refusal("POST", path, body)).toEqual([400, code]);
  });

  it.each([
    ["1,000 characters", LONGEST],
    ["stop words alone", "who is it and why"],
    ["SQL", "'; DROP TABLE documents; -- tea"],
    ["a query language", 'content:(tea) AND NOT "x* OR {"match_all":{}}'],
    ["emoji", "🎂"],
    ["a lone surrogate", "tea \ud800"],
  ])("accepts %s", async (_what, query) => {
    await store(TEA);
    expect((await ask("POST", path, { query })).status).toBe(200);
  });
});

describe("other bad input", () => {
  it.each([
    ["GET", "/search", "INVALID_QUERY"],
    ["GET", "/search?q=", "INVALID_QUERY"],
    ["GET", `/search?q=${"a".repeat(1001)}`, "QUERY_TOO_LONG"],
    ["GET", "/search?q=tea&threshold=2", "VALIDATION_ERROR"],
    ["GET", "/search?q=tea&limit=ten", "VALIDATION_ERROR"],
    ["GET", "/search?q=tea&user_id=", "INVALID_FILTERS"],
  ])("%s %s", async (method, path, code) => {
    expect(await refusal(method, path)).toEqual([400, code]);
  });

  it.each([
    ...["/search", "/search/advanced", "/search/hybrid"].flatMap((path) =>
      [{ threshold: -0.1 }, { threshold: 1.1 }, { offset: 10_001 }].map((options): [string, object] => [
        path,
        { options },
      ]),
    ),
    ["/search", { options: { sort: "popularity" } }],
    ["/search", { options: { order: "random" } }],
    ["/search/advanced", { ranking: { sort_by: "popularity" } }],
    ["/search/advanced", { ranking: { boost_fields: { colour: 2 } } }],
    ["/search/advanced", { ranking: { boost_fields: { content: -1 } } }],
    ["/search/advanced", { aggregation: { by_date: { interval: "fortnight" } } }],
    ["/search/advanced", { aggregation: { by_date: { limit: 0 } } }],
  ])("POST %s %o", async (path, body) => {
    expect(await refusal("POST", path, { query: "tea", ...body })).toEqual([400, "VALIDATION_ERROR"]);
  });
});

describe("statistics", () => {
  it("are null if nothing was measured", async () => {
    expect(await succeed("GET", "/search/stats")).toEqual({
      total_searches: 0,
      by_mode: { semantic: 0, advanced: 0, hybrid: 0, spreading: 0 },
      avg_response_time_ms: null,
      p95_response_time_ms: null,
      success_rate: null,
      popular_queries: [],
      search_quality: { avg_relevance_score: null, avg_precision: null, avg_recall: null },
    });
  });

  it("count searches by mode, their queries and the ratings of their results", async () => {
    const [tea] = await store(TEA, `${TEA} And Bob.`);
    await succeed("POST", `/memories/${tea}/feedback`, { rating: 5 });
    await succeed("GET", "/search?q=Green+Tea");
    await succeed("POST", "/search", { query: " green   tea" });
    await succeed("POST", "/search/advanced", { query: "bicycle" });
    await succeed("POST", "/search/hybrid", { query: "green tea" });
    await refusal("POST", "/search", { query: "" });
    const statistics = await onceAllKnow(async () => {
      await succeed("GET", "/memories");
      const counted = await succeed("GET", "/search/stats");
      expect(counted.search_quality.avg_precision).toBe(1);
      return counted;
    });
    expect(statistics).toMatchObject({
      total_searches: 4,
      by_mode: { semantic: 2, advanced: 1, hybrid: 1, spreading: 0 },
      success_rate: 1,
      popular_queries: [
        { query: "green tea", count: 3 },
        { query: "bicycle", count: 1 },
      ],
      search_quality: { avg_recall: null },
    });
    expect(statistics.avg_response_time_ms).toBeGreaterThan(0);
    expect(statistics.p95_response_time_ms).toBeGreaterThan(0);
    expect(statistics.search_quality.avg_relevance_score).toBeGreaterThan(0.5);
    const made = await ask("POST", "/api-keys", { name: "reader", permissions: ["search:read"] });
    const asReader = await ask("GET", "/search/stats", undefined, made.body.data.key);
    expect(asReader.body.data).toMatchObject({ total_searches: 4, popular_queries: [] });
    const stranger = await createOrganization(service);
    const { body } = await ask("GET", "/search/stats", undefined, stranger.key);
    expect(body.data).toMatchObject({ total_searches: 0, popular_queries: [] });
  });
});

describe("settings", () => {
  const change = (settings: object, as?: string) => ask("PUT", "/search/config", { settings }, as);
  const initial = {
    limit: 10,
    threshold: 0.7,
    max_hops: 3,
    decay_factor: 0.85,
    semantic_weight: 0.8,
    keyword_weight: 0.2,
  };
  const limits = { max_results: 50, max_query_length: 1000, timeout_ms: 5000 };

  it("have the defaults of the contract, and apply to what a request omits", async () => {
    expect(await succeed("GET", "/search/config")).toEqual({ default_settings: initial, limits });
    await store("tea one", "tea two");
    const changed = await change(
      { limit: 1, threshold: 0.6, semantic_weight: 0.5, keyword_weight: 0.5 },
      service.adminKey,
    );
    expect(changed.body.data).toEqual({
      default_settings: { ...initial, limit: 1, threshold: 0.6, semantic_weight: 0.5, keyword_weight: 0.5 },
      limits,
    });
    expect(await succeed("GET", "/search/config")).toEqual(changed.body.data);
    const simple = await succeed("GET", "/search?q=tea");
    expect(simple.results).toHaveLength(1);
    expect(simple.search_metadata.similarity_threshold_used).toBeCloseTo(0.6 * simple.results[0].score);
    expect((await succeed("POST", "/search", { query: "tea" })).results).toHaveLength(1);
    const { weights } = await succeed("POST", "/search/hybrid", { query: "tea" });
    expect(weights).toEqual({ semantic_weight: 0.5, keyword_weight: 0.5, normalized: false });
    expect((await succeed("POST", "/search/hybrid", { query: "tea", options: { limit: 2 } })).results).toHaveLength(2);
    expect((await change(initial, service.adminKey)).body.data.default_settings).toEqual(initial);
  });

  it("can be changed by the operator only", async () => {
    const { status, body } = await change({ limit: 5 });
    expect([status, body.error?.code]).toEqual([403, "FORBIDDEN"]);
  });

  it.each([
    {},
    { unknown: 1 },
    { limit: 0 },
    { limit: 51 },
    { threshold: 1.5 },
    { max_hops: 0 },
    { max_hops: 6 },
    { decay_factor: -1 },
    { semantic_weight: 0, keyword_weight: 0 },
    { timeout_ms: 1 },
    { limit: "10" },
  ])("refuse %o", async (settings) => {
    const { status, body } = await change(settings, service.adminKey);
    expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
  });
});
