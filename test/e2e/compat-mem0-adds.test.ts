import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { asPython, type Mem0, openMem0 } from "../support/mem0.ts";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

let target: Target;
let mem0: Mem0;
let caller: Caller;

beforeAll(async () => {
  target = await openTarget();
  mem0 = await openMem0(target);
});
afterAll(async () => {
  await mem0.close();
  await target.close();
});
beforeEach(async () => {
  caller = await target.organization();
});

const ANN = { filters: { user_id: "ann" } };
const post = (path: string, body: unknown) => asPython(caller, "POST", path, body);
const keep = async (text: string, names: Record<string, string>) => {
  const { body } = await post("/v3/memories/add/", { messages: text, infer: false, ...names });
  return body.results[0].id as string;
};

/** Adds messages and waits for the result; a busy machine may leave the work to the workers. */
async function add(given: Record<string, unknown>) {
  const { event_id } = (await post("/v3/memories/add/", given)).body;
  return vi.waitFor(
    async () => {
      const { body } = await caller.get(`/v1/event/${event_id}`);
      expect(body.status).toBe("SUCCEEDED");
      return body;
    },
    { timeout: 50_000, interval: 100 },
  );
}

/** Returns all stored contents of all users. */
async function stored(): Promise<string[]> {
  const { body } = await caller.get("/memories?limit=100");
  return body.data.memories.map(({ content }: { content: string }) => content).sort();
}

describe("adding messages", () => {
  const said = [
    { role: "user", content: "I am allergic to peanuts. I work as a nurse in Boston." },
    { role: "assistant", content: "You should rest on Sundays." },
  ];

  it("returns the memories immediately if the text is short, with the data field of older clients", async () => {
    const { body } = await eventually(async () => {
      const answer = await post("/v3/memories/add/", { messages: said, user_id: "ann" });
      expect(answer.body.status).toBe("completed");
      return answer;
    });
    expect(body.results.length).toBeGreaterThan(1);
    expect(body.memory_ids).toEqual(body.results.map(({ id }: { id: string }) => id));
    for (const { memory, data } of body.results) expect(data).toEqual({ memory });
    const event = await caller.get(`/v1/event/${body.event_id}`);
    expect(event.body).toMatchObject({ status: "SUCCEEDED" });
    expect(event.body.results.map(({ id }: { id: string }) => id)).toEqual(body.memory_ids);
  });

  it("returns PENDING for a long text", async () => {
    const content = "I like the town of Bern. ".repeat(500);
    const { body } = await post("/v3/memories/add/", { messages: content, user_id: "ann" });
    expect(body).toMatchObject({ status: "PENDING", results: [] });
  });

  it.each([
    ["excludes", { excludes: "allergies, medical conditions" }, /nurse/, /peanut|allerg/],
    ["excludes as a paraphrase", { excludes: "allergic reactions and jobs" }, /nurse/, /peanut|allerg/],
    ["includes", { includes: "work" }, /nurse/, /peanut|allerg/],
    [
      "instructions that exclude a topic",
      { custom_instructions: "Do not store anything about allergies." },
      /nurse/,
      /peanut/,
    ],
    [
      "instructions that allow only one topic",
      { custom_instructions: "Please only remember information about work." },
      /nurse/,
      /peanut/,
    ],
    ["a list under a heading", { custom_instructions: "Exclude:\n- allergies\n- hobbies" }, /nurse/, /peanut/],
  ])("respects %s", async (_name, wishes, kept, dropped) => {
    await add({ messages: said, user_id: "ann", ...wishes });
    const all = (await stored()).join("\n");
    expect(all).toMatch(kept);
    expect(all).not.toMatch(dropped);
  });

  it("applies agent_custom_instructions to assistant messages only", async () => {
    await add({ messages: said, user_id: "ann", agent_custom_instructions: "Never store Sundays." });
    const all = (await stored()).join("\n");
    expect(all).toMatch(/nurse/);
    expect(all).not.toMatch(/Sunday/);
  });

  it("applies the project's instructions and categories unless the request has its own", async () => {
    const customCategories = [{ career: "work and jobs" }];
    await mem0.clientOf(caller).updateProject({ customInstructions: "Never store allergies.", customCategories });
    const { results } = await add({ messages: said, user_id: "ann" });
    const nurse = results.find(({ memory }: { memory: string }) => memory.includes("nurse"));
    expect(nurse.categories).toEqual(["career"]);
    expect((await stored()).join("\n")).not.toMatch(/peanut/);
    await add({ messages: said, user_id: "bob", custom_instructions: "" });
    expect((await stored()).join("\n")).toMatch(/peanut/);
  });

  it("succeeds with no results if everything is excluded", async () => {
    const messages = "I am allergic to peanuts.";
    const { body } = await post("/v3/memories/add/", { messages, user_id: "ann", excludes: "allergies" });
    expect(body).toMatchObject({ status: "completed", results: [] });
    expect((await caller.get(`/v1/event/${body.event_id}`)).body).toMatchObject({ status: "SUCCEEDED", results: [] });
  });

  it("stores each message unchanged without inference, even if it is excluded", async () => {
    const { body } = await post("/v3/memories/add/", {
      messages: "Nuts.",
      infer: false,
      user_id: "ann",
      excludes: "nuts",
    });
    expect(body.results).toMatchObject([{ memory: "Nuts.", data: { memory: "Nuts." } }]);
  });
});

