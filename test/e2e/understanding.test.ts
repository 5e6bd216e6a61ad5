import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { startChatCompletions, type Turn } from "../fixtures/chat-completions-server.ts";
import { createOrganization, openService } from "../support/service.ts";
import { Caller, eventually } from "../support/target.ts";

const PLAIN = { extract_facts: false, extract_entities: false, compress: false };
const BY_RULE = { status: "done", provider: "built-in", model: "rules", fallback: false };

interface Opened {
  /** A caller in a separate organization. */
  caller: Caller;
  /** May change the deployment's settings. */
  operator: Caller;
  /** Returns a caller in another organization of the same deployment. */
  other(): Promise<Caller>;
}

/** Opens a separate service, because settings apply to a whole deployment. */
async function open(environment: Record<string, string> = {}): Promise<Opened> {
  const service = await openService(environment);
  onTestFinished(service.close);
  const other = async () => new Caller(service, (await createOrganization(service)).key);
  return { caller: await other(), operator: new Caller(service, service.adminKey), other };
}

/** Opens a service whose language model answers these turns, one per request. */
async function openWithModel(turns: Turn[], environment: Record<string, string> = {}) {
  const server = await startChatCompletions(...turns);
  onTestFinished(server.close);
  const opened = await open({ OPENAI_BASE_URL: server.baseUrl, OPENAI_MODEL: "small", ...environment });
  const asked = () => server.requests.map(({ body }) => body.response_format.json_schema.name);
  return { ...opened, server, asked };
}

async function change(operator: Caller, path: string, settings: object): Promise<void> {
  const { status, body } = await operator.put(path, settings);
  expect(status, JSON.stringify(body)).toBe(200);
}

const setMode = (operator: Caller, mode: object) =>
  change(operator, "/compression/mode", { mode: "balanced", ...mode });
const setPerformance = (operator: Caller, performance: object) =>
  change(operator, "/compression/config", { performance });

