import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type LoopbackServer, listenOnLoopback, textOf } from "../fixtures/loopback-server.ts";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

const MASKED = "••••••••";
const SECRET = "a-secret-of-the-house";

let target: Target;
let ada: Caller;
const receivers: LoopbackServer[] = [];

beforeAll(async () => {
  target = await openTarget({ ALLOW_PRIVATE_TARGETS: "1" });
});
afterAll(() => target.close());
beforeEach(async () => {
  ada = await target.organization();
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});

interface Received {
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of every shape
  body: any;
}

/** Starts a receiver that records requests and answers by `respond`, with 200 by default. */
async function receive(respond: (response: ServerResponse) => void = (response) => response.end("thanks")) {
  const received: Received[] = [];
  const told = { respond };
  const server = await listenOnLoopback(async (request, response) => {
    const text = await textOf(request);
    received.push({ headers: request.headers, text, body: JSON.parse(text) });
    told.respond(response);
  });
  receivers.push(server);
  return { url: server.url, received, told };
}

const answering =
  (status: number, headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end(`status ${status}`);

async function create(body: object = {}, by = ada) {
  const answer = await by.post("/webhooks", {
    name: "Archive",
    url: "https://hooks.example.com/memories",
    events: ["memory.created"],
    ...body,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

/** Creates a memory, which triggers webhooks. */
async function remember(content = "Ada prefers tea.", more: object = {}): Promise<string> {
  const { status, body } = await ada.post("/memories", { content, ...more });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.id;
}

describe("a webhook", () => {
  it("is created active, with defaults, and its secret is masked", async () => {
    const made = await create({ secret: SECRET, metadata: { team: "house" } });
    expect(made).toMatchObject({
      id: expect.stringMatching(/^whk_/),
      name: "Archive",
      events: ["memory.created"],
      filters: {},
      delivery_config: {
        timeout_ms: 10_000,
        retry_count: 5,
        retry_delay_ms: 5_000,
        retry_backoff: "exponential",
        signature_header: "X-Webhook-Signature",
        include_payload: true,
        include_metadata: true,
      },
      secret: MASKED,
      metadata: { team: "house" },
      status: "active",
      last_delivery: null,
      delivery_stats: { total_deliveries: 0, success_rate: null, p95_delivery_time_ms: null },
    });
    const { body } = await ada.get(`/webhooks/${made.id}`);
    expect(body.data).toEqual(made);
    expect(JSON.stringify(body)).not.toContain("sealed");
  });

  it("without a secret gets one, which only that response contains", async () => {
    const { id, secret } = await create();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await ada.get(`/webhooks/${id}`)).body.data.secret).toBe(MASKED);
  });

  it("is listed newest first, and filtered by status and by event", async () => {
    const first = await create({ events: ["memory.created", "memory.deleted"] });
    const second = await create({ events: ["session.closed"] });
    const third = await create();
    await ada.put(`/webhooks/${third.id}`, { status: "inactive" });
    const ids = async (query = "") => {
      const { status, body } = await ada.get(`/webhooks${query}`);
      expect(status, JSON.stringify(body)).toBe(200);
      return body.data.webhooks.map(({ id }: { id: string }) => id);
    };
    expect(await ids()).toEqual([third.id, second.id, first.id]);
    expect(await ids("?status=active")).toEqual([second.id, first.id]);
    expect(await ids("?status=inactive")).toEqual([third.id]);
    expect(await ids("?event=memory.created")).toEqual([third.id, first.id]);
    expect(await ids("?event=memory.created&status=active")).toEqual([first.id]);
    const { body } = await ada.get("/webhooks?limit=2&offset=2");
    expect(body.data.pagination).toEqual({ total: 3, limit: 2, offset: 2, has_next: false });
  });

  it("changes field by field, including its configuration", async () => {
    const { id, created_at } = await create({
      secret: SECRET,
      delivery_config: { retry_count: 2, retry_delay_ms: 100 },
    });
    const change = {
      name: "Library",
      description: "All of it",
      events: ["memory.deleted"],
      filters: { user_id: "ada" },
    };
    const { status, body } = await ada.put(`/webhooks/${id}`, { ...change, delivery_config: { timeout_ms: 500 } });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ ...change, id, created_at, status: "active" });
    expect(body.data.delivery_config).toMatchObject({
      timeout_ms: 500,
      retry_count: 2,
      retry_delay_ms: 100,
      retry_backoff: "fixed",
    });
    const back = await ada.put(`/webhooks/${id}`, { delivery_config: { retry_delay_ms: null }, status: "paused" });
    expect(back.body.data).toMatchObject({ ...change, status: "paused" });
    expect(back.body.data.delivery_config).toMatchObject({ retry_delay_ms: 5_000, retry_backoff: "exponential" });
    expect((await ada.get(`/webhooks/${id}`)).body.data).toEqual(back.body.data);
  });

  it("is deleted permanently", async () => {
    const { id } = await create();
    const { status, body } = await ada.delete(`/webhooks/${id}`);
    expect([status, body.data.id]).toEqual([200, id]);
    for (const answer of [await ada.get(`/webhooks/${id}`), await ada.delete(`/webhooks/${id}`)]) {
      expect([answer.status, answer.body.error?.code]).toEqual([404, "WEBHOOK_NOT_FOUND"]);
    }
  });
});

