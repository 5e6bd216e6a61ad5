import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

let target: Target;
let caller: Caller;

beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());
beforeEach(async () => {
  caller = await target.organization();
});

const PLAIN = { extract_facts: false, extract_entities: false, compress: false };
const SLOW = 240_000;
const PAST = "2020-02-29T23:30:00.000-05:00";
const FUTURE = "2999-01-01T00:30:00.000+13:45";

/** Sent times, and the times in answers. */
const GIVEN: [string, string][] = [
  ["2020-02-29T23:30:00-05:00", PAST],
  ["2020-02-29T23:30:00.25Z", "2020-02-29T23:30:00.250Z"],
  ["2020-02-29T23:30:00+00:00", "2020-02-29T23:30:00.000+00:00"],
  ["2020-02-29", "2020-02-29T00:00:00.000+00:00"],
  ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
];
const WRONG = ["yesterday", "2020-02-30T00:00:00Z", "2020-02-29T23:30:00", "0001-01-01T00:00:00+01:00", "", true, {}];

// biome-ignore lint/suspicious/noExplicitAny: answers of many routes
type Loose = any;

async function done(answer: ReturnType<Caller["get"]>): Promise<Loose> {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body.data ?? body;
}

const store = (content: string, fields: object = {}) =>
  done(caller.post("/memories", { content, options: PLAIN, ...fields }));
const read = (id: string) => done(caller.get(`/memories/${id}`));
const idsOf = (found: { id: string }[]) => found.map(({ id }) => id);

async function importOne(row: object): Promise<Loose> {
  const { event_id } = await done(caller.post("/imports", { memories: [{ content: "Tea.", ...row }] }));
  return vi.waitFor(
    async () => {
      const event = await done(caller.get(`/events/${event_id}`));
      expect(["completed", "FAILED"]).toContain(event.status);
      return event;
    },
    { timeout: SLOW / 3, interval: 100 },
  );
}

async function newSession(): Promise<string> {
  return (await done(caller.post("/sessions", { agent_id: "guide", user_id: "ann" }))).id;
}

/** Each route that takes the time; returns its refusal, or the stored memory as read. */
const ROUTES: [string, (fields: object) => Promise<Loose>][] = [
  ["POST /memories", (fields) => answerOf(caller.post("/memories", { content: "Tea.", ...fields }))],
  [
    "POST /memories/process",
    async (fields) => {
      const { memory, ...refusal } = await answerOf(caller.post("/memories/process", { content: "Tea.", ...fields }));
      return memory ? read(memory.id) : refusal;
    },
  ],
  [
    "POST /memories/batch",
    async (fields) => {
      const { created, failed } = await answerOf(
        caller.post("/memories/batch", { memories: [{ content: "Tea.", ...fields }] }),
      );
      return created[0] ? read(created[0].id) : failed[0].error.details;
    },
  ],
  ["PUT /memories/{id}", async (fields) => answerOf(caller.put(`/memories/${(await store("Tea.")).id}`, fields))],
  [
    "PUT /memories/batch-update",
    async (fields) => {
      const { id } = await store("Tea.");
      const { failed } = await answerOf(caller.put("/memories/batch-update", { updates: [{ id, ...fields }] }));
      return failed[0] ? failed[0].error.details : read(id);
    },
  ],
  [
    "POST /sessions/{id}/messages",
    async (fields) =>
      answerOf(caller.post(`/sessions/${await newSession()}/messages`, { role: "user", content: "Tea.", ...fields })),
  ],
  [
    "POST /v3/memories/add",
    async (fields) => {
      const { memory_ids, ...refusal } = await answerOf(caller.post("/v3/memories/add", { memory: "Tea.", ...fields }));
      return memory_ids ? read(memory_ids[0]) : refusal;
    },
  ],
  [
    "PUT /v1/memories/{id}",
    async (fields) => {
      const { id } = await store("Tea.");
      const answer = await answerOf(caller.put(`/v1/memories/${id}`, fields));
      return answer.fields ? answer : read(id);
    },
  ],
];

async function answerOf(sent: ReturnType<Caller["get"]>): Promise<Loose> {
  const { status, body } = await sent;
  expect([200, 201, 400]).toContain(status);
  return status === 400 ? body.error.details : (body.data ?? body);
}