async function store(caller: Caller, draft: string | { content: string; [field: string]: unknown }) {
  const { status, body } = await caller.post("/memories", typeof draft === "string" ? { content: draft } : draft);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

const contentsOf = (facts: { content: string }[]) => facts.map(({ content }) => content);
const namesOf = (entities: { name: string }[]) => entities.map(({ name }) => name);

const saying = (...contents: string[]) => ({
  says: JSON.stringify({
    entities: [{ name: "Nora", type: "person" }],
    facts: contents.map((content) => ({ content, confidence: 0.9, category: "event" })),
  }),
});

/** Long enough for a close reading, with something to drop. */
const STORY = `Nora: I grew tomatoes on a balcony, which was really quite a lot of fun, as you can certainly imagine.
I painted seven wooden chairs. I repaired an antique clock. I baked rye bread. Well, I think that it was, all in all, good.
I planted cherry trees. I translated medieval poems. I restored violins. I photographed migrating cranes, you know.
I mapped underground rivers. I carved granite statues. I brewed ginger ale, and honestly it tasted of ginger ale.
I collected copper coins. I welded iron gates. I trained rescue dogs. I composed string quartets. I studied coral reefs.`;

describe("a language model behind an OpenAI-compatible address", () => {
  it("reads memories, which name it as their provider", async () => {
    const { caller, server } = await openWithModel([saying("Nora baked rye bread")], { LANGUAGE_MODEL: "openai" });
    const { facts, entities, processing } = await store(caller, "I baked bread.");
    const told = { content: "Nora baked rye bread", confidence: 0.9, category: "event", fact_ids: [] };
    expect(facts).toEqual([{ id: expect.stringMatching(/^fact_/), ...told }]);
    expect(entities).toEqual([{ id: expect.stringMatching(/^ent_/), name: "Nora", type: "person" }]);
    expect(processing).toEqual({ status: "done", provider: "openai", model: "small", fallback: false });
    expect(server.requests[0]?.body).toMatchObject({ model: "small" });
  });

  it.each([
    ["slowly", [{ ...saying("Nora baked rye bread"), afterMs: 300 }]],
    ["in the wrong shape first", [{ says: '{"facts":' }, saying("Nora baked rye bread")]],
    ["after it was throttled", [{ status: 429, retryAfter: "0" }, saying("Nora baked rye bread")]],
    ["after the line was cut", ["hangs-up", saying("Nora baked rye bread")]],
  ] as [string, Turn[]][])("may answer %s", async (_how, turns) => {
    const { caller } = await openWithModel(turns, { LANGUAGE_MODEL: "openai" });
    const { facts, processing } = await store(caller, "I baked bread.");
    expect(contentsOf(facts)).toEqual(["Nora baked rye bread"]);
    expect(processing).toMatchObject({ provider: "openai", fallback: false });
  });

  it.each([
    ["nonsense", { says: "I would rather talk about bread." }],
    ["the wrong shape", { says: '{"facts":"none"}' }],
    ["that it is throttled", { status: 429 }],
    ["that it is overloaded", { status: 503, retryAfter: "60" }],
    ["that the key is wrong", { status: 401 }],
    ["no completion", { raw: "<html>" }],
    ["by cutting the line", "hangs-up"],
    ["nothing", "silence"],
  ] as [string, Turn][])("that answers %s is replaced by the rules, and memories say so", async (_what, turn) => {
    const { caller, operator } = await openWithModel([turn], { LANGUAGE_MODEL: "openai" });
    await setPerformance(operator, { max_processing_time_ms: 400 });
    const startedAt = performance.now();
    const { facts, processing } = await store(caller, "Nora: I bake rye bread on Sundays.");
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(processing).toEqual({ status: "done", provider: "openai", model: "small", fallback: true });
    expect(contentsOf(facts).join()).toContain("rye bread");
  });

  it("can be set for reading and for checking while the service runs", async () => {
    const { caller, operator, server, asked } = await openWithModel([saying("Nora baked rye bread")]);
    expect((await store(caller, "I baked bread.")).processing).toEqual(BY_RULE);
    expect(server.requests).toEqual([]);
    await setMode(operator, { providers: { fast: { provider: "openai", model: "large", cost_per_1k: 2 } } });
    expect((await store(caller, "I baked bread.")).processing).toMatchObject({ provider: "openai", model: "large" });
    expect(server.requests[0]?.body.model).toBe("large");
    expect(asked()).toEqual(["extract_memory"]);
  });

  it("that checks gets only texts above the complexity threshold", async () => {
    const { caller, operator, asked } = await openWithModel([{ says: '{"verdicts":[]}' }]);
    const providers = { verify: { provider: "openai" } };
    await setMode(operator, { providers, settings: { complexity_threshold: 1 } });
    expect((await store(caller, STORY)).processing).toEqual(BY_RULE);
    expect(asked()).toEqual([]);
    await setMode(operator, { settings: { complexity_threshold: 0, verification_enabled: false } });
    await store(caller, STORY);
    expect(asked()).toEqual([]);
    await setMode(operator, { settings: { verification_enabled: true, confidence_threshold: 0.1 } });
    await store(caller, STORY);
    expect(asked(), "an answer that is not doubtful").toEqual([]);
    await setMode(operator, { settings: { confidence_threshold: 1 } });
    await store(caller, STORY);
    expect(asked()).toContain("verify_facts");
  });

  it("that checks removes the facts that it denies", async () => {
    const verdicts = [
      { fact: 0, supported: true, confidence: 0.9 },
      { fact: 1, supported: false, confidence: 0.9 },
    ];
    const turns = [
      saying("Nora baked rye bread", "Nora won a prize"),
      { says: JSON.stringify({ verdicts }) },
      saying(),
    ];
    const { caller, operator } = await openWithModel(turns, { LANGUAGE_MODEL: "openai" });
    await setMode(operator, { settings: { complexity_threshold: 0, verification_enabled: true, max_iterations: 3 } });
    expect(contentsOf((await store(caller, STORY)).facts)).toEqual(["Nora baked rye bread"]);
  });

  it.each([1, 3])("is asked at most max_iterations times: %d", async (max_iterations) => {
    const turns = STORY.split(". ").map((_, index) => saying(`Nora did thing number ${index}`));
    const { caller, operator, asked } = await openWithModel(turns, { LANGUAGE_MODEL: "openai" });
    const settings = { max_iterations, confidence_threshold: 1, complexity_threshold: 0, verification_enabled: false };
    await setMode(operator, { settings });
    await store(caller, STORY);
    expect(asked()).toEqual(Array(max_iterations).fill("extract_memory"));
    await setMode(operator, { settings: { confidence_threshold: 0 } });
    await store(caller, STORY);
    expect(asked()).toHaveLength(max_iterations + 1);
  });

  it.each([
    [{ fast: { provider: "bedrock", model: "nova", cost_per_1k: 1 } }, "bedrock"],
    [{ verify: { provider: "oracle", model: "x", cost_per_1k: 1 } }, "providers.verify.provider"],
    [{ fast: { cost_per_1k: -1 } }, "providers.fast.cost_per_1k"],
  ])("is refused if it is unreachable or unknown: %j", async (providers, named) => {
    const { operator } = await openWithModel([]);
    const { status, body } = await operator.put("/compression/mode", { mode: "balanced", providers });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringContaining(named) });
    expect((await operator.get("/compression/mode")).body.data.providers.fast.provider).toBe("built-in");
  });
});