describe("the delay between attempts", () => {
  const delayOf = async (id: string, delivery_config: object) => {
    const { status, body } = await ada.put(`/webhooks/${id}`, { delivery_config });
    expect(status, JSON.stringify(body)).toBe(200);
    const { retry_delay_ms, retry_backoff } = body.data.delivery_config;
    return [retry_delay_ms, retry_backoff];
  };
  const DEFAULT = [5_000, "exponential"];

  it("stays unchanged when a client sends a response back", async () => {
    const standard = await create();
    expect(await delayOf(standard.id, standard.delivery_config)).toEqual(DEFAULT);
    const fixed = await create({ delivery_config: { retry_delay_ms: 5_000 } });
    expect(await delayOf(fixed.id, fixed.delivery_config)).toEqual([5_000, "fixed"]);
  });

  it("is the configured one, and the default after a reset", async () => {
    const { id } = await create();
    expect(await delayOf(id, { retry_delay_ms: 700, retry_backoff: "exponential" })).toEqual([700, "fixed"]);
    expect(await delayOf(id, { retry_backoff: "fixed" })).toEqual([700, "fixed"]);
    expect(await delayOf(id, { retry_backoff: "exponential" })).toEqual(DEFAULT);
    expect(await delayOf(id, { retry_backoff: "fixed" })).toEqual([5_000, "fixed"]);
    expect(await delayOf(id, { retry_delay_ms: null })).toEqual(DEFAULT);
  });
});