describe.each(ROUTES)("%s", (_, send) => {
  it.each(GIVEN)("accepts %s and returns it with its offset", async (occurred_at, expected) => {
    const stored = await send({ occurred_at });
    expect(stored).toMatchObject({ occurred_at: expected });
    expect(stored).not.toHaveProperty("planned");
    expect(Date.now() - Date.parse(stored.created_at)).toBeLessThan(60_000);
  });

  it("marks a future time as planned", async () => {
    expect(await send({ occurred_at: FUTURE })).toMatchObject({ occurred_at: FUTURE, planned: true });
  });

  it.each(WRONG)("rejects %j and shows a valid format", async (occurred_at) => {
    const { fields } = await send({ occurred_at });
    expect(fields).toMatchObject([
      { field: expect.stringMatching(/occurred_at$/), problem: expect.stringContaining("2026-01-31T14:00:00+02:00") },
    ]);
  });
});

it("defaults to the time of storage", async () => {
  const { id, created_at } = await store("Tea.");
  expect(await read(id)).toMatchObject({ occurred_at: created_at, created_at });
  const session = await newSession();
  const message = await done(caller.post(`/sessions/${session}/messages`, { role: "user", content: "Tea." }));
  expect(message.occurred_at).toBe(message.created_at);
});

describe("mem0's timestamp", () => {
  it.each([
    [1_600_000_000, "2020-09-13T12:26:40.000Z"],
    [1_600_000_000_000, "2020-09-13T12:26:40.000Z"],
    ["2020-09-13T14:26:40+02:00", "2020-09-13T14:26:40.000+02:00"],
  ])("%s is the event time, which mem0 clients see as created_at", async (timestamp, occurred_at) => {
    const created_at = "2020-09-13T12:26:40.000Z";
    for (const request of [{ memory: "Tea." }, { messages: "Tea.", infer: false }]) {
      const { memory_ids } = await done(caller.post("/v3/memories/add", { ...request, user_id: "ann", timestamp }));
      const own = await read(memory_ids[0]);
      expect(own).toMatchObject({ occurred_at });
      expect(Date.parse(own.created_at)).toBeGreaterThan(Date.parse(created_at) + 86_400_000);
      expect(await done(caller.get(`/v1/memories/${memory_ids[0]}`))).toMatchObject({ occurred_at, created_at });
    }
    for (const name of ["created_at", "timestamp", "occurred_at"]) {
      const within = { [name]: { gte: "2020-09-13T12:26:40Z", lte: "2020-09-13T12:26:40Z" } };
      await eventually(async () => {
        const listed = await done(caller.post("/v3/memories", { filters: { AND: [{ user_id: "ann" }, within] } }));
        expect(listed.results).toHaveLength(2);
      });
    }
  });

  it(
    "is the event time of memories that a worker extracts",
    async () => {
      const said = { messages: "I work as a nurse in Boston.", user_id: "ann", timestamp: "2020-09-13T14:26:40+02:00" };
      await done(caller.post("/v3/memories/add", said));
      const [found] = await vi.waitFor(
        async () => {
          const { memories } = await done(caller.get("/memories?user_id=ann"));
          expect(memories.length).toBeGreaterThan(0);
          return memories;
        },
        { timeout: SLOW / 2, interval: 100 },
      );
      expect(found).toMatchObject({ occurred_at: "2020-09-13T14:26:40.000+02:00" });
    },
    SLOW,
  );
});