describe("the settings", () => {
  it("switch extraction and compression on and off", async () => {
    const { caller, operator } = await open();
    const on = await store(caller, STORY);
    expect(on.facts.length).toBeGreaterThan(5);
    expect(on.compression.reduction_percentage).toBeGreaterThan(0);
    await setMode(operator, { settings: { extraction_enabled: false, compression_enabled: false } });
    const off = await store(caller, STORY);
    expect(off).toMatchObject({ facts: [], entities: [], processing: { status: "done" } });
    expect(off.processing.provider).toBeUndefined();
    expect(off.compression).toMatchObject({ reduction_percentage: 0, original_tokens: on.compression.original_tokens });
    await setMode(operator, { settings: { extraction_enabled: true } });
    await change(operator, "/compression/config", { algorithms: { promem: { enabled: false } } });
    expect((await store(caller, STORY)).facts).toEqual([]);
  });

  it("set the compression, which a request can override", async () => {
    const { caller, operator } = await open();
    const reduced: number[] = [];
    for (const mode of ["extract", "balanced", "aggressive"]) {
      await setMode(operator, { mode });
      reduced.push((await store(caller, STORY)).compression.reduction_percentage);
    }
    expect(reduced).toEqual(reduced.toSorted((a, b) => a - b));
    expect(new Set(reduced).size).toBe(3);
    for (const [index, compression_mode] of ["conservative", "balanced", "aggressive"].entries()) {
      const { compression } = await store(caller, { content: STORY, options: { compression_mode } });
      expect(compression.reduction_percentage).toBe(reduced[index]);
    }
  });
});

describe("people", () => {
  it("are identified by the names from the same user's memories", async () => {
    const { caller, other } = await open();
    const entityIn = async (content: string, user_id: string, by = caller) =>
      (await store(by, { content, user_id })).entities[0];
    const full = await entityIn("Alice Johnson works at the hospital.", "u1");
    expect(full).toMatchObject({ name: "Alice Johnson", type: "person" });
    expect(await entityIn("Alice went to the dentist.", "u1")).toEqual(full);
    expect(await entityIn("Alice went to the dentist.", "u2")).toMatchObject({ name: "Alice" });
    expect(await entityIn("Alice went to the dentist.", "u1", await other())).toMatchObject({ name: "Alice" });
    await entityIn("Alice Brown works at the bank.", "u1");
    expect(await entityIn("Alice went to the market.", "u1")).toMatchObject({ name: "Alice" });
  });
});