describe("a webhook is refused", () => {
  const refused = async (change: object) => {
    const valid = { name: "Archive", url: "https://hooks.example.com/", events: ["memory.created"] };
    const made = await ada.post("/webhooks", { ...valid, ...change });
    const { id } = await create();
    const changed = await ada.put(`/webhooks/${id}`, change);
    expect([made.status, changed.status]).toEqual([400, 400]);
    expect(changed.body.error.code).toBe(made.body.error.code);
    return made.body.error;
  };
  const fieldsOf = (error: { details: { fields: { field: string }[] } }) =>
    error.details.fields.map(({ field }) => field);

  it.each([
    "ftp://hooks.example.com/",
    "hooks.example.com",
    "https://ada:secret@hooks.example.com/",
    "javascript:alert(1)",
  ])("with the URL %s", async (url) => expect((await refused({ url })).code).toBe("URL_NOT_ALLOWED"));

  it.each([[["memory.eaten"]], [["memory.*"]], [[]], ["memory.created"], [[1]]])("with the events %j", async (events) =>
    expect(fieldsOf(await refused({ events }))[0]).toMatch(/^events/),
  );

  it.each([
    { category: 7 },
    { category: [] },
    { category: ["tea", 7] },
    { category: { is: "tea" } },
    { user_id: ["ada"] },
    { user_id: "" },
    { type: "fact" },
    "tea",
    ["tea"],
  ])("with the filters %j", async (filters) => expect(fieldsOf(await refused({ filters }))[0]).toMatch(/^filters/));

  it.each(["too-short-secret".slice(1), "", "x".repeat(257), 7])("with the secret %j", async (secret) => {
    expect(fieldsOf(await refused({ secret }))).toEqual(["secret"]);
  });

  it.each([
    { signature_header: "X-Signatur-für-Ada" },
    { signature_header: "X Signature" },
    { signature_header: "Content-Type" },
    { signature_header: "webhook-signature" },
    { signature_header: "X-Tea\r\nX-Coffee" },
    { timeout_ms: 99 },
    { timeout_ms: 30_001 },
    { timeout_ms: 1000.5 },
    { retry_count: -1 },
    { retry_count: 21 },
    { retry_delay_ms: 99 },
    { retry_delay_ms: 86_400_001 },
    { retry_backoff: "linear" },
    { include_payload: "yes" },
    { include_metadata: 1 },
  ])("with %j", async (delivery_config) => {
    expect(fieldsOf(await refused({ delivery_config }))).toEqual([
      `delivery_config.${Object.keys(delivery_config)[0]}`,
    ]);
  });

  it("that would send data that its creator may not read", async () => {
    const { body } = await ada.post("/api-keys", { name: "clerk", permissions: ["agents:manage", "agents:read"] });
    const clerk = ada.as(body.data.key);
    const definition = {
      name: "Archive",
      url: "https://hooks.example.com/",
      events: ["agent.created", "memory.created"],
    };
    const { status, body: answer } = await clerk.post("/webhooks", definition);
    expect([status, answer.error?.code, answer.error?.details.events]).toEqual([403, "FORBIDDEN", ["memory.created"]]);
    expect((await clerk.post("/webhooks", { ...definition, events: ["agent.created"] })).status).toBe(201);
    const { id } = await create();
    expect((await clerk.put(`/webhooks/${id}`, { url: "https://elsewhere.example.com/" })).status).toBe(403);
  });
});