describe("the routes of older clients", () => {
  it.each([
    ["POST", "/v1/memories/search/", { query: "cello", user_id: "ann" }],
    ["POST", "/v2/memories/search/", { query: "cello", filters: { AND: [{ user_id: "ann" }] } }],
    ["GET", "/v1/memories/?user_id=ann", undefined],
    ["POST", "/v2/memories/", { filters: { AND: [{ user_id: "ann" }] } }],
  ])("%s %s returns a list, or an object with output_format v1.1", async (method, path, body) => {
    const id = await keep("Ann plays the cello.", { user_id: "ann", run_id: "r" });
    const wanted = [{ id, memory: "Ann plays the cello.", run_id: "r", session_id: "r" }];
    await eventually(async () => expect((await asPython(caller, method, path, body)).body).toMatchObject(wanted));
    const v11 = { output_format: "v1.1" };
    const inObject = await asPython(
      caller,
      method,
      body ? path : `${path}&output_format=v1.1`,
      body && { ...body, ...v11 },
    );
    expect(inObject.body).toMatchObject({ results: wanted });
  });

  it("return pages if the request names a page", async () => {
    await keep("one", { user_id: "ann" });
    const newest = await keep("two", { user_id: "ann" });
    for (const [method, path, body] of [
      ["GET", "/v1/memories/?user_id=ann&page=1&page_size=1", undefined],
      ["POST", "/v2/memories/?page=1&page_size=1", ANN],
    ] as const) {
      const answer = await asPython(caller, method, path, body);
      expect(answer.body).toMatchObject({ count: 2, results: [{ id: newest }], previous: null });
      expect(new URL(answer.body.next).pathname).toBe(path.split("?")[0]);
    }
    expect((await asPython(caller, "GET", "/v1/memories/?user_id=ann&limit=1")).body).toMatchObject([{ id: newest }]);
    expect((await asPython(caller, "GET", "/v1/memories/")).status).toBe(400);
  });

  it("return a result for each added memory", async () => {
    const given = { messages: "Ann sails.", user_id: "ann", infer: false };
    const ofOne = { memory: "Ann sails.", event: "ADD", status: "SUCCEEDED", event_id: expect.stringMatching(/^evt_/) };
    expect((await post("/v1/memories/", given)).body).toMatchObject([ofOne]);
    const { body } = await post("/v1/memories/", { ...given, output_format: "v1.1", version: "v2" });
    expect(body).toMatchObject({ results: [ofOne] });
    const long = { messages: "I like the town of Bern. ".repeat(500), user_id: "ann" };
    expect((await post("/v1/memories/", long)).body).toMatchObject([
      { status: "PENDING", message: expect.any(String) },
    ]);
  });
});

