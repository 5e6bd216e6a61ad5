import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
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

const SUPPORT = [
  "user: Hi! I can't log in to my account since yesterday, it says error 403.",
  "assistant: I'm sorry to hear that. Which browser are you using?",
  "user: Firefox 128 on Ubuntu. I prefer Firefox over Chrome.",
  "assistant: Thank you. I'll reset your session tokens and send you a mail.",
  "user: Great, please also update my billing address to 12 Baker Street, London.",
  "assistant: Your billing address is now 12 Baker Street, London. The session tokens have been reset.",
  "user: That worked, thanks! I can log in again.",
  "assistant: I will schedule the upgrade to the Pro plan for Monday.",
];

/** Creates a session without memories, so that its context does not depend on the progress of workers. */
async function begin({ config = {}, ...fields }: { config?: object; [field: string]: unknown } = {}): Promise<string> {
  const given = { agent_id: "guide", user_id: "ada", config: { memory: "off", ...config }, ...fields };
  const { status, body } = await caller.post("/sessions", given);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.id;
}

async function talk(id: string, lines: string[]): Promise<void> {
  for (const line of lines) {
    const [role, content] = line.split(/: (.*)/s, 2);
    const { status, body } = await caller.post(`/sessions/${id}/messages`, { role, content });
    expect(status, JSON.stringify(body)).toBe(201);
  }
}