describe("a test", () => {
  it("is sent and signed, and the response contains the result", async () => {
    const { url, received } = await receive();
    const { id } = await create({ url, secret: SECRET, delivery_config: { signature_header: "X-Tea-Signature" } });
    const test_payload = { memory: { id: "mem_1", content: "Ada prefers tea." } };
    const { status, body } = await ada.post(`/webhooks/${id}/test`, { event: "memory.created", test_payload });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      test_id: expect.stringMatching(/^test_/),
      webhook_id: id,
      event: "memory.created",
      test_results: { delivery_status: "success", http_status: 200, response_body: "thanks", signature_valid: true },
      test_payload: { event: "memory.created", ...test_payload },
    });
    expect(received).toHaveLength(1);
    const [{ headers, text, body: sent }] = received as [Received];
    expect(sent).toEqual(body.data.test_payload);
    expect(headers["x-tea-signature"]).toMatch(/^sha256=[0-9a-f]{64}$/);
    const verifier = new Verifier(SECRET, { format: "raw" });
    expect(verifier.verify(text, headers as Record<string, string>)).toEqual(sent);
  });

  it("is not signed if signatures are disabled", async () => {
    const { url, received } = await receive();
    const { id } = await create({ url });
    const test = { event: "webhook.test", include_signature: false };
    const { body } = await ada.post(`/webhooks/${id}/test`, test);
    expect(body.data.test_results).toMatchObject({ delivery_status: "success", signature_valid: null });
    expect(Object.keys(received[0]!.headers).filter((name) => name.includes("signature"))).toEqual([]);
    expect(received[0]!.body).toMatchObject({ event: "webhook.test", webhook: { id } });
  });

  it.each([400, 410, 500])("that the receiver answers with %d is reported as a failed delivery", async (status) => {
    const { url } = await receive(answering(status));
    const { id } = await create({ url });
    const answer = await ada.post(`/webhooks/${id}/test`, { event: "webhook.test" });
    expect(answer.status).toBe(200);
    expect(answer.body.data.test_results).toMatchObject({
      delivery_status: "failed",
      http_status: status,
      response_body: `status ${status}`,
    });
    expect((await ada.get(`/webhooks/${id}`)).body.data.status).toBe("active");
  });

  it("follows no redirect, and reports a receiver that does not answer", async () => {
    const elsewhere = await receive();
    const { url } = await receive(answering(302, { location: elsewhere.url }));
    const redirecting = await create({ url });
    const redirected = await ada.post(`/webhooks/${redirecting.id}/test`, { event: "webhook.test" });
    expect(redirected.body.data.test_results).toMatchObject({ delivery_status: "failed", http_status: 302 });
    expect(elsewhere.received).toEqual([]);
    const silent = await receive(() => {});
    const waiting = await create({ url: silent.url, delivery_config: { timeout_ms: 200 } });
    const { body } = await ada.post(`/webhooks/${waiting.id}/test`, { event: "webhook.test" });
    expect(body.data.test_results).toMatchObject({ delivery_status: "failed", http_status: null, response_body: null });
  });

  it("is logged, and not counted in the statistics", async () => {
    const { url } = await receive();
    const { id } = await create({ url });
    const { body: tested } = await ada.post(`/webhooks/${id}/test`, { event: "webhook.test" });
    const [entry] = await eventually(async () => {
      const { body } = await ada.get(`/webhooks/delivery-logs?webhook_id=${id}`);
      expect(body.data.delivery_logs).toHaveLength(1);
      return body.data.delivery_logs;
    });
    expect(entry).toMatchObject({
      id: expect.stringMatching(/^dl_/),
      delivery_id: tested.data.test_id,
      status: "success",
      test: true,
      attempt_number: 1,
      payload: tested.data.test_payload,
      response: { status: 200, body: "thanks", truncated: false },
      signature: expect.stringMatching(/^sha256=/),
    });
    expect((await ada.get("/webhooks/delivery-stats")).body.data.overall_stats.total_deliveries).toBe(0);
  });

  it("is refused for an unknown event, and for a payload that is not an object", async () => {
    const { id } = await create();
    for (const wrong of [{}, { event: "memory.eaten" }, { event: "webhook.test", test_payload: ["tea"] }]) {
      expect((await ada.post(`/webhooks/${id}/test`, wrong)).status).toBe(400);
    }
  });
});

describe("a new secret", () => {
  it("signs immediately, in addition to the former one", async () => {
    const { url, received } = await receive();
    const { id } = await create({ url, secret: SECRET });
    const next = "another-secret-of-the-house";
    const { body } = await ada.put(`/webhooks/${id}`, { secret: next });
    expect(body.data.secret).toBe(MASKED);
    const overlap = Date.parse(body.data.previous_secret_until) - Date.now();
    expect(overlap / 3_600_000).toBeGreaterThan(23);
    expect(overlap / 3_600_000).toBeLessThan(25);
    await ada.post(`/webhooks/${id}/test`, { event: "webhook.test" });
    const [{ headers, text }] = received as [Received];
    for (const secret of [SECRET, next]) {
      const verifier = new Verifier(secret, { format: "raw" });
      expect(() => verifier.verify(text, headers as Record<string, string>)).not.toThrow();
    }
  });

  it("is not set if a client sends the masked one back", async () => {
    const made = await create({ secret: SECRET });
    const { status, body } = await ada.put(`/webhooks/${made.id}`, { ...made, name: "Library" });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.data.previous_secret_until).toBeUndefined();
  });
});