describe("lists by keywords", () => {
  it("contain the memories with all keywords, newest first", async () => {
    await keep("Ann plays the cello in Bern.", { user_id: "ann" });
    await keep("Ann played cellos and drums.", { user_id: "ann" });
    await keep("Bern is a town.", { user_id: "ann" });
    await keep("Bob plays the cello.", { user_id: "bob" });
    const of = async (keywords: string, page?: Record<string, number>) => {
      const { body } = await post("/v3/memories/", { ...ANN, keywords, ...page });
      return [body.count, body.results.map(({ memory }: { memory: string }) => memory)];
    };
    await eventually(async () =>
      expect(await of("cello play")).toEqual([2, ["Ann played cellos and drums.", "Ann plays the cello in Bern."]]),
    );
    expect(await of("cello Bern")).toEqual([1, ["Ann plays the cello in Bern."]]);
    expect(await of("cello", { page: 2, page_size: 1 })).toEqual([2, ["Ann plays the cello in Bern."]]);
    expect(await of("tuba")).toEqual([0, []]);
  });
});

describe("deleting by wildcard names", () => {
  const WIPE = "/v1/memories/?user_id=*&agent_id=*&app_id=*&run_id=*";

  it("deletes all memories of the organization, also those without a name, and none of another", async () => {
    await keep("one", { user_id: "ann" });
    await keep("two", { agent_id: "a", run_id: "r" });
    await keep("three", {});
    await caller.post("/memories", { content: "four" });
    const other = await target.organization();
    await other.post("/memories", { content: "five" });
    const { body } = await asPython(caller, "DELETE", WIPE);
    expect(body).toMatchObject({ deleted_count: 4, event_id: expect.stringMatching(/^evt_/) });
    expect(await stored()).toEqual([]);
    expect((await other.get("/memories")).body.data.memories).toHaveLength(1);
    const event = (await caller.get(`/v1/event/${body.event_id}`)).body;
    expect(event).toMatchObject({ event_type: "DELETE", status: "SUCCEEDED", progress: { done: 4 } });
  });

  it("with an agent's API key, which lacks admin:all, is refused and deletes nothing", async () => {
    await keep("one", { user_id: "ann" });
    const agent = (await caller.post("/agents", { name: "Guide", model: "m" })).body.data.id;
    const permissions = ["memory:read", "memory:write", "memory:delete"];
    const made = await caller.post("/api-keys", { name: "its own", permissions, agent_id: agent });
    const own = caller.as(made.body.data.key);
    await asPython(own, "POST", "/v3/memories/add/", { messages: "two", infer: false, user_id: "ann" });
    const { status, body } = await asPython(own, "DELETE", WIPE);
    expect([status, body.error.code]).toEqual([403, "PERMISSION_DENIED"]);
    expect((await stored()).sort()).toEqual(["one", "two"]);
  });

  it("with fewer names deletes the memories that have all of them", async () => {
    await keep("one", { user_id: "ann" });
    await keep("two", { user_id: "ann", agent_id: "a" });
    await eventually(async () => {
      await asPython(caller, "DELETE", "/v1/memories/?user_id=*&agent_id=*");
      expect(await stored()).toEqual(["one"]);
    });
  });
});