describe("POST /memories/process", () => {
  it("stores a memory and returns what was extracted", async () => {
    const { caller } = await open();
    const { status, body } = await caller.post("/memories/process", { content: STORY, user_id: "u1" });
    expect(status).toBe(201);
    const { memory, processing } = body.data;
    expect(memory).toEqual({ id: expect.stringMatching(/^mem_/), content: STORY, processed_at: expect.any(String) });
    const stored = (await caller.get(`/memories/${memory.id}`)).body.data;
    expect(processing).toEqual({
      ...BY_RULE,
      facts_extracted: stored.facts.length,
      entities_extracted: stored.entities.length,
      compression_applied: true,
      token_reduction: stored.compression.reduction_percentage,
    });
    expect(processing.facts_extracted).toBeGreaterThan(5);
  });

  it("omits what the request excludes", async () => {
    const { caller } = await open();
    const { body } = await caller.post("/memories/process", { content: STORY, options: PLAIN });
    expect(body.data.processing).toMatchObject({
      facts_extracted: 0,
      entities_extracted: 0,
      compression_applied: false,
      token_reduction: 0,
    });
  });

  it("processes the memory before the response, even if the deployment processes memories later", async () => {
    const { caller, operator } = await open();
    await setPerformance(operator, { async_processing: true });
    const { body } = await caller.post("/memories/process", { content: STORY });
    expect(body.data.processing).toMatchObject(BY_RULE);
  });
});

describe("skip_duplicates", () => {
  const TEA = "Alice prefers tea over coffee.";
  const add = (caller: Caller, content: string, draft: object = {}) =>
    store(caller, { content, options: { skip_duplicates: true }, ...draft });
  const total = async (caller: Caller) => (await caller.get("/memories")).body.data.pagination.total;

  it("returns the existing memory with the same statement", async () => {
    const { caller } = await open();
    const first = await add(caller, TEA);
    expect(first.processing.status).toBe("done");
    for (const again of [TEA, "alice prefers TEA over coffee!", "Alice really prefers tea over coffee."]) {
      const met = await add(caller, again);
      expect(met).toMatchObject({
        id: first.id,
        content: TEA,
        processing: { status: "skipped", duplicate_of: first.id },
      });
    }
    const processed = await caller.post("/memories/process", { content: TEA, options: { skip_duplicates: true } });
    expect(processed.body.data).toMatchObject({
      memory: { id: first.id },
      processing: { status: "skipped", duplicate_of: first.id },
    });
    expect(await total(caller)).toBe(1);
    expect((await caller.get(`/memories/${first.id}`)).body.data.processing).toEqual(first.processing);
  });

  it.each(["Alice prefers coffee over tea.", "Alice does not prefer tea over coffee.", "Bob prefers tea over coffee."])(
    "stores a similar memory with another statement: %s",
    async (content) => {
      const { caller } = await open();
      await add(caller, TEA);
      expect((await add(caller, content)).processing.status).toBe("done");
      expect(await total(caller)).toBe(2);
    },
  );

  it("ignores memories of another organization", async () => {
    const { caller, other } = await open();
    const stranger = await other();
    await add(caller, TEA);
    expect((await add(stranger, TEA)).processing.status).toBe("done");
    expect(await total(stranger)).toBe(1);
  });

  it("finds duplicates among memories stored without it", async () => {
    const { caller } = await open();
    const { id } = await store(caller, TEA);
    expect((await add(caller, TEA)).processing).toMatchObject({ duplicate_of: id });
    expect((await store(caller, TEA)).processing.status).toBe("done");
    expect(await total(caller)).toBe(2);
  });

  it("applies to one user in one organization", async () => {
    const { caller, other } = await open();
    await add(caller, TEA, { user_id: "u1" });
    await add(caller, TEA, { user_id: "u2" });
    await add(caller, TEA);
    expect(await total(caller)).toBe(3);
    expect((await add(await other(), TEA)).processing.status).toBe("done");
  });

  it("stores one of many concurrent requests", async () => {
    const { caller } = await open();
    const added = await Promise.all(Array.from({ length: 20 }, () => add(caller, TEA)));
    const made = added.filter(({ processing }) => processing.status === "done");
    expect(made).toHaveLength(1);
    expect(new Set(added.map(({ id }) => id))).toEqual(new Set([made[0].id]));
    expect(await total(caller)).toBe(1);
    const long = `${TEA} `.repeat(3000);
    const raced = await Promise.all(Array.from({ length: 8 }, () => add(caller, long, { user_id: "u1" })));
    const [{ id }] = raced;
    expect((await caller.get(`/memories/${id}`)).body.data.content).toBe(long);
    expect(await total(caller)).toBe(2);
  });

  it("allows a content again after its memory is deleted, changed or expired", async () => {
    const { caller } = await open();
    const first = await add(caller, TEA);
    await caller.delete(`/memories/${first.id}`);
    const second = await add(caller, TEA);
    expect(second.processing.status).toBe("done");
    await caller.put(`/memories/${second.id}`, { content: "Bob plays the cello." });
    const third = await add(caller, TEA);
    expect(third.processing.status).toBe("done");
    await caller.post(`/memories/${third.id}/expire`, {});
    const expiry = Date.now() + 2_000;
    const fourth = await add(caller, TEA, { expire_at: new Date(expiry).toISOString() });
    expect(fourth.processing.status).toBe("done");
    expect((await add(caller, TEA)).processing).toMatchObject({ duplicate_of: fourth.id });
    await delay(Math.max(0, expiry - Date.now()) + 50);
    const fifth = await add(caller, TEA);
    expect(fifth.processing.status).toBe("done");
    const later = new Date(Date.now() + 60_000).toISOString();
    await caller.put(`/memories/${fifth.id}`, { expire_at: later, metadata: { changed: true } });
    expect((await add(caller, TEA)).processing).toMatchObject({ duplicate_of: fifth.id });
    expect(await total(caller)).toBe(2);
  });

  it("applies to each item of a batch", async () => {
    const { caller } = await open();
    const { id } = await add(caller, TEA);
    const memories = [{ content: TEA }, { content: "Bob plays the cello." }, { content: "Bob plays the cello." }];
    const { body } = await caller.post("/memories/batch", { memories, options: { skip_duplicates: true } });
    const { created, failed } = body.data;
    expect(failed).toEqual([]);
    expect(created[0]).toMatchObject({ status: "skipped", duplicate_of: id, id });
    expect(created.map(({ status }: { status: string }) => status).toSorted()).toEqual([
      "created",
      "skipped",
      "skipped",
    ]);
    expect(await total(caller)).toBe(2);
  });
});