describe("a private address", () => {
  let strict: Target;

  beforeAll(async () => {
    strict = await openTarget();
  });
  afterAll(() => strict.close());

  it.each([
    "http://127.0.0.1/hook",
    "http://localhost:8080/hook",
    "http://tea.localhost/hook",
    "http://10.1.2.3/hook",
    "http://192.168.0.1/hook",
    "http://169.254.169.254/latest/meta-data",
    "http://[::1]/hook",
    "http://[fd00::1]/hook",
    "http://[::ffff:127.0.0.1]/hook",
    "http://2130706433/hook",
    "http://0x7f.1/hook",
    "https://hooks.example.com:25/hook",
  ])("is refused at once if the URL itself contains it: %s", async (url) => {
    const basel = await strict.organization();
    const { status, body } = await basel.post("/webhooks", { name: "Inside", url, events: ["memory.created"] });
    expect([status, body.error?.code]).toEqual([400, "URL_NOT_ALLOWED"]);
    const { id } = await create({}, basel);
    const moved = await basel.put(`/webhooks/${id}`, { url });
    expect([moved.status, moved.body.error?.code]).toEqual([400, "URL_NOT_ALLOWED"]);
  });
});

interface Delivered {
  id: string;
  status: string;
  attempt_number: number;
  http_status: number | null;
}

async function logOf(webhook: string, query = ""): Promise<Delivered[]> {
  const { body } = await ada.get(`/webhooks/delivery-logs?webhook_id=${webhook}${query}`);
  return body.data.delivery_logs;
}

async function deadLetters(query = "") {
  const { status, body } = await ada.get(`/webhooks/dead-letter${query}`);
  expect(status).toBe(200);
  return body.data;
}

/** Waits until this many deliveries have failed finally. */
function buried(count = 1) {
  return eventually(async () => {
    const { dead_letter_entries: entries } = await deadLetters();
    expect(entries).toHaveLength(count);
    return entries;
  });
}

const ONCE = { retry_count: 0 };