describe("unsupported routes of mem0", () => {
  it.each([
    ["POST", "/v1/summary/"],
    ["GET", "/v2/entities/user/ann/profile/"],
    ["GET", "/v2/profiles/settings/"],
    ["POST", "/v2/profiles/settings/"],
    ["POST", "/v2/profiles/jobs/"],
    ["GET", "/v2/profiles/jobs/j1/"],
    ["GET", "/api/v1/orgs/organizations/"],
    ["GET", "/api/v1/orgs/organizations/o/projects/"],
    ["POST", "/api/v1/orgs/organizations/o/projects/"],
    ["GET", "/api/v1/orgs/organizations/o/projects/default/members/"],
    ["PUT", "/api/v1/orgs/organizations/o/projects/default/members/"],
    ["DELETE", "/api/v1/orgs/organizations/o/projects/default/members/"],
  ])("return NOT_OFFERED: %s %s", async (method, path) => {
    const { status, body } = await asPython(caller, method, path, method === "GET" ? undefined : {});
    expect([status, body.error?.code, body.detail]).toEqual([404, "NOT_OFFERED", body.error?.message]);
  });
});

describe("the event of an added memory", () => {
  const add1 = async (text: string, day: string, given: Record<string, unknown> = {}) => {
    const event = await add({ messages: text, user_id: "ann", timestamp: `2026-${day}T09:00:00Z`, ...given });
    return event.results as Record<string, string>[];
  };
  const eventsOf = (results: Record<string, string>[]) => results.map(({ event }) => event);
  const history = async (id: string) => (await caller.get(`/v1/memories/${id}/history/`)).body;

  it.each([
    ["read from messages", {}],
    ["stored as they are", { infer: false }],
  ])("is UPDATE if it replaces a value, for statements %s", async (_, given) => {
    const [first] = await add1("I live in Zurich.", "01-10", given);
    expect(first).toMatchObject({ event: "ADD" });
    const [second] = await add1("I moved to Berlin.", "06-10", given);
    expect(second).toMatchObject({
      event: "UPDATE",
      previous_memory_id: first?.id,
      previous_memory: first?.memory,
    });
    expect((await history(first?.id ?? "")).at(-1)).toMatchObject({
      event: "UPDATE",
      old_memory: first?.memory,
      new_memory: second?.memory,
    });
    expect(eventsOf(await history(second?.id ?? ""))).toEqual(["ADD"]);
  });

  it("is ADD for an older value, another slot or another user", async () => {
    await add1("I live in Zurich.", "06-10");
    expect(eventsOf(await add1("I live in Berlin.", "01-10"))).toEqual(["ADD"]);
    expect(eventsOf(await add1("I work at Acme.", "07-10"))).toEqual(["ADD"]);
    expect(eventsOf(await add1("I moved to Rome.", "08-10", { user_id: "tom" }))).toEqual(["ADD"]);
  });

  it("is DELETE for a statement that only ended, whose memory is kept", async () => {
    const [before] = await add1("I work at Acme.", "01-10");
    const results = await add1("I no longer work at Acme.", "06-10");
    expect(results.map(({ id, event }) => [id === before?.id, event])).toEqual([
      [false, "ADD"],
      [true, "DELETE"],
    ]);
    expect((await caller.get(`/v1/memories/${before?.id}/`)).status).toBe(200);
    expect((await history(before?.id ?? "")).at(-1)).toMatchObject({ event: "DELETE", new_memory: null });
  });

  it("is returned immediately for a memory given as text", async () => {
    await post("/v3/memories/add/", { memory: "I live in Zurich.", user_id: "ann", timestamp: "2026-01-10T09:00:00Z" });
    const { body } = await post("/v3/memories/add/", {
      memory: "I moved to Berlin.",
      user_id: "ann",
      timestamp: "2026-06-10T09:00:00Z",
    });
    expect(body.results).toMatchObject([{ event: "UPDATE", previous_memory: "I live in Zurich." }]);
    const event = await caller.get(`/v1/event/${body.event_id}`);
    expect(event.body.results).toMatchObject([{ event: "UPDATE", previous_memory: "I live in Zurich." }]);
  });
});