describe("POST /memories/infer", () => {
  async function remember(caller: Caller, user_id: string, ...contents: string[]): Promise<string[]> {
    const ids: string[] = [];
    for (const content of contents) ids.push((await store(caller, { content, user_id })).id);
    return ids;
  }
  const ZURICH = "Ada lives in Zurich.";
  const TEA = "Ada drinks green tea every morning.";

  it("infers from a memory and related ones", async () => {
    const { caller } = await open();
    const [memory_id] = await remember(caller, "u1", ZURICH, TEA, "The printer is out of paper.");
    await remember(caller, "u2", "Ada drinks black coffee.");
    const { status, body } = await caller.post("/memories/infer", { memory_id, prompt: "What does Ada drink?" });
    expect(status).toBe(200);
    const { inferences, context_used, processing } = body.data;
    expect(inferences[0]).toEqual({
      id: expect.stringMatching(/^inf_/),
      content: expect.stringContaining("green tea"),
      confidence: expect.any(Number),
      category: "answer",
      rests_on: expect.arrayContaining([expect.objectContaining({ memory_id: expect.stringMatching(/^mem_/) })]),
    });
    expect(contentsOf(inferences).join()).not.toContain("coffee");
    expect(context_used).toBe(2);
    expect(processing).toEqual({ provider: "built-in", model: "rules", fallback: false });
  });

  it("considers no more memories than the request allows", async () => {
    const { caller } = await open();
    const [memory_id] = await remember(
      caller,
      "u1",
      ZURICH,
      TEA,
      "Ada drinks water at noon.",
      "Ada drinks milk at night.",
    );
    for (const context_limit of [0, 1, 2]) {
      const asked = { memory_id, prompt: "Where does Ada live?", context_limit };
      const { body } = await caller.post("/memories/infer", asked);
      expect(body.data.context_used).toBe(context_limit);
    }
    const alone = await caller.post("/memories/infer", { memory_id, prompt: "What is the weather?", context_limit: 0 });
    expect([alone.status, alone.body.error?.code]).toEqual([404, "INSUFFICIENT_RESULTS"]);
  });

  it("infers from facts with their intervals", async () => {
    const { caller } = await open();
    const live = (city: string, occurred_at: string) =>
      store(caller, { content: `I live in ${city}.`, user_id: "u1", occurred_at });
    const [before, after] = [await live("Bern", "2024-01-01T00:00:00Z"), await live("Rome", "2026-03-01T00:00:00Z")];
    const asked = { memory_id: before.id, prompt: "Where do I live?", context_limit: 0 };
    const { body } = await caller.post("/memories/infer", asked);
    expect(body.data.inferences).toMatchObject([
      {
        content: "I live in Rome. (since 2026-03-01)",
        rests_on: [
          { memory_id: after.id },
          { memory_id: after.id, status: "current", valid_from: expect.stringContaining("2026-03-01") },
        ],
      },
      {
        content: "I live in Bern. (from 2024-01-01 until 2026-03-01)",
        rests_on: [{ memory_id: before.id }, { status: "superseded", valid_to: expect.stringContaining("2026-03-01") }],
      },
    ]);
  });

  it("asks the model that checks, and says if the rules replaced it", async () => {
    const inferred = { content: "Ada is awake at dawn", confidence: 0.7, category: "pattern" };
    const resting = (...inferences: object[]): Turn => ({ says: JSON.stringify({ inferences }) });
    const { caller, operator, asked, server } = await openWithModel([]);
    await setMode(operator, { providers: { verify: { provider: "openai", model: "large", cost_per_1k: 1 } } });
    const [memory_id] = await remember(caller, "u1", TEA);
    const invented = { ...inferred, content: "Ada owns a farm", rests_on: ["mem_invented"] };
    server.say(resting({ ...inferred, rests_on: [memory_id] }, invented, inferred));
    const ask = async () =>
      (await caller.post("/memories/infer", { memory_id, prompt: "What does Ada drink every morning?" })).body.data;
    expect(await ask()).toMatchObject({
      inferences: [{ content: "Ada is awake at dawn", rests_on: [{ memory_id }] }],
      processing: { provider: "openai", model: "large", fallback: false },
    });
    server.say({ status: 401 });
    expect((await ask()).processing).toEqual({ provider: "openai", model: "large", fallback: true });
    expect(asked()).toEqual(["infer_from_memories", "infer_from_memories"]);
  });

  it("refuses an empty list of memories, and unknown ones", async () => {
    const { caller, other } = await open();
    const [empty] = await remember(caller, "u1", "… !!! ---");
    const nothing = await caller.post("/memories/infer", { memory_id: empty, prompt: "What does it say?" });
    expect(nothing.status).toBe(404);
    expect(nothing.body.error?.code).toBe("INSUFFICIENT_RESULTS");
    const foreign = await (await other()).post("/memories/infer", { memory_id: empty, prompt: "What does it say?" });
    expect(foreign.body.error).toMatchObject({ code: "MEMORY_NOT_FOUND", details: { memory_id: empty } });
  });

  it.each([
    {},
    { memory_id: "mem_x" },
    { memory_id: "mem_x", prompt: " " },
    { memory_id: "mem_x", prompt: "why", context_limit: -1 },
    { memory_id: "mem_x", prompt: "why", context_limit: 1.5 },
    { memory_id: "mem_x", prompt: "x".repeat(2001) },
    { memory_id: 7, prompt: "why" },
  ])("refuses %j", async (asked) => {
    const { caller } = await open();
    const { status, body } = await caller.post("/memories/infer", asked);
    expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
  });
});

