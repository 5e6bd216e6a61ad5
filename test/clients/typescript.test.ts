import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  MemoryClient,
  NotFoundError,
  RateLimitError,
  webhooks,
} from "../../clients/typescript/src/index.ts";
import { type LocalService, openService } from "../support/service.ts";

const USER = { user_id: "ada" };

let service: LocalService;
let client: MemoryClient;

beforeAll(async () => {
  service = await openService();
  client = clientOf();
});
afterAll(() => service.close());

/** Returns a client whose requests go to the service in this process, through `send`. */
function clientOf(send: (request: Request) => Promise<Response> | Response = serve, apiKey = service.adminKey) {
  const toRequest = (input: string | URL | Request, init?: RequestInit) => send(new Request(input, init));
  return new MemoryClient({ baseUrl: "http://service.test", apiKey, fetch: toRequest as typeof fetch });
}

const serve = (request: Request) => service.host.app.fetch(request);

describe("the TypeScript client", () => {
  it("stores, recalls, finds, reads, changes and deletes a memory", async () => {
    const stored = await client.remember({ content: "My sister Ada drinks green tea.", ...USER });
    const recalled = await client.recall("What does Ada drink?", { ...USER, max_tokens: 100 });
    expect(recalled.context).toContain("green tea");
    const found = await client.search("green tea", { filters: USER });
    expect(found.results[0]?.id).toBe(stored.id);
    const changed = await client.update(stored.id, { content: "My sister Ada drinks black tea." }, { ifVersion: 1 });
    expect(changed.version).toBe(2);
    await expect(client.update(stored.id, { content: "No." }, { ifVersion: 1 })).rejects.toThrow(ConflictError);
    expect((await client.get(stored.id)).content).toBe("My sister Ada drinks black tea.");
    expect(await client.profile("ada")).toMatchObject(USER);
    await client.forget(stored.id);
    await expect(client.get(stored.id)).rejects.toMatchObject({ code: "MEMORY_NOT_FOUND", status: 404 });
    await expect(client.get(stored.id)).rejects.toThrow(NotFoundError);
  });

  it("reads page after page", async () => {
    for (let count = 0; count < 5; count++) await client.remember({ content: `Note ${count}`, user_id: "pages" });
    const texts: string[] = [];
    for await (const { content } of client.list({ user_id: "pages", limit: 2 })) texts.push(content);
    expect(texts.sort()).toEqual(["Note 0", "Note 1", "Note 2", "Note 3", "Note 4"]);
  });

  it("misses nothing when memories are deleted between pages", async () => {
    for (let count = 0; count < 6; count++) await client.remember({ content: `Entry ${count}`, user_id: "going" });
    const texts: string[] = [];
    for await (const { id, content } of client.list({ user_id: "going", limit: 2 })) {
      texts.push(content);
      await client.forget(id);
    }
    expect(texts).toHaveLength(6);
  });

  it("appends messages to sessions and adds sources", async () => {
    const session = await client.sessions.create({ agent_id: "helper", ...USER });
    const added = await client.sessions.append(session.id, { role: "user", content: "Good morning." });
    expect(added).toMatchObject({ content: "Good morning." });
    expect(
      await client.sources.add({ type: "text", content: "Tea is kept in the blue tin.", title: "Pantry" }),
    ).toBeDefined();
  });

  it("reads a session's messages and its context", async () => {
    const { id } = await client.sessions.create({ agent_id: "helper", ...USER });
    for (let count = 0; count < 5; count++) {
      await client.sessions.append(id, { role: "user", content: `Message ${count}` });
    }
    const texts: string[] = [];
    for await (const { content } of client.sessions.messages(id, { limit: 2 })) texts.push(content);
    expect(texts).toEqual([0, 1, 2, 3, 4].map((count) => `Message ${count}`));
    expect((await client.sessions.context(id)).context.conversation_history).toHaveLength(5);
  });

  it("stores many memories, and reads, corrects and retracts their facts", async () => {
    const { created, failed } = await client.rememberMany([
      { content: "I live in Bern.", user_id: "fay", occurred_at: "2024-01-01" },
      { content: "I live in Oslo.", user_id: "fay", occurred_at: "2025-01-01" },
      { content: "" },
    ]);
    expect([created.length, failed.length]).toEqual([2, 1]);
    const homes = async (as_of?: string) => {
      const facts = [];
      for await (const fact of client.facts.list({ user_id: "fay", attribute: "lives_in", status: "current", as_of }))
        facts.push(fact);
      return facts;
    };
    const [home] = await homes();
    expect(home).toMatchObject({ value: "Oslo" });
    expect(await homes("2024-06-01")).toMatchObject([{ value: "Bern" }]);
    const id = home?.id ?? "";
    expect(await client.facts.correct(id, { value: "Bergen" }, { ifVersion: home?.version ?? 0 })).toMatchObject({
      value: "Bergen",
    });
    expect((await client.facts.get(id)).value).toBe("Bergen");
    expect(await client.facts.retract(id)).toMatchObject({ status: "retracted" });
  });

  it("reads what became of a job", async () => {
    await expect(client.event("evt_unknown")).rejects.toThrow(NotFoundError);
  });

  it("tells refusals apart by their class, with the service's code, details and request id", async () => {
    await expect(clientOf(serve, "no-such-key").remember("Hello there.")).rejects.toThrow(AuthenticationError);
    const refusal = await client.recall("", { ...USER }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(InvalidRequestError);
    expect(refusal).toMatchObject({ status: 400, requestId: expect.stringMatching(/./) });
    expect(() => new MemoryClient({ baseUrl: "http://service.test" })).toThrow("apiKey");
  });

  it("sends a POST again with the same idempotency key, so that it is done once", async () => {
    const keys: (string | null)[] = [];
    const flaky = clientOf(async (request) => {
      keys.push(request.headers.get("idempotency-key"));
      const answer = await serve(request);
      if (keys.length === 1) throw new TypeError("connection reset");
      return answer;
    });
    await flaky.remember({ content: "Stored once.", user_id: "once" });
    let stored = 0;
    for await (const _memory of client.list({ user_id: "once" })) stored++;
    expect([keys.length, new Set(keys).size, stored]).toEqual([2, 1, 1]);
  });

  it("gives up where waiting does not help", async () => {
    let count = 0;
    const limited = clientOf(() => {
      count++;
      return Response.json(
        { success: false, error: { code: "RATE_LIMITED", message: "Wait." } },
        { status: 429, headers: { "retry-after": "3600" } },
      );
    });
    await expect(limited.get("mem_1")).rejects.toThrow(RateLimitError);
    expect(count).toBe(1);
    const silent = new MemoryClient({ baseUrl: "http://127.0.0.1:9", apiKey: "none", maxRetries: 0 });
    await expect(silent.get("mem_1")).rejects.toThrow(ConnectionError);
  });

  it("ends a request when the caller's signal says so", async () => {
    const hanging = clientOf(
      ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );
    await expect(hanging.get("mem_1", { signal: AbortSignal.timeout(20) })).rejects.toThrow("timeout");
  });

  it.each(["whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw==", "a secret of 16 or more"])(
    "verifies deliveries signed with %s",
    async (secret) => {
      const now = 1_760_000_000_000;
      const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret);
      const body = JSON.stringify({ type: "memory.created" });
      const signature = createHmac("sha256", key)
        .update(`evt_1.${now / 1000}.${body}`)
        .digest("base64");
      const headers = {
        "webhook-id": "evt_1",
        "webhook-timestamp": String(now / 1000),
        "webhook-signature": `v1,AAAA v1,${signature}`,
      };
      expect(await webhooks.verify({ secret, headers, body, now })).toEqual({ type: "memory.created" });
      await expect(webhooks.verify({ secret, headers, body: `${body} `, now })).rejects.toThrow("No signature");
      await expect(webhooks.verify({ secret, headers, body, now: now + 600_000 })).rejects.toThrow("too old");
      await expect(webhooks.verify({ secret, headers: {}, body, now })).rejects.toThrow("lacks");
    },
  );
});