describe("an event", () => {
  it("is delivered, signed, logged and counted", async () => {
    const { url, received } = await receive();
    const { id } = await create({ url, secret: SECRET });
    const memory = await remember("Ada prefers tea.", { category: "taste", metadata: { from: "Zurich" } });
    await eventually(async () => expect(received).toHaveLength(1));
    const [{ headers, text, body }] = received as [Received];
    expect(body).toMatchObject({
      id: expect.stringMatching(/^evt_/),
      event: "memory.created",
      memory: { id: memory, content: "Ada prefers tea.", category: "taste", metadata: { from: "Zurich" } },
    });
    expect(new Verifier(SECRET, { format: "raw" }).verify(text, headers as Record<string, string>)).toEqual(body);
    expect(headers["webhook-id"]).toBe(body.id);
    const [entry] = await eventually(async () => {
      const entries = await logOf(id, "&status=success");
      expect(entries).toHaveLength(1);
      return entries;
    });
    expect(entry).toMatchObject({ attempt_number: 1, http_status: 200, payload: body, event: "memory.created" });
    const stats = await eventually(async () => {
      const { body: answer } = await ada.get("/webhooks/delivery-stats");
      expect(answer.data.overall_stats.total_deliveries).toBe(1);
      return answer.data;
    });
    expect(stats.overall_stats).toMatchObject({ successful_deliveries: 1, failed_deliveries: 0, success_rate: 1 });
    expect(stats.overall_stats.p95_delivery_time_ms).toBeGreaterThan(0);
    expect(stats.webhook_stats).toMatchObject([{ webhook_id: id, name: "Archive", total_deliveries: 1 }]);
    expect(stats.event_stats).toMatchObject({ "memory.created": { successful_deliveries: 1 } });
    expect(stats.time_series.hourly).toMatchObject([{ total_deliveries: 1 }]);
    const { body: shown } = await ada.get(`/webhooks/${id}`);
    expect(shown.data.last_delivery).toEqual(expect.any(String));
    expect(shown.data.delivery_stats).toMatchObject({ total_deliveries: 1, total_attempts: 1 });
    const { body: others } = await (await target.organization()).get("/webhooks/delivery-stats");
    expect(others.data.overall_stats.total_deliveries).toBe(0);
    expect([others.data.webhook_stats, others.data.event_stats]).toEqual([[], {}]);
  });

  it("contains the parts that the webhook selects", async () => {
    const [whole, bare, thin] = [await receive(), await receive(), await receive()];
    await create({ url: whole.url });
    await create({ url: bare.url, delivery_config: { include_metadata: false } });
    await create({ url: thin.url, delivery_config: { include_payload: false } });
    const id = await remember("Ada prefers tea.", { metadata: { from: "Zurich" } });
    await eventually(async () => {
      for (const { received } of [whole, bare, thin]) expect(received).toHaveLength(1);
    });
    expect(whole.received[0]!.body.memory).toMatchObject({ id, metadata: { from: "Zurich" } });
    expect(bare.received[0]!.body.memory).toMatchObject({ id, content: "Ada prefers tea." });
    expect(bare.received[0]!.body.memory).not.toHaveProperty("metadata");
    expect(thin.received[0]!.body.memory).toEqual({ id });
  });

  it("is delivered only to active webhooks whose filters match", async () => {
    const names = ["all", "tea", "either", "bob", "paused", "inactive"] as const;
    const receiversOf = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await receive()] as const)),
    );
    const filters = {
      tea: { category: "tea" },
      either: { category: ["tea", "coffee"], user_id: "ada" },
      bob: { user_id: "bob" },
    };
    for (const name of names) {
      const { id } = await create({ url: receiversOf[name]!.url, filters: filters[name as "tea"] ?? {} });
      if (name === "paused" || name === "inactive") await ada.put(`/webhooks/${id}`, { status: name });
    }
    await remember("Ada prefers coffee.", { category: "coffee", user_id: "ada" });
    await remember("Bob prefers tea.", { category: "tea", user_id: "bob" });
    await eventually(async () => {
      const counts = names.map((name) => receiversOf[name]!.received.length);
      expect(counts).toEqual([2, 1, 1, 1, 0, 0]);
    });
    expect(receiversOf.tea!.received[0]!.body.memory.user_id).toBe("bob");
    expect(receiversOf.either!.received[0]!.body.memory.user_id).toBe("ada");
  });

  it("is delivered whole, however long, and visible only to those who may read its resource", async () => {
    const { url, received } = await receive();
    const { id } = await create({ url });
    const content = "Ada prefers tea 🍵. ".repeat(4_500);
    await remember(content);
    await eventually(async () => expect(received).toHaveLength(1));
    expect(received[0]!.body.memory.content).toBe(content);
    const [entry] = await eventually(async () => {
      const entries = await logOf(id, "&status=success");
      expect(entries).toHaveLength(1);
      return entries;
    });
    expect(entry).toMatchObject({ payload: received[0]!.body });
    const { body } = await ada.post("/api-keys", { name: "clerk", permissions: ["agents:manage"] });
    const log = await ada.as(body.data.key).get(`/webhooks/delivery-logs?webhook_id=${id}`);
    expect(log.body.data.delivery_logs).toMatchObject([{ id: entry!.id, status: "success", payload: null }]);
  });

  it("is retried with the same ids until the receiver accepts it", async () => {
    const { url, received, told } = await receive(answering(503));
    const { id } = await create({ url, delivery_config: { retry_count: 3, retry_delay_ms: 100 } });
    await remember();
    await eventually(async () => expect(received.length).toBeGreaterThan(0));
    const pending = await logOf(id, "&status=pending");
    expect(pending.length).toBeLessThanOrEqual(1);
    told.respond = answering(204);
    await eventually(async () => expect((await logOf(id)).map(({ status }) => status)).toEqual(["success", "failed"]));
    const ids = received.map(({ headers }) => `${headers["webhook-id"]} ${headers["x-webhook-delivery"]}`);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
    expect((await logOf(id, "&status=failed")).map(({ http_status }) => http_status)).toEqual([503]);
    expect((await deadLetters()).dead_letter_entries).toEqual([]);
  });

  it("is dropped if its webhook was deleted in the meantime", async () => {
    const { url, received } = await receive(answering(503));
    const { id } = await create({ url, delivery_config: { retry_count: 3, retry_delay_ms: 1_000 } });
    await remember();
    await eventually(async () => expect(received).toHaveLength(1));
    await ada.delete(`/webhooks/${id}`);
    await eventually(async () => expect(await logOf(id, "&status=pending")).toEqual([]));
    expect(received).toHaveLength(1);
    expect((await deadLetters()).dead_letter_entries).toEqual([]);
  });

  it("pauses a webhook whose receiver answers 410", async () => {
    const { url, received } = await receive(answering(410));
    const { id } = await create({ url });
    await remember();
    await eventually(async () => {
      const { body } = await ada.get(`/webhooks/${id}`);
      expect(body.data).toMatchObject({ status: "paused", pause_reason: "gone" });
    });
    await remember("Ada prefers coffee.");
    const [entry, ...more] = await buried();
    expect([entry.failure_reason, entry.http_status, more]).toEqual(["gone", 410, []]);
    expect(received).toHaveLength(1);
    const { body } = await ada.put(`/webhooks/${id}`, { status: "active" });
    expect(body.data.pause_reason).toBeUndefined();
  });
});