describe("the pipeline", () => {
  const statusOf = async (caller: Caller) => (await caller.get("/compression/pipeline/status")).body.data;
  const read = async (caller: Caller, id: string) => (await caller.get(`/memories/${id}`)).body.data;
  const understood = (caller: Caller, id: string) =>
    eventually(async () => {
      const memory = await read(caller, id);
      expect(memory.processing.status).toBe("done");
      return memory;
    });

  it("processes memories after the response", async () => {
    const { caller, operator } = await open();
    await setPerformance(operator, { async_processing: true });
    const queued = await store(caller, { content: STORY, user_id: "u1" });
    expect(queued).toMatchObject({ facts: [], entities: [], processing: { status: "queued" } });
    expect(queued.processing.job_id).toMatch(/^job_/);
    const memory = await understood(caller, queued.id);
    expect(memory.facts.length).toBeGreaterThan(5);
    expect(memory.compression.reduction_percentage).toBeGreaterThan(0);
    expect(memory).toMatchObject({ version: 1, processing: { ...BY_RULE, job_id: queued.processing.job_id } });
    const { body } = await caller.get("/search?q=What+did+Nora+bake&threshold=0");
    expect(body.data.results.map(({ id }: { id: string }) => id)).toEqual([queued.id]);
    await eventually(async () => expect((await statusOf(caller)).jobs).toMatchObject({ queued: 0, done: 1 }));
  });

  it("processes whole batches", async () => {
    const { caller, operator } = await open();
    await setPerformance(operator, { async_processing: true, worker_pool_size: 2 });
    const memories = Array.from({ length: 40 }, (_, index) => ({ content: `Ada bought ${index} books in Zurich.` }));
    const { body } = await caller.post("/memories/batch", { memories });
    expect(body.data.created).toHaveLength(40);
    for (const { id, status } of body.data.created) {
      expect(status).toBe("queued");
      expect((await understood(caller, id)).entities).not.toEqual([]);
    }
  });

  it("returns its status", async () => {
    const { caller, other } = await open();
    const depth = { waiting: 0, in_flight: 0, delayed: 0, dead_letters: 0 };
    expect(await statusOf(caller)).toEqual({
      async_processing: false,
      queues: {
        critical: { priority: 0, queue: "compress-critical", ...depth },
        high: { priority: 1, queue: "compress-high", ...depth },
        normal: { priority: 2, queue: "compress-normal", ...depth },
      },
      jobs: { queued: 0, processing: 0, done: 0, failed: 0, cancelled: 0 },
      oldest_age_seconds: null,
      workers: { pool_size: 4, max_attempts: 3 },
      recent_failures: [],
    });
    const { id } = await store(caller, TEXT);
    await caller.post("/compression/pipeline/submit", { memory_id: id, priority: 1 });
    await eventually(async () => expect((await statusOf(caller)).jobs.done).toBe(1));
    expect((await statusOf(await other())).jobs.done).toBe(0);
  });

  const TEXT = "Alice Johnson moved to Lisbon in March 2024.";

  it.each([
    [0, "compress-critical"],
    [1, "compress-high"],
    [2, "compress-normal"],
  ])("processes a memory with priority %d again", async (priority, queue) => {
    const { caller } = await open();
    const { id } = await store(caller, { content: TEXT, options: PLAIN });
    const submitted = await caller.post("/compression/pipeline/submit", {
      memory_id: id,
      priority,
      compression_options: { extract_facts: false },
    });
    expect(submitted.status).toBe(202);
    expect(submitted.body.data).toEqual({
      job_id: expect.stringMatching(/^job_/),
      memory_id: id,
      status: "queued",
      priority,
      queue,
      submitted_at: expect.any(String),
    });
    const memory = await understood(caller, id);
    expect(namesOf(memory.entities)).toContain("Alice Johnson");
    expect(memory.facts).toEqual([]);
    expect(memory.processing.job_id).toBe(submitted.body.data.job_id);
  });

  it("keeps links that a client created", async () => {
    const { caller } = await open();
    const { id } = await store(caller, { content: TEXT, options: PLAIN });
    const entity = (await caller.post("/entities", { name: "Berlin", type: "place" })).body.data;
    await caller.post(`/memories/${id}/link/${entity.id}`, { relationship_type: "born_in" });
    await caller.post("/compression/pipeline/submit", { memory_id: id, priority: 0 });
    expect(namesOf((await understood(caller, id)).entities)).toEqual(expect.arrayContaining(["Berlin", "Lisbon"]));
  });

  it("returns 404 for a memory of another organization", async () => {
    const { caller, other } = await open();
    const { id } = await store(caller, TEXT);
    const stranger = await other();
    for (const memory_id of [id, "mem_absent"]) {
      const { status, body } = await stranger.post("/compression/pipeline/submit", { memory_id, priority: 0 });
      expect([status, body.error?.code]).toEqual([404, "MEMORY_NOT_FOUND"]);
      expect(body.error?.details).toEqual({ memory_id });
    }
    expect((await read(caller, id)).processing).toEqual(BY_RULE);
  });

  it.each([
    {},
    { memory_id: "mem_x" },
    { memory_id: "mem_x", priority: 3 },
    { memory_id: "mem_x", priority: -1 },
    { memory_id: "mem_x", priority: 0.5 },
    { memory_id: "mem_x", priority: "high" },
    { priority: 0 },
    { memory_id: "mem_x", priority: 0, compression_options: { compression_mode: "turbo" } },
  ])("refuses %j", async (submission) => {
    const { caller } = await open();
    const { status, body } = await caller.post("/compression/pipeline/submit", submission);
    expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
  });
});