describe("versions", () => {
  it("keep, return and restore the event time", async () => {
    const { id } = await store("Tea.", { occurred_at: PAST });
    expect(await done(caller.put(`/memories/${id}`, { content: "Green tea." }))).toMatchObject({ occurred_at: PAST });
    const moved = await done(caller.put(`/memories/${id}`, { occurred_at: FUTURE }));
    expect(moved).toMatchObject({ content: "Green tea.", occurred_at: FUTURE, planned: true, version: 3 });
    const { versions } = await done(caller.get(`/memories/${id}/versions`));
    expect(versions.map((each: Loose) => [each.occurred_at, each.planned, each.changes])).toEqual([
      [PAST, undefined, ["created"]],
      [PAST, undefined, ["content"]],
      [FUTURE, true, ["occurred_at"]],
    ]);
    expect(await done(caller.post(`/memories/${id}/restore`, { version: 1 }))).toMatchObject({
      content: "Tea.",
      occurred_at: PAST,
      version: 4,
    });
  });

  it.each([
    [{}, "2023-05-07"],
    [{ occurred_at: PAST }, "2020-02-28"],
    [{ occurred_at: FUTURE }, "2998-12-31"],
  ])("accept a memory as GET returned it without changing its facts, with %j", async (fields, day) => {
    const draft = {
      content: "Caroline went to the parade yesterday.",
      metadata: { timestamp: "2023-05-08T12:00:00Z" },
    };
    const { id } = await done(caller.post("/memories", { ...draft, ...fields }));
    const before = await read(id);
    expect(JSON.stringify(before.facts)).toContain(day);
    const after = await done(caller.put(`/memories/${id}`, before));
    expect(after).toMatchObject({ occurred_at: before.occurred_at, facts: before.facts });
    const changed = await done(caller.put(`/memories/${id}`, { content: "Caroline went to the beach yesterday." }));
    expect(JSON.stringify(changed.facts)).toContain(day);
  });

  it("restore the creation time if no event time was given", async () => {
    const { id, created_at } = await store("Tea.");
    await done(caller.put(`/memories/${id}`, { occurred_at: PAST }));
    const restored = await done(caller.post(`/memories/${id}/restore`, { version: 1 }));
    expect(restored).toMatchObject({ occurred_at: created_at, created_at });
  });

  it("resolve relative dates again when the event time changes", async () => {
    const factsOf = async (fields: object) => JSON.stringify((await read((await send(fields)).id)).facts);
    const text = "Caroline went to the parade yesterday.";
    const send = (fields: object) => done(caller.post("/memories", { content: text, ...fields }));
    const metadata = { timestamp: "2023-05-08T12:00:00Z" };
    expect(await factsOf({ metadata })).toContain("2023-05-07");
    expect(await factsOf({ metadata, occurred_at: "2021-03-10T12:00:00+00:00" })).toContain("2021-03-09");
    expect(await factsOf({ occurred_at: "2021-03-10T23:30:00-05:00" })).toContain("2021-03-09");
    expect(await factsOf({ occurred_at: "2021-03-10T00:30:00+13:45" })).toContain("2021-03-09");
    const { id, occurred_at, created_at } = await send({ metadata });
    expect(occurred_at).toBe(created_at);
    await done(caller.put(`/memories/${id}`, { occurred_at: "2021-03-10T12:00:00+00:00" }));
    await expect.poll(async () => JSON.stringify((await read(id)).facts)).toContain("2021-03-09");
  });
});

