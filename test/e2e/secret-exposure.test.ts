import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SECRET_EXPOSURE, type SeenAs, type Surface } from "../../shared/domain/memory/secret-exposure.ts";
import { startReceiver, type WebhookReceiver } from "../fixtures/webhook-receiver.ts";
import { findLeaks, placesIn } from "../support/canary.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";
import { Caller, eventually } from "../support/target.ts";

const SECRET = "violet-raven-4711";
const TEXT = `Our wifi password is ${SECRET}, and I live in Turku.`;
const OTHER_USER = "*";

let service: LocalService;
let caller: Caller;
let org: string;
let receiver: WebhookReceiver;
let written: { id: string; session: string; answer: unknown };
const logged: string[] = [];
const write = process.stdout.write;

beforeAll(async () => {
  service = await openService({ ALLOW_PRIVATE_TARGETS: "1", LOG_LEVEL: "debug" });
  process.stdout.write = ((chunk: string | Uint8Array) => logged.push(Buffer.from(chunk).toString()) > 0) as never;
  receiver = await startReceiver();
  const made = await createOrganization(service);
  org = made.org;
  caller = new Caller(service, made.key);
  const events = ["memory.created", "secret.detected", "session.message.created", "fact.created"];
  await done("post", "/webhooks", { name: "All", url: receiver.url, events });
  const answer = await done("post", "/memories", { content: TEXT, user_id: "ada" });
  const session = (await done("post", "/sessions", { agent_id: "a", user_id: "ada" })).id;
  await done("post", `/sessions/${session}/messages`, { role: "user", content: TEXT });
  written = { id: answer.id, session, answer };
  await service.runtime.drainChangeFeed();
});
afterAll(async () => {
  process.stdout.write = write;
  await receiver.close();
  await service.close();
});

async function done(method: "get" | "post" | "put", path: string, body?: object) {
  const answer = method === "get" ? await caller.get(path) : await caller[method](path, body);
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body?.data ?? answer.body;
}

const mcp = (name: string, given: object) =>
  done("post", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } });
const ofUser = (user: string) => (user === "ada" ? "&user_id=ada" : "");
const filters = (user: string) => (user === "ada" ? { filters: { user_id: "ada" } } : {});
const anyOf = (user: string) => ({ filters: { user_id: user } });
const QUESTION = "wifi password";

/** Returns the answers of each surface, read as a request about exactly Ada, or as one about everybody (`*`). */
const READ: Record<Surface, (user: string) => Promise<unknown[]>> = {
  write: async () => [written.answer],
  get: async (user) => [await done("get", `/memories/${written.id}?suggest=0${ofUser(user)}`)],
  list: async (user) => [
    await done("get", `/memories?limit=10${ofUser(user)}`),
    await done("post", "/v3/memories", anyOf(user)),
  ],
  search: async (user) => [
    await done("get", `/search?q=wifi+password&threshold=0${ofUser(user)}`),
    await done("post", "/search", { query: QUESTION, ...filters(user), options: { threshold: 0 } }),
    await done("post", "/search/advanced", { query: QUESTION, ...filters(user), options: { threshold: 0 } }),
    await done("post", "/search/hybrid", { query: QUESTION, ...filters(user), options: { threshold: 0 } }),
    await done("post", "/search/enhanced", { query: QUESTION, ...filters(user) }),
    await done("post", "/v3/memories/search", { query: QUESTION, ...anyOf(user), threshold: 0 }),
  ],
  recall: async (user) => [await done("post", "/recall", { query: QUESTION, user_id: user, include: ["why"] })],
  mcp: async (user) => [
    await mcp("recall", { query: QUESTION, user_id: user }),
    await mcp("search", { query: QUESTION, user_id: user }),
    await mcp("list", { user_id: user }),
  ],
  export: async (user) => [await done("post", "/exports", user === "ada" ? { user_id: user } : {})],
  versions: async () => [
    await done("get", `/memories/${written.id}/versions`),
    await done("get", `/v1/memories/${written.id}/history`),
  ],
  facts: async () => [await done("get", "/facts?user_id=ada")],
  profile: async () => [await done("get", "/profiles/ada")],
  session: async () => [
    await done("get", `/sessions/${written.session}/messages`),
    await done("get", `/sessions/${written.session}/context`),
    await done("get", `/sessions/${written.session}/export?format=json`),
  ],
  index: async () => {
    const everything = { org, now: Date.now(), filters: {}, descending: true, offset: 0, limit: 50 };
    return [(await service.runtime.ports.search.browse(everything)).documents];
  },
  webhook: async () => {
    await eventually(async () => expect(receiver.received.length).toBeGreaterThanOrEqual(4));
    return [receiver.received.map(({ body }) => body)];
  },
  log: async () => [logged.filter((line) => line.includes("SECRET_DETECTED")), logged.join("")],
  audit: async () => {
    const { items } = await service.runtime.ports.records.query({ index: "gsi1", pk: `${org}#audit`, limit: 100 });
    return [items];
  },
  // What a backup copies: the records.
  backup: async () => {
    const { items } = await service.runtime.ports.records.query({ pk: `${org}#${written.id}`, limit: 100 });
    return [items];
  },
};