async function contextOf(id: string) {
  const { status, body } = await caller.get(`/sessions/${id}/context`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

async function update(id: string, body: object) {
  const answer = await caller.post(`/sessions/${id}/context`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
}

const contents = (history: { role: string; content: string }[]) =>
  history.map(({ role, content }) => `${role}: ${content}`);

async function saidIn(id: string): Promise<string[]> {
  const { body } = await caller.get(`/sessions/${id}/messages?limit=200`);
  return contents(body.data.messages);
}

describe("the context of a session", () => {
  it("contains the current facts about its subject, and their former values, within the window", async () => {
    const said = (daysAgo: number, content: string) => {
      const occurred_at = new Date(Date.now() - daysAgo * 86_400_000).toISOString();
      return caller.post("/memories", { user_id: "ada", content, occurred_at });
    };
    await said(300, "I live in Berlin.");
    await said(2, "I live in Hamburg.");
    await said(200, "I am allergic to peanuts.");
    const id = await begin();
    await talk(id, ["user: Where can I rent a bike in Hamburg, where I live?"]);
    const { user_facts } = (await contextOf(id)).context;
    expect(user_facts.current).toMatchObject([{ text: "lives in: Hamburg" }]);
    expect(user_facts.changed).toMatchObject([{ text: expect.stringMatching(/Hamburg.*was Berlin until \d{4}-/) }]);
    const narrow = await begin({ config: { context_window: 14 } });
    await talk(narrow, ["user: Where can I rent a bike in Hamburg, where I live?"]);
    expect((await contextOf(narrow)).context.user_facts).toEqual({ current: [], changed: [] });
    const other = await begin({ user_id: "bob" });
    await talk(other, ["user: I live in Hamburg."]);
    expect((await contextOf(other)).context.user_facts).toEqual({ current: [], changed: [] });
  });

  it("without messages is empty except for what the client stored", async () => {
    const id = await begin({ initial_context: { city: "Zurich" } });
    expect(await contextOf(id)).toEqual({
      session_id: id,
      context: {
        conversation_history: [],
        user_preferences: { from_session: [], from_memories: [] },
        session_state: { current_topic: null, open_issues: [], resolved_issues: [], pending_actions: [] },
        compressed_context: { summary: "", key_points: [], compression_ratio: 1 },
        user_facts: { current: [], changed: [] },
        variables: { city: "Zurich" },
      },
      context_stats: { original_tokens: 0, compressed_tokens: 0, compression_ratio: 1, retention_percentage: 100 },
    });
  });

  it("contains the history, the state, the preferences and the gist of a short session", async () => {
    const id = await begin();
    await talk(id, SUPPORT);
    const { context, context_stats } = await contextOf(id);
    expect(contents(context.conversation_history)).toEqual(SUPPORT);
    expect(context.conversation_history[0].timestamp).toMatch(/Z$/);
    expect(context.session_state).toEqual({
      current_topic: expect.stringMatching(/Pro plan|upgrade|address/),
      open_issues: [],
      resolved_issues: ["I can't log in to my account since yesterday, it says error 403."],
      pending_actions: ["I will schedule the upgrade to the Pro plan for Monday."],
    });
    expect(context.user_preferences.from_session).toEqual(["I prefer Firefox over Chrome"]);
    expect(context.compressed_context.summary).toContain("Baker Street");
    expect(context.compressed_context.key_points.length).toBeGreaterThan(0);
    expect(context.compressed_context.compression_ratio).toBeLessThan(0.7);
    const { body } = await caller.get(`/sessions/${id}`);
    expect(context_stats).toEqual({
      original_tokens: body.data.total_tokens,
      compressed_tokens: body.data.total_tokens,
      compression_ratio: 1,
      retention_percentage: 100,
    });
    expect((await contextOf(id)).context).toEqual(context);
  });

  it("includes each new message", async () => {
    const id = await begin();
    await talk(id, ["user: The printer is broken."]);
    expect((await contextOf(id)).context.session_state.open_issues).toEqual(["The printer is broken."]);
    await talk(id, ["assistant: I replaced the drum.", "user: The printer works now. I like quiet printers."]);
    const { session_state, user_preferences } = (await contextOf(id)).context;
    expect(session_state).toMatchObject({ open_issues: [], resolved_issues: ["The printer is broken."] });
    expect(user_preferences.from_session).toEqual(["I like quiet printers"]);
  });

  it("contains the user's newest memories of preferences, and nobody else's", async () => {
    const remember = async (by: Caller, fields: object) => {
      const options = { extract_facts: false, extract_entities: false };
      const { status } = await by.post("/memories", { content: "Ada prefers tea.", options, ...fields });
      expect(status).toBe(201);
    };
    await remember(caller, { content: "Ada prefers window seats.", type: "preference", user_id: "ada" });
    await remember(caller, { content: "Ada likes it quiet.", category: "preference", user_id: "ada" });
    await remember(caller, { content: "Ada was born in May.", type: "fact", user_id: "ada" });
    await remember(caller, { content: "Ben prefers coffee.", type: "preference", user_id: "ben" });
    await remember(await target.organization(), { type: "preference", user_id: "ada" });
    const id = await begin();
    await eventually(async () => {
      const { from_memories } = (await contextOf(id)).context.user_preferences;
      expect(from_memories).toEqual([
        { id: expect.stringMatching(/^mem_/), content: "Ada likes it quiet." },
        { id: expect.stringMatching(/^mem_/), content: "Ada prefers window seats." },
      ]);
    });
  });
});

describe("a session that outgrows its window", () => {
  const WINDOW = 120;
  const lines = Array.from({ length: 60 }, (_, place) => {
    const role = place % 2 === 0 ? "user" : "assistant";
    return `${role}: The parcel number ${1000 + place} went from Zurich to Lisbon on day ${place}.`;
  });

  it("keeps the newest messages and a summary of the rest within the window, and all messages readable", async () => {
    const id = await begin({ config: { context_window: WINDOW } });
    for (let place = 0; place < lines.length; place += 6) {
      await talk(id, lines.slice(place, place + 6));
      const { context, context_stats } = await contextOf(id);
      expect(context_stats.compressed_tokens).toBeLessThanOrEqual(WINDOW);
      const history = contents(context.conversation_history);
      expect(history).toEqual(lines.slice(0, place + 6).slice(-history.length));
      expect(history.length).toBeGreaterThan(0);
    }
    const { context, context_stats } = await contextOf(id);
    expect(context.compressed_context.summary).not.toBe("");
    expect(context.compressed_context.key_points.length).toBeGreaterThan(0);
    expect(context.compressed_context.compression_ratio).toBeLessThan(0.3);
    expect(context_stats.retention_percentage).toBeLessThan(100);
    expect(context_stats.retention_percentage).toBeGreaterThan(0);
    expect(await saidIn(id)).toEqual(lines);
    const { body } = await caller.get(`/sessions/${id}`);
    expect(body.data.total_tokens).toBe(context_stats.original_tokens);
    expect(body.data.context_compression_ratio).toBe(context_stats.compression_ratio);
    expect(context_stats.compression_ratio).toBeCloseTo(
      context_stats.compressed_tokens / context_stats.original_tokens,
      4,
    );
  });

  it("keeps the state that was mentioned long ago", async () => {
    const id = await begin({ config: { context_window: WINDOW } });
    await talk(id, ["user: I prefer window seats.", "user: Please book a table for Ada's birthday.", ...lines]);
    const { context } = await contextOf(id);
    expect(context.user_preferences.from_session).toEqual(["I prefer window seats"]);
    expect(context.session_state.pending_actions).toEqual(["Please book a table for Ada's birthday."]);
  });

  it("accepts a message larger than the whole window, which then appears only in the summary", async () => {
    const id = await begin({ config: { context_window: WINDOW } });
    const large = `user: ${"The quarterly report of the Lisbon office names 42 parcels. ".repeat(40).trim()}`;
    await talk(id, [lines[0] ?? "", large]);
    const { context, context_stats } = await contextOf(id);
    expect(context.conversation_history).toEqual([]);
    expect(context.compressed_context.summary).toContain("Lisbon");
    expect(context_stats.compressed_tokens).toBeLessThanOrEqual(WINDOW);
    expect(await saidIn(id)).toEqual([lines[0], large]);
    await talk(id, [lines[1] ?? ""]);
    expect(contents((await contextOf(id)).context.conversation_history)).toEqual([lines[1]]);
  });

  it("is compressed when its window is made smaller", async () => {
    const id = await begin();
    await talk(id, lines);
    expect((await contextOf(id)).context.conversation_history).toHaveLength(lines.length);
    await caller.put(`/sessions/${id}`, { config: { context_window: WINDOW } });
    await eventually(async () => {
      const { context, context_stats } = await contextOf(id);
      expect(context.compressed_context.compression_ratio).toBeLessThan(0.5);
      expect(context_stats.compressed_tokens).toBeLessThanOrEqual(WINDOW);
    });
    expect(await saidIn(id)).toEqual(lines);
  });

  it("without compression shows what fits after its window is made smaller", async () => {
    const id = await begin({ config: { compression_enabled: false } });
    await talk(id, lines.slice(0, 10));
    await caller.put(`/sessions/${id}`, { config: { context_window: WINDOW } });
    const { context, context_stats } = await contextOf(id);
    const history = contents(context.conversation_history);
    expect(history).toEqual(lines.slice(0, 10).slice(-history.length));
    expect(history.length).toBeLessThan(10);
    expect(context.compressed_context).toEqual({ summary: "", key_points: [], compression_ratio: 1 });
    expect(context_stats.compressed_tokens).toBeLessThanOrEqual(WINDOW);
  });
});

describe("updating the context", () => {
  it("merges deeply: null removes, lists and values replace, the rest stays", async () => {
    const id = await begin({ initial_context: { city: "Zurich", trip: { to: "Lisbon", days: 3 }, tags: ["a", "b"] } });
    const { updated_context } = await update(id, {
      context_updates: { city: null, trip: { days: 4, hotel: { name: "Tejo" } }, tags: ["c"], absent: null },
    });
    const expected = { trip: { to: "Lisbon", days: 4, hotel: { name: "Tejo" } }, tags: ["c"] };
    expect(updated_context).toEqual(expected);
    expect((await contextOf(id)).context.variables).toEqual(expected);
    const { body } = await caller.get(`/sessions/${id}`);
    expect(body.data.initial_context, "stays as given").toMatchObject({ city: "Zurich" });
  });

  it("lets the client set the state and the preferences", async () => {
    const id = await begin();
    await talk(id, SUPPORT);
    const session_state = { current_topic: "Billing", pending_actions: [], step: 3 };
    await update(id, { context_updates: { session_state, user_preferences: { tone: "formal", from_session: "x" } } });
    const { context } = await contextOf(id);
    expect(context.session_state).toMatchObject(session_state);
    expect(context.session_state.resolved_issues).toHaveLength(1);
    expect(context.user_preferences).toMatchObject({ tone: "formal", from_session: [expect.any(String)] });
    expect(context.variables).toEqual({});
    await update(id, { context_updates: { session_state: { pending_actions: "none" }, user_preferences: 7 } });
    const odd = (await contextOf(id)).context;
    expect(odd.session_state.pending_actions).toHaveLength(1);
    expect(odd.variables).toMatchObject({ user_preferences: 7, session_state: { pending_actions: "none" } });
  });

  it("loses none of many concurrent updates", async () => {
    const id = await begin();
    const names = ["a", "b", "c", "d", "e"];
    await Promise.all(names.map((name) => update(id, { context_updates: { [name]: true } })));
    expect(Object.keys((await contextOf(id)).context.variables).sort()).toEqual(names);
  });

  it("accepts keys that are names of object properties", async () => {
    const id = await begin();
    const updates = '{"context_updates": {"constructor": {"a": 1}, "toString": "x"}}';
    const answer = await caller.service.request("POST", `/sessions/${id}/context`, { key: caller.key, body: updates });
    expect(answer.body.data.updated_context).toEqual({ constructor: { a: 1 }, toString: "x" });
  });

  it("refuses a context that would be too large, and keeps the former one", async () => {
    const id = await begin();
    await update(id, { context_updates: { a: "x".repeat(9_000) } });
    const answer = await caller.post(`/sessions/${id}/context`, { context_updates: { b: "x".repeat(9_000) } });
    expect(answer.status).toBe(400);
    expect(answer.body.error?.details.fields).toEqual([
      { field: "context_updates", problem: expect.stringContaining("16 KB") },
    ]);
    expect(Object.keys((await contextOf(id)).context.variables)).toEqual(["a"]);
  });

  it.each([
    ["no updates", {}, "context_updates"],
    ["updates that are a list", { context_updates: [1] }, "context_updates"],
    ["an unknown method", { compression_options: { method: "zip" } }, "compression_options.method"],
    [
      "a retention above all",
      { compression_options: { retention_percentage: 101 } },
      "compression_options.retention_percentage",
    ],
    [
      "a retention below none",
      { compression_options: { retention_percentage: -1 } },
      "compression_options.retention_percentage",
    ],
    ["compression neither on nor off", { compression_options: { enabled: 1 } }, "compression_options.enabled"],
  ])("refuses %s", async (_, fields, field) => {
    const id = await begin();
    const updates = "compression_options" in fields ? { context_updates: {} } : {};
    const answer = await caller.post(`/sessions/${id}/context`, { ...updates, ...fields });
    expect(answer.status).toBe(400);
    expect(answer.body.error?.details.fields.map((each: { field: string }) => each.field)).toEqual([field]);
  });
});

describe("compressing the context on request", () => {
  const compress = (id: string, options: object = {}) =>
    update(id, { context_updates: {}, compression_options: options });

  it("summarizes all but the newest messages to the requested retention, and loses none", async () => {
    const id = await begin();
    await talk(id, SUPPORT);
    const { compression_result } = await compress(id, { method: "smart_hybrid", retention_percentage: 80 });
    const { context, context_stats } = await contextOf(id);
    expect(context_stats).toEqual(compression_result);
    expect(compression_result.compressed_tokens).toBeLessThan(compression_result.original_tokens);
    expect(compression_result.retention_percentage).toBeGreaterThanOrEqual(80);
    const history = contents(context.conversation_history);
    expect(history.length).toBeGreaterThanOrEqual(2);
    expect(history.length).toBeLessThan(SUPPORT.length);
    expect(history).toEqual(SUPPORT.slice(-history.length));
    expect(context.compressed_context.summary).toContain("403");
    expect(context.session_state.resolved_issues).toHaveLength(1);
    expect(await saidIn(id)).toEqual(SUPPORT);
  });

  it("can be repeated as the session grows, and continues from the last time", async () => {
    const id = await begin();
    await talk(id, SUPPORT);
    const first = (await compress(id, { method: "aggressive" })).compression_result;
    await talk(id, SUPPORT);
    const second = (await compress(id, { method: "aggressive" })).compression_result;
    expect(second.original_tokens).toBe(2 * first.original_tokens);
    expect(second.compression_ratio).toBeLessThan(1);
    expect(await saidIn(id)).toEqual([...SUPPORT, ...SUPPORT]);
  });

  it("stays within the size of a record, however long the messages and however wide the window", async () => {
    const id = await begin({ config: { context_window: 1_000_000 } });
    /** These words hardly repeat, so a lossless summary is about as long as the text. */
    const word = (place: number) => ((place * 2_654_435_761) % 2 ** 32).toString(36);
    const words = Array.from({ length: 11_000 }, (_, place) => (place % 50 === 0 ? "as was said before" : word(place)));
    await talk(id, [`user: ${words.join(" ")}`, ...SUPPORT.slice(0, 2)]);
    const { compression_result } = await compress(id, { method: "lossless" });
    expect(compression_result.original_tokens).toBeGreaterThan(40_000);
    expect(compression_result.compressed_tokens).toBeLessThan(33_000);
    expect(compression_result.retention_percentage).toBeLessThan(100);
    const { context, context_stats } = await contextOf(id);
    expect(context_stats).toEqual(compression_result);
    expect(contents(context.conversation_history)).toEqual(SUPPORT.slice(0, 2));
  }, 60_000);

  it.each([
    "radix",
    "smart_radix",
    "smart_hybrid",
    "real_best",
    "gzip",
    "extract",
    "balanced",
    "aggressive",
    "conservative",
    "lossless",
    "hybrid",
    "semantic",
    "summarize",
  ])("supports the method %s, which never makes the text longer", async (method) => {
    const id = await begin();
    await talk(id, SUPPORT);
    const { compression_result: result } = await compress(id, { method });
    expect(result.compressed_tokens).toBeLessThanOrEqual(result.original_tokens);
    expect(result.compression_ratio).toBeCloseTo(result.compressed_tokens / result.original_tokens, 4);
    if (["radix", "smart_radix", "gzip", "lossless"].includes(method)) expect(result.retention_percentage).toBe(100);
  });

  it.each([[{ enabled: false }], [undefined]])("does nothing with the options %j", async (compression_options) => {
    const id = await begin();
    await talk(id, SUPPORT);
    const { compression_result } = await update(id, { context_updates: {}, compression_options });
    expect(compression_result).toMatchObject({ compression_ratio: 1, retention_percentage: 100 });
    expect((await contextOf(id)).context.conversation_history).toHaveLength(SUPPORT.length);
  });

  it.each([0, 1, 2])("has nothing to compress in %d messages", async (count) => {
    const id = await begin();
    await talk(id, SUPPORT.slice(0, count));
    expect((await compress(id)).compression_result.compression_ratio).toBe(1);
  });

  it("makes room if automatic compression is off and the window is full", async () => {
    const id = await begin({ config: { compression_enabled: false } });
    await talk(id, SUPPORT);
    const { context_stats } = await contextOf(id);
    await caller.put(`/sessions/${id}`, { config: { context_window: context_stats.original_tokens } });
    const more = { role: "user", content: "And where is the invoice?" };
    const refused = await caller.post(`/sessions/${id}/messages`, more);
    expect(refused.body.error?.code).toBe("CONTEXT_WINDOW_EXCEEDED");
    await compress(id, { method: "aggressive" });
    expect((await caller.post(`/sessions/${id}/messages`, more)).status).toBe(201);
  });
});