describe("any text", () => {
  it.each([
    ["100,000 characters", `${"Ada lives in Zurich. ".repeat(4761)}${"x".repeat(19)}`],
    ["one token, repeated", "tea ".repeat(5000)],
    ["emoji", "👩‍👩‍👧‍👦🎉🏳️‍🌈 ".repeat(200)],
    ["right to left", "עדה גרה בציריך ושותה תה ירוק בכל בוקר. أحب القهوة في الصباح."],
    ["control characters", "Ada\u0000 lives\u0007 in\u001b[31m Zurich\u200b.\u202e"],
    ["a lone surrogate", "Ada lives in \ud800 Zurich."],
    ["no language", "q9#@!! ~~~ 0xdeadbeef ,,,, ;;;;"],
  ])("is processed, stored and recognized when repeated: %s", async (_what, content) => {
    const { caller } = await open();
    const options = { skip_duplicates: true, compression_mode: "aggressive" };
    const { status, body } = await caller.post("/memories/process", { content, options });
    expect(status, JSON.stringify(body).slice(0, 300)).toBe(201);
    expect(body.data.memory.content).toBe(content.toWellFormed());
    expect(body.data.processing).toMatchObject({ status: "done", fallback: false });
    expect(body.data.processing.token_reduction).toBeGreaterThanOrEqual(0);
    const again = await caller.post("/memories/process", { content, options });
    expect(again.body.data.processing).toMatchObject({ status: "skipped", duplicate_of: body.data.memory.id });
  });

  it.each([
    [{}],
    [{ content: "" }],
    [{ content: " \n\t " }],
    [{ content: 7 }],
    [{ content: "x".repeat(100_001) }],
    [{ content: "tea", options: { compression_mode: "turbo" } }],
    [{ content: "tea", options: { skip_duplicates: "yes" } }],
    [{ content: "tea", options: [] }],
    [{ content: "tea", expire_at: "2001-01-01" }],
  ])("that is invalid is refused: %#", async (draft) => {
    const { caller } = await open();
    for (const path of ["/memories/process", "/memories"]) {
      const { status, body } = await caller.post(path, draft);
      expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    }
  });

  it.each([
    { mode: "turbo" },
    { mode: "balanced", settings: { complexity_threshold: -0.1 } },
    { mode: "balanced", settings: { confidence_threshold: -1 } },
    { mode: "balanced", settings: { max_iterations: 0 } },
  ])("is not processed in the invalid mode %j", async (mode) => {
    const { operator } = await open();
    const { status, body } = await operator.put("/compression/mode", mode);
    expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
  });
});