describe("a dead letter", () => {
  it("is stored after the last attempt, with its payload and the reason of the failure", async () => {
    const { url, received } = await receive(answering(500));
    const { id } = await create({ url, delivery_config: { retry_count: 1, retry_delay_ms: 100 } });
    const memory = await remember();
    const [entry] = await buried();
    expect(entry).toMatchObject({
      id: expect.stringMatching(/^dlq_/),
      webhook_id: id,
      event: "memory.created",
      original_payload: { memory: { id: memory } },
      failure_reason: "http_error",
      http_status: 500,
      error_message: expect.stringContaining("500"),
      attempts: 2,
      next_retry_at: null,
    });
    expect(entry.first_failed_at < entry.last_failed_at).toBe(true);
    expect(entry.original_payload).toEqual(received[0]!.body);
    expect((await deadLetters()).queue_stats).toEqual({
      total_entries: 1,
      retried_entries: 0,
      oldest_entry_at: entry.last_failed_at,
      newest_entry_at: entry.last_failed_at,
    });
    expect((await deadLetters(`?older_than=${entry.last_failed_at}`)).dead_letter_entries).toEqual([]);
    const later = new Date(Date.parse(entry.last_failed_at) + 1).toISOString();
    expect((await deadLetters(`?older_than=${later}`)).dead_letter_entries).toHaveLength(1);
  });

  it("is delivered again by a retry, and deleted once that succeeds", async () => {
    const { url, received, told } = await receive(answering(500));
    await create({ url, delivery_config: ONCE });
    await remember();
    const [entry] = await buried();
    told.respond = answering(200);
    const { status, body } = await ada.post(`/webhooks/dead-letter/${entry.id}/retry`);
    expect(status).toBe(202);
    expect(body.data).toMatchObject({
      dlq_id: entry.id,
      retry_status: "queued",
      estimated_retry_time: expect.any(String),
      webhook_id: entry.webhook_id,
      event: "memory.created",
    });
    await buried(0);
    expect(received.map(({ text }) => text)).toEqual([received[0]!.text, received[0]!.text]);
    const [first, second] = received.map(({ headers }) => headers);
    expect(second!["webhook-id"]).toBe(first!["webhook-id"]);
    expect(second!["x-webhook-delivery"]).not.toBe(first!["x-webhook-delivery"]);
    const again = await ada.post(`/webhooks/dead-letter/${entry.id}/retry`);
    expect([again.status, again.body.error?.code]).toEqual([404, "DEAD_LETTER_NOT_FOUND"]);
  });

  it("remains when its retry fails, and shows when the next attempt is due", async () => {
    const { url, received } = await receive(answering(500));
    const { id } = await create({ url, delivery_config: ONCE });
    await remember();
    const [entry] = await buried();
    await ada.put(`/webhooks/${id}`, { delivery_config: { retry_count: 1, retry_delay_ms: 2_000 } });
    await ada.post(`/webhooks/dead-letter/${entry.id}/retry`);
    await eventually(async () => expect(received).toHaveLength(2));
    await eventually(async () => {
      const [waiting] = (await deadLetters()).dead_letter_entries;
      expect(waiting.next_retry_at > entry.last_failed_at).toBe(true);
    });
    const twice = await ada.post(`/webhooks/dead-letter/${entry.id}/retry`);
    expect([twice.status, twice.body.error?.code]).toEqual([409, "CONFLICT"]);
    await eventually(async () => {
      const [after, ...more] = (await deadLetters()).dead_letter_entries;
      expect(more).toEqual([]);
      expect(after).toMatchObject({ id: entry.id, attempts: 3, next_retry_at: null });
      expect(after.first_failed_at).toBe(entry.first_failed_at);
    });
  });

  it("is retried once if several requests do it concurrently", async () => {
    const { url, received, told } = await receive(answering(500));
    await create({ url, delivery_config: ONCE });
    await remember();
    const [entry] = await buried();
    told.respond = answering(200);
    const retries = await Promise.all(
      Array.from({ length: 6 }, () => ada.post(`/webhooks/dead-letter/${entry.id}/retry`)),
    );
    expect(retries.filter(({ status }) => status === 202)).toHaveLength(1);
    for (const { status } of retries) expect([202, 404, 409]).toContain(status);
    await buried(0);
    expect(received).toHaveLength(2);
  });

  it("is not retried for a paused or deleted webhook", async () => {
    const { url } = await receive(answering(500));
    const { id } = await create({ url, delivery_config: ONCE });
    await remember();
    const [entry] = await buried();
    await ada.put(`/webhooks/${id}`, { status: "paused" });
    const paused = await ada.post(`/webhooks/dead-letter/${entry.id}/retry`);
    expect([paused.status, paused.body.error?.code]).toEqual([409, "CONFLICT"]);
    await ada.delete(`/webhooks/${id}`);
    const gone = await ada.post(`/webhooks/dead-letter/${entry.id}/retry`);
    expect([gone.status, gone.body.error?.code]).toEqual([404, "WEBHOOK_NOT_FOUND"]);
  });

  it("can be deleted by itself or with all before a given time", async () => {
    const { url } = await receive(answering(500));
    await create({ url, delivery_config: ONCE });
    for (const count of [1, 2, 3]) {
      await remember(`Ada drank ${count} cups of tea.`);
      await buried(count);
    }
    const [newest, middle, oldest] = await buried(3);
    const deleted = await ada.delete(`/webhooks/dead-letter/${middle.id}`);
    expect([deleted.status, deleted.body.data.id]).toEqual([200, middle.id]);
    expect((await ada.delete(`/webhooks/dead-letter/${middle.id}`)).status).toBe(404);
    for (const body of [
      undefined,
      {},
      { confirm: false },
      { confirm: "yes" },
      { older_than: "yesterday", confirm: true },
    ]) {
      expect((await ada.delete("/webhooks/dead-letter", body)).status).toBe(400);
    }
    await buried(2);
    const some = await ada.delete("/webhooks/dead-letter", { confirm: true, older_than: newest.last_failed_at });
    expect(some.body.data).toMatchObject({ purged_count: 1, has_more: false });
    expect((await buried(1))[0].id).toBe(newest.id);
    expect((await ada.post(`/webhooks/dead-letter/${oldest.id}/retry`)).status).toBe(404);
    const rest = await ada.delete("/webhooks/dead-letter?confirm=true");
    expect(rest.body.data.purged_count).toBe(1);
    await buried(0);
  });
});