describe("lists and searches", () => {
  /** Stores memories in another order than that of their events; the last event is now. */
  async function storeTimes(): Promise<{ past: string; recent: string; plan: string; now: string }> {
    const plan = (await store("Tea with Ann, a plan.", { occurred_at: FUTURE, category: "c" })).id;
    const recent = (await store("Tea with Bob, recently.", { occurred_at: "2024-05-01T10:00:00+02:00" })).id;
    const past = (await store("Tea with Eve, long ago.", { occurred_at: PAST, category: "c" })).id;
    const now = (await store("Tea with Zoe, today.")).id;
    await eventually(async () => expect((await done(caller.get("/search?q=tea&threshold=0"))).results).toHaveLength(4));
    return { past, recent, plan, now };
  }

  it("accept occurred_after and occurred_before, both inclusive", async () => {
    const { past, recent, plan, now } = await storeTimes();
    const cases: [Record<string, string>, string[]][] = [
      [{ occurred_after: "2024-05-01T08:00:00Z" }, [recent, plan, now]],
      [{ occurred_after: "2024-05-01T08:00:00.001Z" }, [plan, now]],
      [{ occurred_before: "2024-05-01T08:00:00Z" }, [past, recent]],
      [{ occurred_before: "2020-03-01T04:29:59.999Z" }, []],
      [{ occurred_before: "2020-03-01T04:30:00Z" }, [past]],
      [{ occurred_after: "2020-03-01", occurred_before: "2025-01-01" }, [past, recent]],
      [{ occurred_after: "2025-01-01", created_after: "2025-01-01" }, [plan, now]],
      [{ occurred_before: "2998-01-01", category: "c" }, [past]],
    ];
    const search = { query: "tea", filters: {} };
    const none = { threshold: 0 };
    for (const [filters, expected] of cases) {
      const query = new URLSearchParams(filters).toString();
      const answers = await Promise.all([
        done(caller.get(`/memories?${query}`)).then(({ memories }) => memories),
        done(caller.get(`/memories?${query}&sort=updated_at`)).then(({ memories }) => memories),
        ...[
          caller.get(`/search?q=tea&threshold=0&${query}`),
          caller.post("/search", { ...search, filters, options: none }),
          caller.post("/search/advanced", { ...search, filters, options: none }),
          caller.post("/search/hybrid", { ...search, filters, options: none }),
          ...(expected.length > 0
            ? [
                caller.get(`/search/enhanced?q=tea&threshold=0&${query}`),
                caller.post("/search/enhanced", { ...search, filters, parameters: none }),
                caller.post("/search/enhanced", { ...search, mode: "semantic", filters, parameters: none }),
                caller.post("/search/enhanced", { ...search, mode: "hybrid", filters, parameters: none }),
              ]
            : []),
        ].map(async (answer) => (await done(answer)).results),
      ]);
      for (const found of answers) expect(idsOf(found).sort(), JSON.stringify(filters)).toEqual(expected.toSorted());
    }
  });

  it("sort by event time, and return pages", async () => {
    const { past, recent, plan, now } = await storeTimes();
    const listed = async (query: string) => idsOf((await done(caller.get(`/memories?${query}`))).memories);
    expect(await listed("sort=occurred_at%20asc")).toEqual([past, recent, now, plan]);
    expect(await listed("sort=occurred_at")).toEqual([plan, now, recent, past]);
    expect(await listed("sort=occurred_at&limit=2&offset=1")).toEqual([now, recent]);
    expect(await listed("sort=created_at%20asc&occurred_before=2998-01-01")).toEqual([recent, past, now]);
    await done(caller.put(`/memories/${recent}`, { metadata: { a: 1 } }));
    await eventually(async () =>
      expect(await listed("sort=updated_at&occurred_before=2998-01-01")).toEqual([recent, now, past]),
    );
    const { pagination } = (await caller.get("/memories?sort=occurred_at&limit=3")).body.data;
    expect(pagination).toEqual({ total: 4, limit: 3, offset: 0, has_next: true });
    expect((await caller.get("/memories?sort=occurred_at&offset=10000&limit=100")).status).toBe(200);
    const options = { threshold: 0, sort: "occurred_at", order: "asc" };
    const found = await done(caller.post("/search", { query: "tea", options }));
    expect(found.results.map((each: Loose) => [each.id, each.planned])).toEqual([
      [past, undefined],
      [recent, undefined],
      [now, undefined],
      [plan, true],
    ]);
    expect(found.results[0].occurred_at).toBe(PAST);
  });

  it("delete only the memories in a range of event times", async () => {
    const { past, recent, plan, now } = await storeTimes();
    const filters = { occurred_before: "2025-01-01" };
    const { deleted_ids, has_more } = await done(caller.delete("/memories/bulk-delete", { filters, confirm: true }));
    expect([deleted_ids.toSorted(), has_more]).toEqual([[past, recent].sort(), false]);
    expect(idsOf((await done(caller.get("/memories"))).memories).sort()).toEqual([plan, now].sort());
  });

  it.each(["occurred_after", "occurred_before"])("reject an invalid %s", async (name) => {
    const { status, body } = await caller.get(`/memories?${name}=yesterday`);
    expect([status, body.error.details.fields[0].field]).toEqual([400, name]);
    const searched = await caller.post("/search", { query: "tea", filters: { [name]: "yesterday" } });
    expect([searched.status, searched.body.error.code]).toEqual([400, "INVALID_FILTERS"]);
    expect((await caller.get(`/search?q=tea&${name}=yesterday`)).body.error.code).toBe("INVALID_FILTERS");
  });

  it("measure recency from `now`", async () => {
    const { past, plan } = await storeTimes();
    const boosted = async (now: string) => {
      const request = { query: "tea", filters: { category: "c" }, now, options: { threshold: 0 } };
      const { results } = await done(
        caller.post("/search/advanced", { ...request, ranking: { boost_fields: { occurred_at: 10 } } }),
      );
      return idsOf(results);
    };
    expect(await boosted("2020-03-02T00:00:00Z")).toEqual([past, plan]);
    expect(await boosted("2998-12-31T00:00:00-05:00")).toEqual([plan, past]);
  });

  it("accept `now` on all routes, while expiry uses the real clock", async () => {
    const { id } = await store("Tea with Ann.", { expire_at: "2998-01-01T00:00:00Z", user_id: "ann" });
    await eventually(async () => expect((await done(caller.get("/search?q=tea&threshold=0"))).results).toHaveLength(1));
    const answersTo = (now: string) => [
      caller.get(`/search?q=tea&threshold=0&now=${encodeURIComponent(now)}`),
      caller.get(`/search/enhanced?q=tea&now=${encodeURIComponent(now)}`),
      ...["/search", "/search/advanced", "/search/hybrid", "/search/enhanced"].map((path) =>
        caller.post(path, { query: "tea", now, ...(path !== "/search/enhanced" && { options: { threshold: 0 } }) }),
      ),
      caller.post("/v3/memories/search", { query: "tea", user_id: "ann", threshold: 0, now }),
    ];
    for (const answer of answersTo("2999-06-01T00:00:00+02:00"))
      expect(idsOf((await done(answer)).results)).toEqual([id]);
    for (const answer of [
      ...answersTo("soon"),
      caller.post("/memories/infer", { memory_id: id, prompt: "?", now: "soon" }),
    ]) {
      const { status, body } = await answer;
      expect([status, body.error.details.fields[0].field]).toEqual([400, "now"]);
    }
    expect((await caller.post("/memories/infer", { memory_id: id, prompt: "?", now: FUTURE })).status).toBe(404);
  });
});

