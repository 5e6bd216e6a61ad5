import type { IncomingHttpHeaders, RequestListener, ServerResponse } from "node:http";
import { createGzip } from "node:zlib";
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { type LoopbackServer, listenOnLoopback, textOf } from "../../../../test/fixtures/loopback-server.ts";
import { createOrganization, openService } from "../../../../test/support/service.ts";
import { DEFAULT_DELIVERY, newWebhook } from "../../../../test/support/webhooks.ts";
import { newWebhookSecret, rotateSecret, sealSecret } from "./secrets.ts";
import { type SendingOptions, send } from "./sending.ts";
import { signatureOf } from "./signing.ts";
import { MAX_DELAY_MS, type Webhook } from "./webhook.ts";

const PAYLOAD = '{"id":"evt_1","event":"memory.created","memory":{"content":"Zürich 🍵"}}';
const OUTGOING = { event_id: "evt_1", delivery_id: "dlv_1", event: "memory.created", payload: PAYLOAD };
const MB = 1024 * 1024;

let now = Date.now();
const servers: LoopbackServer[] = [];

const service = await openService({ ALLOW_PRIVATE_TARGETS: "1" }, () => now);
const runtime = { ...service.runtime, org: (await createOrganization(service)).org };
afterAll(() => service.close());
afterEach(async () => {
  now = Date.now();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function webhookAt(listener: RequestListener, secret: string = newWebhookSecret()): Promise<Webhook> {
  const server = await listenOnLoopback(listener);
  servers.push(server);
  return webhookFor(server.url, secret);
}

async function webhookFor(url: string, secret = newWebhookSecret()): Promise<Webhook> {
  const sealed_secret = await sealSecret(runtime, "whk_1", secret);
  const delivery_config = { ...DEFAULT_DELIVERY, timeout_ms: 2_000 };
  return newWebhook(runtime, { id: "whk_1", url, events: ["memory.created"], delivery_config, sealed_secret });
}

const attempt = (webhook: Webhook, options?: SendingOptions) => send(runtime, webhook, OUTGOING, options);

/** Responds with `respond` and records the received requests. */
function recording(respond: (response: ServerResponse) => void = (response) => response.end("thanks")) {
  const received: { method?: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
  const listener: RequestListener = async (request, response) => {
    received.push({ method: request.method, headers: request.headers, body: await textOf(request) });
    respond(response);
  };
  return { received, listener };
}

/** Sends data until the connection is closed and counts the sent bytes. */
function endless(pieceBytes: number, everyMs: number) {
  const sent = { bytes: 0 };
  const respond = (response: ServerResponse) => {
    const timer = setInterval(() => {
      response.write(Buffer.alloc(pieceBytes, "x"));
      sent.bytes += pieceBytes;
    }, everyMs);
    response.on("close", () => clearInterval(timer));
  };
  return { sent, respond };
}

describe("what is sent", () => {
  it("is the unchanged payload, signed, with headers that identify it", async () => {
    const { received, listener } = recording();
    const secret = newWebhookSecret();
    const result = await attempt(await webhookAt(listener, secret));
    const [{ method, headers, body }] = received as [(typeof received)[0]];
    expect([method, body]).toEqual(["POST", PAYLOAD]);
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "x-webhook-event": "memory.created",
      "x-webhook-delivery": "dlv_1",
      "webhook-id": "evt_1",
      "x-webhook-signature": signatureOf(secret, PAYLOAD),
    });
    expect(new Verifier(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(PAYLOAD));
    expect(result).toMatchObject({
      outcome: "success",
      response: { status: 200, body: "thanks", truncated: false },
      signature: headers["x-webhook-signature"],
    });
    expect(result.failure).toBeUndefined();
  });

  it("has no signature if it is switched off", async () => {
    const { received, listener } = recording();
    const result = await attempt(await webhookAt(listener), { isSigned: false });
    expect(Object.keys(received[0]!.headers).filter((name) => name.includes("signature"))).toEqual([]);
    expect(result.signature).toBeUndefined();
  });

  it("is signed with both secrets for a day after a rotation, then only with the new one", async () => {
    const { received, listener } = recording();
    const [before, after] = [newWebhookSecret(), newWebhookSecret()];
    const webhook = await webhookAt(listener, before);
    const rotated = { ...webhook, ...(await rotateSecret(runtime, webhook, after)) };
    const verifies = (place: number, secret: string) => {
      const { body, headers } = received[place]!;
      try {
        new Verifier(secret).verify(body, headers as Record<string, string>);
        return true;
      } catch {
        return false;
      }
    };
    await attempt(rotated);
    expect([verifies(0, before), verifies(0, after)]).toEqual([true, true]);
    expect(received[0]!.headers["x-webhook-signature-previous"]).toBe(signatureOf(before, PAYLOAD));
    expect(received[0]!.headers["x-webhook-signature"]).toBe(signatureOf(after, PAYLOAD));
    now = Date.parse(rotated.previous_secret?.until ?? "");
    await attempt(rotated);
    expect(received[1]!.headers["webhook-signature"]).not.toContain(" ");
    expect(received[1]!.headers["x-webhook-signature-previous"]).toBeUndefined();
  });
});

describe("the outcome", () => {
  const failed = { outcome: "retryable", response: { body: "no" }, failure: { reason: "http_error" } };
  const gone = { outcome: "gone", failure: { reason: "gone" } };

  it.each([
    ...[201, 202, 204, 299].map((status) => ["success", status, { outcome: "success" }] as const),
    ...[400, 404, 429, 500, 503].map((status) => ["another attempt", status, failed] as const),
    ["the end", 410, gone] as const,
  ])("%s for %d", async (_what, status, expected) => {
    const { listener } = recording((response) => response.writeHead(status).end("no"));
    const result = await attempt(await webhookAt(listener));
    expect(result).toMatchObject(expected);
    expect(result.response?.status).toBe(status);
  });

  it.each([301, 302, 307, 308])("a failure for %d, which is not followed", async (status) => {
    const elsewhere = recording();
    const target = await listenOnLoopback(elsewhere.listener);
    servers.push(target);
    const { listener } = recording((response) => response.writeHead(status, { location: target.url }).end());
    const result = await attempt(await webhookAt(listener));
    expect(result).toMatchObject({ outcome: "retryable", response: { status }, failure: { reason: "http_error" } });
    expect(result.failure?.message).toMatch(/redirect/);
    expect(elsewhere.received).toEqual([]);
  });

  it("another attempt if the receiver is unreachable or too slow", async () => {
    const silent = await webhookAt(() => {});
    expect(await attempt(silent, { timeoutMs: 150 })).toMatchObject({
      outcome: "retryable",
      failure: { reason: "timeout" },
    });
    const gone = await webhookAt(() => {});
    await servers.pop()?.close();
    const result = await attempt(gone);
    expect(result).toMatchObject({ outcome: "retryable", failure: { reason: "connection_failed" } });
    expect(result.response).toBeUndefined();
  });

  it("no request for a private address, even by name", async () => {
    const { received, listener } = recording();
    const webhook = await webhookAt(listener);
    const strict = { ...runtime, config: { ...runtime.config, ALLOW_PRIVATE_TARGETS: false } };
    for (const url of [webhook.url, webhook.url.replace("127.0.0.1", "localhost")]) {
      expect(await send(strict, { ...webhook, url }, OUTGOING)).toMatchObject({
        outcome: "retryable",
        failure: { reason: "url_not_allowed" },
      });
    }
    expect(received).toEqual([]);
  });
});

describe("Retry-After", () => {
  const waitOf = async (header: string) => {
    const { listener } = recording((response) => response.writeHead(503, { "retry-after": header }).end());
    return (await attempt(await webhookAt(listener))).retry_after_ms;
  };

  it("is a number of seconds, at most a day", async () => {
    expect(await waitOf("7")).toBe(7_000);
    expect(await waitOf("999999999")).toBe(MAX_DELAY_MS);
  });

  it("is a date", async () => {
    now = Math.floor(now / 1000) * 1000;
    expect(await waitOf(new Date(now + 90_000).toUTCString())).toBe(90_000);
    expect(await waitOf(new Date(now - 90_000).toUTCString())).toBeUndefined();
  });

  it.each(["soon", "-5", "1.5e9x"])("is ignored if it is %j", async (header) => {
    expect(await waitOf(header)).toBeUndefined();
  });
});

describe("the receiver's response", () => {
  it("is kept up to 20 KB, and of a gigabyte only a part is read", async () => {
    const { sent, respond } = endless(MB, 1);
    const result = await attempt(await webhookAt(recording(respond).listener), { timeoutMs: 30_000 });
    expect(result).toMatchObject({ outcome: "success", response: { status: 200, truncated: true } });
    expect(result.response?.body).toHaveLength(20 * 1024);
    expect(result.delivery_time_ms).toBeLessThan(30_000);
    expect(sent.bytes).toBeLessThan(200 * MB);
  });

  it("is kept up to 20 KB of a decompression bomb", async () => {
    const { listener } = recording((response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      const bomb = createGzip();
      bomb.pipe(response).on("error", () => {});
      bomb.end(Buffer.alloc(64 * MB));
    });
    const result = await attempt(await webhookAt(listener));
    expect(result.response).toMatchObject({ status: 200, truncated: true });
    expect(result.response?.body).toHaveLength(20 * 1024);
  });

  it("is a success by its status even if the body is too slow", async () => {
    const { respond } = endless(1, 20);
    const result = await attempt(await webhookAt(recording(respond).listener), { timeoutMs: 400 });
    expect(result).toMatchObject({ outcome: "success", response: { status: 200, truncated: true } });
    expect(result.response?.body).toMatch(/^x+$/);
    expect(result.delivery_time_ms).toBeLessThan(20_000);
  });

  it("is cut between characters, and bytes that are not text are replaced", async () => {
    const text = "é".repeat(20 * 1024);
    const cut = await attempt(await webhookAt(recording((response) => response.end(`x${text}`)).listener));
    expect(cut.response?.body).toBe(`x${"é".repeat((20 * 1024) / 2 - 1)}`);
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x41]);
    const odd = await attempt(await webhookAt(recording((response) => response.end(bytes)).listener));
    expect(odd.response).toMatchObject({ body: "\ufffd\ufffd\u0000A", truncated: false });
  });

  it("is kept without cookies", async () => {
    const { listener } = recording((response) =>
      response.writeHead(200, { "set-cookie": "session=1", "x-tea": "green" }).end(),
    );
    const { response } = await attempt(await webhookAt(listener));
    expect(response?.headers["x-tea"]).toBe("green");
    expect(response?.headers).not.toHaveProperty("set-cookie");
  });
});