/** What shows that a text is there, and how. */
const EXPECTED: Record<SeenAs, { has: string; hasSecret: boolean }> = {
  "as sent": { has: "wifi password", hasSecret: true },
  placeholder: { has: "[REDACTED:password]", hasSecret: false },
  "type only": { has: "password", hasSecret: false },
};

describe("under mask", () => {
  it.each(Object.keys(SECRET_EXPOSURE) as Surface[])("%s shows what the table says", async (surface) => {
    const { toItsUser, toOthers } = SECRET_EXPOSURE[surface];
    for (const [user, seenAs] of [
      ["ada", toItsUser],
      [OTHER_USER, toOthers],
    ] as const) {
      const { has, hasSecret } = EXPECTED[seenAs];
      for (const answer of await READ[surface](user)) {
        const shown = JSON.stringify(answer);
        // A profile need not have the statement; it has the other one of the text.
        expect(shown, `${surface} for ${user}`).toContain(surface === "profile" ? "Turku" : has);
        expect(shown.includes(SECRET), `${surface} for ${user}: ${shown.slice(0, 400)}`).toBe(hasSecret);
      }
    }
  });

  it("tells webhooks the types alone", async () => {
    const { body } = receiver.received.find((each) => each.body.event === "secret.detected") ?? {};
    expect(body?.secret).toMatchObject({ policy: "mask", types: { password: 1 }, user_id: "ada", refused: false });
  });
});

describe("under redact", () => {
  it("no door leaves a secret in the data folder", async () => {
    const made = await createOrganization(service);
    const other = new Caller(service, made.key);
    const send = async (method: "post" | "put" | "patch" | "delete", path: string, body: unknown) => {
      const answer = await service.request(method.toUpperCase(), path, { key: made.key, body });
      expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
      return answer.body?.data ?? answer.body;
    };
    await send("patch", `/api/v1/orgs/organizations/${made.org}/projects/default`, { secrets_policy: "redact" });
    const secrets = new Map<string, string>();
    const says = (door: string) => {
      const value = `quartz-${door.replace(/\W+/g, "")}-90817`;
      secrets.set(door, value);
      return `I live in Turku. The password of the ${door.replace(/\W+/g, " ")} is ${value}.`;
    };
    const file = (door: string, name: string, text = says(door)) => {
      const form = new FormData();
      form.set("file", new File([text], name));
      return form;
    };
    const { id } = await send("post", "/memories", {
      content: says("POST memories"),
      metadata: { note: says("metadata") },
    });
    await send("put", `/memories/${id}`, { content: says("PUT memories") });
    await send("post", "/memories/process", { content: says("process") });
    await send("post", "/memories/batch", { memories: [{ content: says("batch") }] });
    await send("put", "/memories/batch-update", { updates: [{ id, content: says("batch update") }] });
    const messages = (door: string) => ({ messages: [{ role: "user", content: says(door) }], user_id: "ada" });
    await send("post", "/v3/memories/add", messages("v3"));
    await send("post", "/v3/memories/add", { ...messages("v3 as is"), infer: false });
    await send("post", "/v3/memories/add", { memory: says("v3 memory"), user_id: "ada" });
    await send("post", "/v1/memories", messages("v1"));
    await send("put", `/v1/memories/${id}`, { text: says("v1 update") });
    await send("post", "/mem0/memories", messages("mem0"));
    const call = (name: string, given: object) =>
      send("post", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } });
    await call("remember", { content: says("MCP"), user_id: "ada" });
    await call("update", { id, content: says("MCP update") });
    const session = await send("post", "/sessions", {
      agent_id: "a",
      user_id: "ada",
      config: { memory: "as_they_come" },
      title: says("session title"),
      metadata: { note: says("session metadata") },
      initial_context: { note: says("session context") },
    });
    await send("put", `/sessions/${session.id}`, {
      title: says("new title"),
      metadata: { note: says("new metadata") },
    });
    await send("post", `/sessions/${session.id}/context`, { context_updates: { door: says("context update") } });
    const copy = await send("post", `/sessions/${session.id}/duplicate`, { new_title: says("title of a copy") });
    await send("delete", `/sessions/${copy.id}`, { reason: says("reason"), summary: says("summary") });
    await send("post", `/sessions/${session.id}/messages`, { role: "user", content: says("sessions") });
    const imported = await send("post", "/imports", { memories: [{ content: says("imports"), user_id: "ada" }] });
    const uploaded = await send(
      "post",
      "/imports/upload",
      file("upload", "rows.jsonl", `${JSON.stringify({ content: says("import upload") })}\n`),
    );
    await send("post", "/sources/ingest", { type: "text", content: says("sources"), title: says("title") });
    await send("post", "/sources/upload", file("source upload", "note.md"));
    for (const { event_id } of [imported, uploaded]) {
      await eventually(async () => expect((await other.get(`/events/${event_id}`)).body.status).toBe("completed"));
    }
    await service.runtime.drainChangeFeed();
    await eventually(async () => {
      expect(findLeaks(secrets, placesIn(service.dataDir)).map(({ secret, place }) => `${secret} in ${place}`)).toEqual(
        [],
      );
    });
    const { memories } = (await other.get("/memories?limit=100")).body.data;
    const kept = memories.filter(({ content }: { content: string }) => content.includes("[REDACTED:password]"));
    expect(kept.length).toBeGreaterThanOrEqual(14);
  }, 60_000);
});