it("messages keep the order in which they are added, and can be filtered by event time", async () => {
  const session = await newSession();
  const say = (content: string, fields: object = {}) =>
    done(caller.post(`/sessions/${session}/messages`, { role: "user", content, ...fields }));
  await say("plan", { occurred_at: FUTURE });
  await say("past", { occurred_at: PAST, role: "assistant" });
  const { created_at } = await say("now");
  const listed = async (query: string) => {
    const { messages, pagination } = await done(caller.get(`/sessions/${session}/messages?${query}`));
    return [messages.map((each: Loose) => each.content), pagination.total, pagination.has_next];
  };
  expect(await listed("")).toEqual([["plan", "past", "now"], 3, false]);
  expect(await listed("occurred_before=2998-01-01")).toEqual([["past", "now"], 2, false]);
  expect(await listed("occurred_before=2998-01-01&limit=1")).toEqual([["past"], 2, true]);
  expect(await listed("occurred_before=2998-01-01&limit=1&offset=1")).toEqual([["now"], 2, false]);
  expect(await listed("occurred_before=2998-01-01&role=user")).toEqual([["now"], 1, false]);
  expect(await listed(`occurred_after=${created_at}&occurred_before=${created_at}`)).toEqual([["now"], 1, false]);
  expect(await listed(`after=${created_at}&occurred_after=2000-01-01`)).toEqual([[], 0, false]);
  const { messages } = await done(caller.get(`/sessions/${session}/messages`));
  expect(messages.map((each: Loose) => [each.occurred_at, each.planned])).toEqual([
    [FUTURE, true],
    [PAST, undefined],
    [created_at, undefined],
  ]);
  expect((await caller.get(`/sessions/${session}/messages?occurred_after=soon`)).status).toBe(400);
});

