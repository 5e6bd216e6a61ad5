import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startReceiver, type WebhookReceiver } from "../fixtures/webhook-receiver.ts";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let target: Target;
let ada: Caller;
let receiver: WebhookReceiver;

beforeAll(async () => {
  target = await openTarget({ ALLOW_PRIVATE_TARGETS: "1" });
});
afterAll(() => target.close());
beforeEach(async () => {
  ada = await target.organization();
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

async function done(method: "get" | "post" | "put" | "delete", path: string, body?: object) {
  const answer = method === "get" ? await ada.get(path) : await ada[method](path, body);
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body?.data ?? answer.body;
}

const subscribe = (events: string[], more: object = {}) =>
  done("post", "/webhooks", { name: "Archive", url: receiver.url, events, ...more });

const read = async (path: string) => (await ada.get(path)).body.data;
/** Returns a memory as in events: without the field that only holds at the time of reading. */
const readMemory = async (id: string) => {
  const { index: _, ...memory } = await read(`/memories/${id}`);
  return memory;
};

/** Returns the names of the events received so far. */
const names = () => receiver.received.map(({ body }) => body.event).sort();

/** Waits for exactly these events and returns their bodies in this order. */
async function told(...events: string[]) {
  await eventually(async () => expect(names()).toEqual(events.toSorted()));
  const left = receiver.received.map(({ body }) => body);
  return events.map((event) => {
    const position = left.findIndex((body) => body.event === event);
    const [{ id, timestamp, event: _event, ...resource }] = left.splice(position, 1);
    expect(id).toMatch(/^evt_/);
    expect(timestamp).toMatch(ISO);
    return resource;
  });
}

const forget = () => receiver.received.splice(0);

/** Expects no other event: waits until a later event has arrived, and a moment longer. */
async function stays(...events: string[]) {
  await done("post", "/agents", { name: "Marker", model: "m" });
  await eventually(async () => expect(names()).toContain("agent.created"));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(names()).toEqual([...events, "agent.created"].sort());
}

const ALL = [
  ...["created", "updated", "deleted", "expired", "restored"].map((each) => `memory.${each}`),
  ...["created", "closed", "archived", "restored", "message.created"].map((each) => `session.${each}`),
  ...["created", "updated", "deleted", "executed", "reviewed"].map((each) => `skill.${each}`),
  ...["created", "updated", "deleted"].map((each) => `agent.${each}`),
  ...["ingested", "deleted"].map((each) => `source.${each}`),
  "compression.completed",
];

describe("events of memories", () => {
  beforeEach(() => subscribe(ALL));

  it("are sent when a memory is created, changed, restored and deleted, in the API's format", async () => {
    const draft = { content: "Ada prefers tea.", user_id: "u1", category: "taste", metadata: { by: "test" } };
    const made = await done("post", "/memories", draft);
    expect(await told("memory.created")).toEqual([{ memory: made }]);
    forget();
    await done("put", `/memories/${made.id}`, { content: "Ada prefers coffee." });
    const changed = await readMemory(made.id);
    expect(await told("memory.updated")).toEqual([{ memory: changed }]);
    forget();
    await done("post", `/memories/${made.id}/restore`, { version: 1 });
    const restored = await readMemory(made.id);
    expect(restored).toMatchObject({ version: 3, content: made.content });
    expect(await told("memory.restored")).toEqual([{ memory: restored }]);
    forget();
    await done("put", `/memories/${made.id}`, { metadata: { by: "another" } });
    expect(await told("memory.updated")).toMatchObject([{ memory: { version: 4, metadata: { by: "another" } } }]);
    forget();
    await done("delete", `/memories/${made.id}`);
    expect(await told("memory.deleted")).toMatchObject([{ memory: { id: made.id, category: "taste", version: 4 } }]);
  });

  it("are sent when a memory expires, and not for changes that readers cannot see", async () => {
    const { id } = await done("post", "/memories", { content: "Bob lives in Rome." });
    await done("post", `/memories/${id}/feedback`, { rating: 5 });
    await done("post", `/memories/${id}/expire`, {});
    const [, gone] = await told("memory.created", "memory.expired");
    expect(gone.memory).toMatchObject({ id, version: 2, content: "Bob lives in Rome." });
    await stays("memory.created", "memory.expired");
  });

  it("are sent for an imported memory, however long ago it was first stored", async () => {
    const row = { content: "Ada lived in Bern.", created_at: "2021-05-01T08:00:00.000Z", entities: [], facts: [] };
    const { event_id } = await done("post", "/imports", { memories: [row] });
    expect(event_id).toMatch(/^evt_/);
    await eventually(async () => expect(names()).toContain("memory.created"));
    const { body } = receiver.received.find((each) => each.body.event === "memory.created")!;
    expect(body.memory).toMatchObject({ content: row.content, created_at: row.created_at });
    expect(Date.now() - Date.parse(body.timestamp)).toBeLessThan(60_000);
  });

  it("contain long contents whole", async () => {
    const content = `Ada wrote: ${"tea and ".repeat(12_000)}`;
    const { id } = await done("post", "/memories", { content, options: { compress: false, extract_facts: false } });
    expect((await told("memory.created"))[0].memory).toMatchObject({ id, content });
  });

  it("are sent when a memory is compressed in the background", async () => {
    const { id } = await done("post", "/memories", { content: "Alice Johnson moved to Lisbon in March 2024." });
    await told("memory.created");
    forget();
    await done("post", "/compression/pipeline/submit", { memory_id: id, priority: 0 });
    const [{ compression }] = await told("compression.completed");
    const { processing, compression: counts, version } = await read(`/memories/${id}`);
    expect(compression).toMatchObject({ id, memory_id: id, ...counts, processing, version });
  });
});

describe("events of facts", () => {
  beforeEach(() => subscribe(["fact.created", "fact.superseded"]));

  const say = (content: string, occurred_at: string) =>
    done("post", "/memories", { content, user_id: "u1", occurred_at });
  const shown = async () => (await read("/facts?user_id=u1")).facts;

  it("are sent once for each fact and for each that another one closes, in the API's format", async () => {
    await say("I live in Lisbon.", "2026-01-10T09:00:00Z");
    expect(await told("fact.created")).toEqual([{ fact: (await shown())[0] }]);
    forget();
    await say("I live in Berlin.", "2026-05-10T09:00:00Z");
    const [superseded, created] = await told("fact.superseded", "fact.created");
    const [lisbon, berlin] = await shown();
    expect([superseded, created]).toEqual([{ fact: lisbon }, { fact: berlin }]);
    forget();
    // An older statement that arrives late supersedes a fact and is itself superseded.
    await say("I live in Porto.", "2026-03-10T09:00:00Z");
    const pairs = await told("fact.created", "fact.superseded", "fact.superseded");
    expect(pairs.map(({ fact }) => fact.value).sort()).toEqual(["Lisbon", "Porto", "Porto"]);
    forget();
    const { id } = await done("post", "/memories", { content: "It rains.", options: { extract_facts: false } });
    await done("put", `/memories/${id}`, { metadata: { seen: true } });
    await done("put", `/memories/${lisbon.memory_id}`, { metadata: { seen: true } });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(names()).toEqual([]);
  });
});

describe("events of sessions", () => {
  beforeEach(() => subscribe(ALL));

  it("are sent when a session is created, for each message once, and when it is closed and archived", async () => {
    const draft = { agent_id: "helpdesk", user_id: "u1", title: "Tea", initial_context: { from: "mail" } };
    const session = await done("post", "/sessions", draft);
    expect(await told("session.created")).toEqual([{ session }]);
    forget();
    const { message_id } = await done("post", `/sessions/${session.id}/messages`, { role: "user", content: "Tea?" });
    const [message] = (await read(`/sessions/${session.id}/messages`)).messages;
    expect(message.id).toBe(message_id);
    expect(await told("session.message.created")).toEqual([{ message: { session_id: session.id, ...message } }]);
    forget();
    const copy = await done("post", `/sessions/${session.id}/duplicate`, { include_messages: true });
    expect(await told("session.created")).toMatchObject([{ session: { id: copy.id } }]);
    forget();
    await done("delete", `/sessions/${session.id}`, { reason: "answered" });
    expect(await told("session.closed")).toMatchObject([
      { session: { id: session.id, status: "closed", reason: "answered" } },
    ]);
    forget();
    await done("post", `/sessions/${session.id}/archive`, {});
    expect(await told("session.archived")).toMatchObject([{ session: { id: session.id, status: "archived" } }]);
    await stays("session.archived");
    forget();
    await done("post", `/sessions/${session.id}/restore`, {});
    expect(await told("session.restored")).toMatchObject([{ session: { id: session.id, status: "closed" } }]);
    await stays("session.restored");
  });
});

describe("events of skills and agents", () => {
  beforeEach(() => subscribe(ALL));

  it("are sent for a skill from its first version to its deletion", async () => {
    const draft = { name: "Refund", trigger: "a customer asks for a refund", action: "Refund it.", domain: "support" };
    const skill = await done("post", "/skills", draft);
    expect(await told("skill.created")).toEqual([{ skill }]);
    forget();
    await done("put", `/skills/${skill.id}`, { action: "Refund {order}." });
    const changed = await read(`/skills/${skill.id}`);
    expect(await told("skill.updated")).toEqual([{ skill: changed }]);
    forget();
    await done("post", `/reviews/${changed.review_id}`, { approved: true });
    expect(await told("skill.reviewed")).toMatchObject([
      { skill: { id: skill.id, verified: true, human_reviewed: true, review_id: null, version: 2 } },
    ]);
    forget();
    const secret = { order: "no. 4711 of a private customer" };
    const { execution_id } = await done("post", `/skills/${skill.id}/execute`, { context: secret });
    const [executed] = await told("skill.executed");
    expect(executed.skill).toMatchObject({
      id: skill.id,
      execution: { id: execution_id, via: "execute" },
    });
    expect(JSON.stringify(executed)).not.toContain("4711");
    forget();
    await done("delete", `/skills/${skill.id}`);
    expect(await told("skill.deleted")).toMatchObject([{ skill: { id: skill.id, name: "Refund" } }]);
    await stays("skill.deleted");
  });

  it("are sent when an agent is created, changed and deleted", async () => {
    const agent = await done("post", "/agents", { name: "Guide", model: "m", config: { system_prompt: "Be kind." } });
    expect(await told("agent.created")).toEqual([{ agent }]);
    forget();
    const changed = await done("put", `/agents/${agent.id}`, { status: "paused" });
    expect(await told("agent.updated")).toEqual([{ agent: changed }]);
    forget();
    await done("delete", `/agents/${agent.id}`);
    expect(await told("agent.deleted")).toMatchObject([{ agent: { id: agent.id, name: "Guide" } }]);
  });
});

describe("events of sources", () => {
  beforeEach(() => subscribe(ALL));

  it("are sent when a source is ingested and deleted, without its chunks", async () => {
    const content = `# Pier log\n\n${"The pelican flew over the pier. ".repeat(600)}`;
    const { source_id, chunks_created } = await done("post", "/sources/ingest", { content, user_id: "u1" });
    expect(chunks_created).toBeGreaterThan(1);
    const details = (await ada.get(`/sources/${source_id}`)).body;
    const [{ source }] = await told("source.ingested", "memory.created");
    expect(details).toMatchObject(source);
    expect(source).toMatchObject({ id: source_id, status: "active", extraction: { status: "text" }, chunks_created });
    forget();
    await done("delete", `/sources/${source_id}`);
    const [gone] = await told("source.deleted", "memory.deleted");
    expect(gone.source).toMatchObject({ id: source_id });
    await stays("source.deleted", "memory.deleted");
  });

  it("tell that no text was read", async () => {
    const form = new FormData();
    form.set("file", new Blob(["<html><body><img src=x></body></html>"]), "blank.html");
    const { extraction } = await done("post", "/sources/upload", form);
    const [{ source }] = await told("source.ingested", "memory.created");
    expect(source).toMatchObject({ status: "active", extraction });
    expect(extraction).toEqual({ status: "no_text", reason: "it holds no text" });
    expect(source).not.toHaveProperty("error");
  });
});

describe("webhooks that receive an event", () => {
  const remember = (more: object) => done("post", "/memories", { content: "Ada prefers tea.", ...more });

  it.each([
    ["one category", { category: "taste" }, 2],
    ["any of several", { category: ["taste", "travel"] }, 3],
    ["a user", { user_id: "u1" }, 2],
    ["a user and a category", { user_id: "u1", category: ["taste"] }, 1],
  ])("match filters by %s", async (_what, filters, count) => {
    await subscribe(["memory.created"], { filters });
    await subscribe(["agent.created"]);
    await remember({ category: "taste", user_id: "u1" });
    await remember({ category: "taste", user_id: "u2" });
    await remember({ category: "travel", user_id: "u1" });
    await remember({});
    await stays(...Array.from({ length: count }, () => "memory.created"));
  });

  it("match messages by the user of their session", async () => {
    await subscribe(["session.message.created"], { filters: { user_id: "u1" } });
    await subscribe(["agent.created"]);
    for (const user_id of ["u1", "u2"]) {
      const { id } = await done("post", "/sessions", { agent_id: "helpdesk", user_id });
      await done("post", `/sessions/${id}/messages`, { role: "user", content: `I am ${user_id}` });
    }
    await stays("session.message.created");
    expect(receiver.received.map(({ body }) => body.message?.content)).toContain("I am u1");
  });

  it.each(["inactive", "paused"])("are not %s, and do not receive events of that time later", async (status) => {
    const { id } = await subscribe(["memory.created"]);
    await subscribe(["agent.created"]);
    await done("put", `/webhooks/${id}`, { status });
    await remember({});
    await stays();
    await done("put", `/webhooks/${id}`, { status: "active" });
    forget();
    await remember({});
    await stays("memory.created");
  });

  it("belong to the same organization", async () => {
    await subscribe(["memory.created", "agent.created"]);
    const bob = await target.organization();
    await bob.post("/memories", { content: "Bob's own." });
    await stays();
  });

  it("receive the parts of the resource that they select", async () => {
    await subscribe(["memory.created"], { delivery_config: { include_payload: false } });
    await subscribe(["memory.created"], { delivery_config: { include_metadata: false } });
    const { id } = await remember({ metadata: { room: 7 } });
    await told("memory.created", "memory.created");
    const bodies = receiver.received.map(({ body }) => body.memory);
    expect(bodies).toContainEqual({ id });
    const whole = bodies.find(({ content }) => content !== undefined);
    expect(whole).toMatchObject({ id, content: "Ada prefers tea." });
    expect(whole).not.toHaveProperty("metadata");
  });
});