describe("parts of messages other than text", () => {
  const url = "https://pictures.example/cat.jpg?signature=secret";
  const picture = { type: "image_url", image_url: { url } };
  const leftOut = [{ text: "image_url: https://pictures.example/cat.jpg", reason: "not_text" }];

  it("are left out and named in the event, and the text is stored", async () => {
    const content = [{ type: "text", text: "I have a cat named Mira." }, picture];
    const event = await add({ messages: [{ role: "user", content }], user_id: "ann" });
    expect(event.left_out).toEqual(leftOut);
    expect(await stored()).toEqual(["I have a cat named Mira."]);
  });

  it("are left out of messages that are stored unchanged", async () => {
    const content = [picture, { type: "input_text", text: "Mira again." }];
    const event = await add({ messages: [{ role: "user", content }], user_id: "ann", infer: false });
    expect(event.left_out).toEqual(leftOut);
    expect(await stored()).toEqual(["Mira again."]);
  });

  it.each([
    ["a picture alone", picture, "image_url: https://pictures.example/cat.jpg"],
    ["a picture by address", { type: "image_url", image_url: url }, "image_url: https://pictures.example/cat.jpg"],
    [
      "a picture in the message",
      { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
      "image_url: data:image/png",
    ],
    [
      "a document",
      { type: "pdf_url", pdf_url: { url: "https://a.example/x.pdf" } },
      "pdf_url: https://a.example/x.pdf",
    ],
    ["a page", { type: "mdx_url", mdx_url: { url: "https://a.example/x.mdx" } }, "mdx_url: https://a.example/x.mdx"],
    ["a recording", { type: "input_audio", input_audio: { data: "aGk=", format: "wav" } }, "input_audio"],
    ["a file", { type: "file", file: { filename: "plan.pdf", file_data: "aGk=" } }, "file: plan.pdf"],
    [
      "a picture of Anthropic's",
      { type: "image", source: { type: "url", url } },
      "image: https://pictures.example/cat.jpg",
    ],
  ])("%s alone is answered, and stores nothing", async (_name, part, text) => {
    for (const content of [part, [part]]) {
      const event = await add({ messages: [{ role: "user", content }], user_id: "ann" });
      expect([event.left_out, event.results]).toEqual([[{ text, reason: "not_text" }], []]);
    }
  });

  it("may be as large as a picture, and text may not", async () => {
    const large = { type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(3_000_000)}` } };
    const added = await post("/v3/memories/add/", { messages: [{ role: "user", content: [large] }], user_id: "ann" });
    expect(added.status).toBe(200);
    const text = Array.from({ length: 15 }, () => ({ role: "user", content: "tea ".repeat(25_000) }));
    const refused = await post("/v3/memories/add/", { messages: text, user_id: "ann" });
    expect([refused.status, refused.body.detail]).toEqual([400, expect.stringContaining("characters of text")]);
  });

  it("unknown fields of a message are named in the event", async () => {
    const messages = [{ role: "user", content: "I live in Oslo.", thread: 5, tool_calls: [] }];
    const event = await add({ messages, user_id: "ann" });
    expect(event.left_out).toEqual([{ text: "messages.thread", reason: "unknown_field" }]);
    expect(await stored()).toEqual(["I live in Oslo."]);
  });
});

describe("the event DELETE", () => {
  it("is not reported for a memory that states something else that holds", async () => {
    await add({ messages: "I live in Paris and I work as a nurse.", user_id: "ann" });
    const { results } = await add({ messages: "I no longer live in Paris.", user_id: "ann" });
    expect(results.map(({ event }: { event: string }) => event)).toEqual(["ADD"]);
  });

  it("is reported for a memory that states nothing that holds", async () => {
    await add({ messages: "I live in Paris.", user_id: "ann" });
    const { results } = await add({ messages: "I no longer live in Paris.", user_id: "ann" });
    expect(results.map(({ event }: { event: string }) => event)).toEqual(["ADD", "DELETE"]);
  });
});
