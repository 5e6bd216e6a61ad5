import { setTimeout as sleep } from "node:timers/promises";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const WRITERS = 20;

let target: Target;
let caller: Caller;

beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());
beforeEach(async () => {
  caller = await target.organization();
});

async function begin(fields: object = {}, by: Caller = caller) {
  const { status, body } = await by.post("/sessions", { agent_id: "guide", user_id: "ada", ...fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

async function say(id: string, content: string, role = "user", fields: object = {}) {
  const { status, body } = await caller.post(`/sessions/${id}/messages`, { role, content, ...fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

async function read(path: string) {
  const { status, body } = await caller.get(path);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

/** Returns the contents of the messages that match the query. */
async function said(id: string, query = ""): Promise<string[]> {
  const { messages } = await read(`/sessions/${id}/messages?limit=200${query}`);
  return messages.map(({ content }: { content: string }) => content);
}

async function listed(query: string): Promise<string[]> {
  const { sessions } = await read(`/sessions?${query}`);
  return sessions.map(({ title }: { title: string }) => title);
}

function fieldsOf({ body }: { body: { error: { details: { fields?: { field: string }[] } } } }) {
  return body.error?.details.fields?.map(({ field }) => field);
}

describe("beginning a session", () => {
  it("stores the given fields, and defaults for the rest", async () => {
    const fields = {
      title: "Tea",
      config: { context_window: 500, compression_enabled: false, max_messages: 9, memory: "on_close" },
      initial_context: { city: "Zurich", tags: ["a"] },
      metadata: { channel: "web" },
    };
    const session = await begin(fields);
    expect(session).toEqual({
      ...fields,
      id: expect.stringMatching(/^sess_/),
      agent_id: "guide",
      user_id: "ada",
      status: "active",
      message_count: 0,
      total_tokens: 0,
      created_at: expect.stringMatching(ISO),
      updated_at: session.created_at,
      version: 1,
    });
    expect(await read(`/sessions/${session.id}`)).toEqual({ ...session, context_compression_ratio: 1 });
    const bare = await begin();
    expect(bare).toMatchObject({ config: { compression_enabled: true }, initial_context: {}, metadata: {} });
    expect(bare.config.context_window).toBeGreaterThan(1000);
    expect(bare.config).not.toHaveProperty("max_messages");
    expect(await begin({ config: { max_messages: 3 } })).toMatchObject({ config: { ...bare.config, max_messages: 3 } });
  });

  it.each([
    ["no agent", { agent_id: undefined }, "agent_id"],
    ["an empty user", { user_id: " " }, "user_id"],
    ["a user that is no text", { user_id: 7 }, "user_id"],
    ["a window of nothing", { config: { context_window: 0 } }, "config.context_window"],
    ["a broken window", { config: { context_window: 10.5 } }, "config.context_window"],
    ["no messages at all", { config: { max_messages: 0 } }, "config.max_messages"],
    ["compression neither on nor off", { config: { compression_enabled: "yes" } }, "config.compression_enabled"],
    ["metadata that is a list", { metadata: [] }, "metadata"],
    ["a context that is a text", { initial_context: "x" }, "initial_context"],
    ["a context that is too large", { initial_context: { a: "x".repeat(17_000) } }, "initial_context"],
    ["a title that is too long", { title: "x".repeat(201) }, "title"],
  ])("refuses %s", async (_, fields, field) => {
    const answer = await caller.post("/sessions", { agent_id: "guide", user_id: "ada", ...fields });
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual([field]);
  });

  it("takes names that clients define for agents and users, but ids only of existing ones", async () => {
    await begin({ agent_id: "agents/7 é", user_id: "ada@example.com" });
    const agent = await caller.post("/agents", { name: "Guide", model: "any" });
    expect((await begin({ agent_id: agent.body.data.id })).agent_id).toBe(agent.body.data.id);
    const stranger = await target.organization();
    for (const by of [caller, stranger]) {
      const agent_id = by === caller ? "agent_01ABSENT" : agent.body.data.id;
      const unknown = await by.post("/sessions", { agent_id, user_id: "ada" });
      expect(unknown.status).toBe(404);
      expect(unknown.body.error).toMatchObject({ code: "AGENT_NOT_FOUND", details: { agent_id } });
    }
    const unknown = await caller.post("/sessions", { agent_id: "guide", user_id: "user_01ABSENT" });
    expect(unknown.status).toBe(404);
    expect(unknown.body.error).toMatchObject({ code: "USER_NOT_FOUND", details: { user_id: "user_01ABSENT" } });
  });

  it("happens once for one Idempotency-Key", async () => {
    const headers = { "idempotency-key": "begin-1" };
    const [one, other] = [
      await caller.post("/sessions", { agent_id: "guide", user_id: "once" }, { headers }),
      await caller.post("/sessions", { agent_id: "guide", user_id: "once" }, { headers }),
    ];
    expect(other.body.data.id).toBe(one.body.data.id);
    await eventually(async () => expect((await read("/sessions?user_id=once")).pagination.total).toBe(1));
  });
});

describe("reading a session", () => {
  it("returns the same error for another organization's session as for an unknown one", async () => {
    const { id } = await begin();
    const stranger = await target.organization();
    for (const [by, path] of [
      [stranger, id],
      [caller, "sess_absent"],
      [caller, "%20"],
    ] as const) {
      for (const suffix of ["", "/messages", "/context"]) {
        const { status, body } = await by.get(`/sessions/${path}${suffix}`);
        expect([status, body.error?.code]).toEqual([404, "SESSION_NOT_FOUND"]);
      }
      const answer = await by.post(`/sessions/${path}/messages`, { role: "user", content: "x" });
      expect([answer.status, answer.body.error?.code]).toEqual([404, "SESSION_NOT_FOUND"]);
    }
  });
});

describe("changing a session", () => {
  it("changes the named fields, increments the version, and keeps the message count", async () => {
    const { id } = await begin({ title: "Old", metadata: { a: 1 }, config: { max_messages: 5 } });
    await say(id, "Hello");
    const { body, headers } = await caller.put(`/sessions/${id}`, { title: "New", config: { context_window: 99 } });
    expect(body.data).toMatchObject({
      title: "New",
      metadata: { a: 1 },
      config: { context_window: 99, compression_enabled: true, max_messages: 5 },
      message_count: 1,
      version: 2,
    });
    expect(headers.get("etag")).toBe('"2"');
    const replaced = await caller.put(`/sessions/${id}`, { metadata: { b: 2 }, config: { max_messages: null } });
    expect(replaced.body.data).toMatchObject({ title: "New", metadata: { b: 2 }, version: 3 });
    expect(replaced.body.data.config).toEqual({
      context_window: 99,
      compression_enabled: true,
      memory: "as_they_come",
    });
    expect(await read(`/sessions/${id}`)).toEqual(replaced.body.data);
  });

  it("honours If-Match, and new messages do not change the ETag", async () => {
    const { id } = await begin();
    await say(id, "Hello");
    const etag = { headers: { "if-match": '"1"' } };
    expect((await caller.put(`/sessions/${id}`, { title: "One" }, etag)).status).toBe(200);
    const late = await caller.put(`/sessions/${id}`, { title: "Two" }, etag);
    expect([late.status, late.body.error?.code]).toEqual([412, "PRECONDITION_FAILED"]);
    expect((await read(`/sessions/${id}`)).title).toBe("One");
  });

  it("loses none of many concurrent changes and messages", async () => {
    const { id } = await begin();
    await Promise.all(
      Array.from({ length: 6 }, async (_, place) => {
        if (place % 2 === 0) await say(id, `message ${place}`);
        else expect((await caller.put(`/sessions/${id}`, { metadata: { place } })).status).toBe(200);
      }),
    );
    expect(await read(`/sessions/${id}`)).toMatchObject({ message_count: 3, version: 4 });
  });

  it.each([
    ["nothing", {}, "body"],
    ["an empty title", { title: "" }, "title"],
    ["a window of nothing", { config: { context_window: -1 } }, "config.context_window"],
  ])("refuses %s", async (_, fields, field) => {
    const { id } = await begin();
    const answer = await caller.put(`/sessions/${id}`, fields);
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual([field]);
  });
});

describe("listing sessions", () => {
  beforeEach(async () => {
    for (const [title, agent_id, user_id] of [
      ["one", "guide", "ada"],
      ["two", "guide", "ben"],
      ["three", "clerk", "ada"],
      ["four", "clerk", "ben"],
    ]) {
      await begin({ title, agent_id, user_id });
      // Times are told apart by the millisecond.
      await sleep(2);
    }
  });

  it("neither returns nor counts sessions of another organization, even with the same names", async () => {
    await eventually(async () => expect(await listed("")).toHaveLength(4));
    const stranger = await target.organization();
    for (const query of ["", "?user_id=ada", "?agent_id=guide", "?sort=created_at%20desc"]) {
      const { body } = await stranger.get(`/sessions${query}`);
      expect([query, body.data.sessions, body.data.pagination.total]).toEqual([query, [], 0]);
    }
  });

  it("sorts them by latest activity by default", async () => {
    const [{ id }] = (await read("/sessions?sort=created_at%20asc")).sessions;
    await eventually(async () => expect(await listed("")).toEqual(["four", "three", "two", "one"]));
    await say(id, "Still here");
    await eventually(async () => expect(await listed("")).toEqual(["one", "four", "three", "two"]));
    expect(await listed("sort=updated_at%20asc")).toEqual(["two", "three", "four", "one"]);
    expect(await listed("sort=created_at")).toEqual(["four", "three", "two", "one"]);
    expect(await listed("sort=created_at%20asc")).toEqual(["one", "two", "three", "four"]);
  });

  it.each(["updated_at%20desc", "created_at%20desc"])("filters by user, agent and both, sorted by %s", async (sort) => {
    await eventually(async () => expect(await listed(`user_id=ada&sort=${sort}`)).toEqual(["three", "one"]));
    expect(await listed(`agent_id=clerk&sort=${sort}`)).toEqual(["four", "three"]);
    expect(await listed(`user_id=ben&agent_id=guide&sort=${sort}`)).toEqual(["two"]);
    expect(await listed(`user_id=nobody&sort=${sort}`)).toEqual([]);
  });

  it.each(["updated_at%20desc", "created_at%20desc"])("filters by status and date, sorted by %s", async (sort) => {
    const { sessions } = await read("/sessions?sort=created_at%20asc");
    const [one, two, three, four] = sessions;
    const closed = await caller.delete(`/sessions/${two.id}`, { reason: "done" });
    expect(closed.status, JSON.stringify(closed.body)).toBe(200);
    await eventually(async () => expect(await listed(`status=closed&sort=${sort}`)).toEqual(["two"]));
    expect(await listed(`status=active&user_id=ben&sort=${sort}`)).toEqual(["four"]);
    const [from, to] = [three.created_at, four.created_at].map(encodeURIComponent);
    expect(await listed(`created_after=${from}&sort=${sort}`)).toEqual(["four", "three"]);
    expect(await listed(`created_before=${to}&created_after=${from}&agent_id=clerk&sort=${sort}`)).toEqual([
      "four",
      "three",
    ]);
    expect(await listed(`created_before=${encodeURIComponent(one.created_at)}&sort=${sort}`)).toEqual(["one"]);
  });

  it("shows a page, and whether there is another one", async () => {
    await eventually(async () => expect(await listed("")).toHaveLength(4));
    const { sessions, pagination } = await read("/sessions?limit=2&offset=1");
    const next_cursor = expect.any(String);
    expect(pagination).toEqual({ total: 4, limit: 2, offset: 1, has_next: true, next_cursor });
    expect(Object.keys(sessions[0]).sort()).toEqual(
      [
        "agent_id",
        "created_at",
        "id",
        "message_count",
        "status",
        "title",
        "total_tokens",
        "updated_at",
        "user_id",
      ].sort(),
    );
  });

  it.each([
    ["sort=title", "sort"],
    ["sort=created_at%20sideways", "sort"],
    ["status=open", "status"],
    ["limit=101", "limit"],
    ["offset=-1", "offset"],
    ["created_after=yesterday", "created_after"],
  ])("refuses %s", async (query, field) => {
    const answer = await caller.get(`/sessions?${query}`);
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual([field]);
  });
});

describe("adding messages", () => {
  it("counts exact o200k_base tokens, and updates the session's counters", async () => {
    const { id } = await begin();
    const contents = ["Hello, 世界! <|endoftext|>", "Grüezi 👋🏽 wohl"];
    const first = await say(id, contents[0] ?? "", "user", { metadata: { lang: "en" } });
    const tokens = contents.map((content) => countTokens(content, { disallowedSpecial: new Set() }));
    expect(first).toEqual({
      id,
      message_id: expect.stringMatching(/^msg_/),
      role: "user",
      content: contents[0],
      metadata: { lang: "en" },
      tokens: tokens[0],
      session_tokens: tokens[0],
      occurred_at: first.created_at,
      created_at: expect.stringMatching(ISO),
    });
    const second = await say(id, contents[1] ?? "", "assistant");
    expect(second.session_tokens).toBe((tokens[0] ?? 0) + (tokens[1] ?? 0));
    const session = await read(`/sessions/${id}`);
    expect(session).toMatchObject({ message_count: 2, total_tokens: second.session_tokens, version: 1 });
    expect(session.updated_at).toBe(second.created_at);
    const { messages, session_stats } = await read(`/sessions/${id}/messages`);
    expect(messages[0]).toEqual({
      id: first.message_id,
      role: "user",
      content: contents[0],
      metadata: { lang: "en" },
      tokens: tokens[0],
      occurred_at: first.created_at,
      created_at: first.created_at,
    });
    expect(session_stats).toEqual({
      total_messages: 2,
      total_tokens: second.session_tokens,
      compression_ratio: 1,
    });
  });

  it.each([
    ["a role outside the three", { role: "tool" }, "role"],
    ["no role", { role: undefined }, "role"],
    ["no content", { content: undefined }, "content"],
    ["white space", { content: " \n " }, "content"],
    ["content that is no text", { content: { text: "x" } }, "content"],
    ["more than 100,000 characters", { content: "x".repeat(100_001) }, "content"],
    ["metadata that is too large", { metadata: { a: "x".repeat(17_000) } }, "metadata"],
  ])("refuses %s", async (_, fields, field) => {
    const { id } = await begin();
    const answer = await caller.post(`/sessions/${id}/messages`, { role: "user", content: "x", ...fields });
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual([field]);
    expect((await read(`/sessions/${id}`)).message_count).toBe(0);
  });

  it("accepts 100,000 characters of any script, and returns them unchanged", async () => {
    const { id } = await begin();
    for (const unit of ["The harvest was good. ", "漢字かな", "👩‍👩‍👧 "]) {
      const content = unit.repeat(Math.floor(100_000 / unit.length));
      await say(id, content);
      const stored = (await said(id)).at(-1);
      expect(stored === content, "reads back what was written").toBe(true);
    }
    expect((await read(`/sessions/${id}/context`)).context_stats.compressed_tokens).toBeLessThanOrEqual(8192);
  });

  it("adds one message for one Idempotency-Key", async () => {
    const { id } = await begin();
    const send = () =>
      caller.post(
        `/sessions/${id}/messages`,
        { role: "user", content: "Once" },
        { headers: { "idempotency-key": "say-1" } },
      );
    expect((await send()).body.data.message_id).toBe((await send()).body.data.message_id);
    expect(await said(id)).toEqual(["Once"]);
  });

  it(`keeps all messages and the order of ${WRITERS} concurrent writers`, async () => {
    const { id } = await begin();
    const answers = await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => [
        await say(id, `${writer} first`),
        await say(id, `${writer} second`, "assistant"),
      ]),
    );
    const all = await said(id);
    expect(all.toSorted()).toEqual(
      answers
        .flat()
        .map(({ content }) => content)
        .toSorted(),
    );
    for (let writer = 0; writer < WRITERS; writer++) {
      expect(all.indexOf(`${writer} first`)).toBeLessThan(all.indexOf(`${writer} second`));
    }
    const { messages } = await read(`/sessions/${id}/messages?limit=200`);
    const times = messages.map(({ created_at }: { created_at: string }) => created_at);
    expect(times).toEqual([...new Set(times)].sort());
    const session = await read(`/sessions/${id}`);
    expect(session.message_count).toBe(2 * WRITERS);
    expect(session.total_tokens).toBe(
      messages.reduce((sum: number, { tokens }: { tokens: number }) => sum + tokens, 0),
    );
  });
});

describe("limits of a session", () => {
  it("allow max_messages messages and no more, until max_messages is raised", async () => {
    const { id } = await begin({ config: { max_messages: 2 } });
    await say(id, "one");
    await say(id, "two");
    const refused = await caller.post(`/sessions/${id}/messages`, { role: "user", content: "three" });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatchObject({
      code: "MESSAGE_LIMIT_EXCEEDED",
      details: { session_id: id, max_messages: 2, message_count: 2 },
    });
    await caller.put(`/sessions/${id}`, { config: { max_messages: 3 } });
    await say(id, "three");
    expect(await said(id)).toEqual(["one", "two", "three"]);
  });

  it("apply to many concurrent writers", async () => {
    const { id } = await begin({ config: { max_messages: 3 } });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, place) =>
        caller.post(`/sessions/${id}/messages`, { role: "user", content: `message ${place}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(await said(id)).toHaveLength(3);
  });

  it("without compression refuse a message that does not fit into the window, and store nothing of it", async () => {
    const { id } = await begin({ config: { context_window: 10, compression_enabled: false } });
    await say(id, "one two three four five");
    const refused = await caller.post(`/sessions/${id}/messages`, {
      role: "user",
      content: "six seven eight nine ten eleven twelve",
    });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatchObject({
      code: "CONTEXT_WINDOW_EXCEEDED",
      details: { session_id: id, context_window: 10, context_tokens: 5, message_tokens: 7 },
    });
    expect(await said(id)).toHaveLength(1);
    await say(id, "a b c d e");
    expect((await read(`/sessions/${id}`)).total_tokens).toBe(10);
  });

  it("exclude messages to a closed session", async () => {
    const { id } = await begin();
    await say(id, "Hello");
    expect((await caller.delete(`/sessions/${id}`, { reason: "done" })).status).toBe(200);
    for (const [path, body] of [
      ["messages", { role: "user", content: "More" }],
      ["context", { context_updates: {} }],
    ] as const) {
      const answer = await caller.post(`/sessions/${id}/${path}`, body);
      expect([answer.status, answer.body.error?.code]).toEqual([409, "SESSION_CLOSED"]);
    }
    expect(await said(id)).toEqual(["Hello"]);
    expect((await read(`/sessions/${id}/context`)).context.conversation_history).toHaveLength(1);
  });
});

describe("listing messages", () => {
  const WORDS = ["zero", "one", "two", "three", "four", "five", "six"];
  let id: string;
  let times: string[];

  beforeEach(async () => {
    ({ id } = await begin());
    times = [];
    for (const [place, word] of WORDS.entries()) {
      times.push((await say(id, word, ["user", "assistant", "system"][place % 3])).created_at);
    }
  });

  it("returns pages, oldest first", async () => {
    const page = await read(`/sessions/${id}/messages?limit=3&offset=2`);
    expect(page.messages.map(({ content }: { content: string }) => content)).toEqual(["two", "three", "four"]);
    expect(page.pagination).toEqual({ total: 7, limit: 3, offset: 2, has_next: true });
    const last = await read(`/sessions/${id}/messages?limit=3&offset=6`);
    expect(last.pagination).toEqual({ total: 7, limit: 3, offset: 6, has_next: false });
    expect((await read(`/sessions/${id}/messages?offset=7`)).messages).toEqual([]);
    expect((await read(`/sessions/${id}/messages`)).pagination).toMatchObject({ limit: 50, offset: 0 });
  });

  it("filters by role", async () => {
    expect(await said(id, "&role=user")).toEqual(["zero", "three", "six"]);
    const page = await read(`/sessions/${id}/messages?role=assistant&limit=1`);
    expect(page.pagination).toEqual({ total: 2, limit: 1, offset: 0, has_next: true });
    expect(page.session_stats.total_messages).toBe(7);
  });

  it("returns the messages after a given time, so that polling with the last time misses none", async () => {
    const after = (time = "") => `&after=${encodeURIComponent(time)}`;
    for (const [place, time] of times.entries()) {
      expect(await said(id, after(time))).toEqual(WORDS.slice(place + 1));
    }
    expect(await said(id, after("2020-01-01"))).toEqual(WORDS);
    expect(await said(id, after("2099-01-01T00:00:00%2B02:00".replace("%2B", "+")))).toEqual([]);
    expect(await said(id, `${after(times[2])}&role=user`)).toEqual(["three", "six"]);
    const page = await read(`/sessions/${id}/messages?limit=2&offset=1${after(times[1])}`);
    expect(page.messages.map(({ content }: { content: string }) => content)).toEqual(["three", "four"]);
    expect(page.pagination).toEqual({ total: 5, limit: 2, offset: 1, has_next: true });
  });

  it.each([
    ["after=garbage", "after"],
    ["after=2026-13-45", "after"],
    ["after=12345", "after"],
    ["role=tool", "role"],
    ["limit=201", "limit"],
    ["limit=0", "limit"],
    ["offset=-1", "offset"],
    ["offset=10001", "offset"],
  ])("refuses %s", async (query, field) => {
    const answer = await caller.get(`/sessions/${id}/messages?${query}`);
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual([field]);
  });
});

describe("content larger than a response", () => {
  /** The maximum size of a function's response, which contains the answer as JSON within JSON. */
  const MAX_BYTES = 6 * 1024 * 1024;
  const bytesOf = ({ bytes }: { bytes: Buffer }) => Buffer.byteLength(JSON.stringify(bytes.toString("utf8")));
  const MESSAGES = 15;
  let id: string;

  /** Quotes are escaped twice, which takes the most space in an answer. */
  beforeEach(async () => {
    ({ id } = await begin({ config: { context_window: 1_000_000 } }));
    for (let place = 0; place < MESSAGES; place++) await say(id, '"'.repeat(100_000));
  }, 60_000);

  it("is refused for a page, and the error says how many messages fit", async () => {
    const refused = await caller.get(`/sessions/${id}/messages`);
    expect([refused.status, refused.body.error?.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    const { max_limit } = refused.body.error.details;
    expect(max_limit).toBeGreaterThan(MESSAGES / 2);
    const page = await caller.get(`/sessions/${id}/messages?limit=${max_limit}`);
    expect(page.status).toBe(200);
    expect(page.body.data.pagination).toEqual({ total: MESSAGES, limit: max_limit, offset: 0, has_next: true });
    expect(bytesOf(page)).toBeLessThan(MAX_BYTES);
    const rest = await read(`/sessions/${id}/messages?offset=${max_limit}`);
    expect(page.body.data.messages.length + rest.messages.length).toBe(MESSAGES);
  });

  it("is refused for a context until its window is made smaller", async () => {
    const refused = await caller.get(`/sessions/${id}/context`);
    expect([refused.status, refused.body.error?.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    const { total_tokens } = await read(`/sessions/${id}`);
    const context_window = Math.floor(total_tokens / 2);
    expect((await caller.put(`/sessions/${id}`, { config: { context_window } })).status).toBe(200);
    await eventually(async () => {
      const answer = await caller.get(`/sessions/${id}/context`);
      expect(answer.status).toBe(200);
      expect(bytesOf(answer)).toBeLessThan(MAX_BYTES);
    });
  });
});