describe("imports and exports", () => {
  it(
    "preserve the event time",
    async () => {
      const { id } = await store("Tea.", { occurred_at: PAST });
      const plain = await store("Coffee.");
      const exported = await vi.waitFor(
        async () => {
          const { event_id } = await done(caller.post("/exports", {}));
          const event = await vi.waitFor(
            async () => {
              const body = await done(caller.get(`/events/${event_id}`));
              expect(body.status).toBe("completed");
              return body;
            },
            { timeout: SLOW / 3, interval: 100 },
          );
          const { memories } = JSON.parse(await (await target.follow(event.files[0].download_url)).text());
          expect(memories).toHaveLength(2);
          return memories;
        },
        { timeout: SLOW / 2, interval: 100 },
      );
      expect(exported.find((row: Loose) => row.id === id)).toMatchObject({ occurred_at: PAST });
      expect(exported.find((row: Loose) => row.id === plain.id)).not.toHaveProperty("occurred_at");
      caller = await target.organization();
      const { event_id } = await done(caller.post("/imports", { memories: exported }));
      await vi.waitFor(async () => expect((await done(caller.get(`/events/${event_id}`))).imported).toBe(2), {
        timeout: SLOW / 3,
        interval: 100,
      });
      const { memories } = await done(caller.get("/memories"));
      const told = Object.fromEntries(memories.map((each: Loose) => [each.content, each.occurred_at]));
      expect(told).toEqual({ "Tea.": PAST, "Coffee.": plain.created_at });
    },
    SLOW,
  );

  it.each(WRONG)(
    "reject %j in a row",
    async (occurred_at) => {
      const { imported, errors } = await importOne({ occurred_at });
      expect(imported ?? 0).toBe(0);
      expect(errors).toMatchObject([{ index: 0, message: expect.stringContaining("occurred_at") }]);
    },
    SLOW,
  );
});

it("filters sessions by the event times of their messages, not by when they were added", async () => {
  const begin = async (title: string, ...times: (string | undefined)[]) => {
    const { id } = await done(caller.post("/sessions", { agent_id: "guide", user_id: "zoe", title }));
    for (const occurred_at of times) {
      await done(caller.post(`/sessions/${id}/messages`, { role: "user", content: "Tea.", occurred_at }));
    }
    return id;
  };
  await begin("empty");
  await begin("now", undefined);
  await begin("spring", "2024-04-02T10:00:00+02:00", "2024-04-01T23:30:00-02:00", "2024-04-02T09:00:00Z");
  const year = await begin("year", "2024-12-31T12:00:00Z", "2024-01-01T12:00:00Z");
  const plan = await begin("plan", undefined, "2999-01-01T00:00:00Z");
  const listed = async (query: string) => {
    const { sessions, pagination } = await done(caller.get(`/sessions?user_id=zoe&sort=created_at asc&${query}`));
    expect(pagination.total).toBe(pagination.has_next ? 5 : pagination.offset + sessions.length);
    return sessions.map(({ title }: { title: string }) => title);
  };
  expect(await listed("occurred_before=2024-12-31T12:00:00Z")).toEqual(["spring", "year"]);
  expect(await listed("occurred_after=2024-04-02T09:00:00.001Z&occurred_before=2024-06-01")).toEqual(["year"]);
  expect(await listed("occurred_after=2024-04-02T09:00:00Z&occurred_before=2024-06-01")).toEqual(["spring", "year"]);
  expect(await listed("occurred_before=2024-04-02T01:29:59.999Z&occurred_after=2024-03-01")).toEqual(["year"]);
  expect(await listed("occurred_after=2025-01-01")).toEqual(["empty", "now", "plan"]);
  expect(await listed("occurred_after=2998-01-01")).toEqual(["plan"]);
  expect(await listed("occurred_after=2000-01-01&limit=2&offset=1")).toEqual(["now", "spring"]);
  expect(await listed("occurred_after=2000-01-01&limit=2&offset=3")).toEqual(["year", "plan"]);
  const every = (sort: string) => done(caller.get(`/sessions?occurred_before=2024-12-31T12:00:00Z&sort=${sort}`));
  const titles = ({ sessions }: { sessions: { title: string }[] }) => sessions.map(({ title }) => title);
  expect(titles(await every("created_at desc"))).toEqual(["year", "spring"]);
  expect(titles(await every("updated_at desc"))).toEqual(["year", "spring"]);
  for (const of of [year, plan]) await done(caller.post(`/sessions/${of}/duplicate`, {}));
  await done(caller.post(`/sessions/${year}/duplicate`, { new_title: "blank", include_messages: false }));
  expect(await listed("occurred_after=2998-01-01")).toEqual(["plan", "Copy of plan"]);
  expect(await listed("occurred_before=2024-02-01")).toEqual(["year", "Copy of year"]);
  expect((await caller.get("/sessions?occurred_after=soon")).status).toBe(400);
});
