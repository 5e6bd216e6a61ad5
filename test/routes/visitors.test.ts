import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { MAX_PUBLIC_BODY_BYTES } from "../../shared/runtime/http/request.ts";
import { serviceErrorOf } from "../support/documented.ts";
import { type LocalService, openService } from "../support/service.ts";
import { guarded, routes, titled, urlOf } from "./harness.ts";

/** More than any bucket of visitors contains. */
const MANY = 301;

const open = routes.filter(({ isPublic }) => isPublic);
const reading = open.filter(({ definition: { body, query } }) => body !== undefined || query !== undefined);
const withBody = (those: typeof routes) =>
  those.filter(({ definition: { body, form } }) => body !== undefined || form !== undefined);

/** A body of this many bytes that fails the test when any of it is read. */
function unreadable(bytes: number) {
  const pull = vi.fn(() => {
    throw new Error("the body was read");
  });
  const body = new ReadableStream({ pull }, { highWaterMark: 0 });
  return { pull, body, headers: { "content-type": "application/json", "content-length": `${bytes}` } };
}

let service: LocalService;
/** Number of the visitor that sends the requests of a test. */
let visitor = 0;

beforeAll(async () => {
  // Buckets fill with time, which does not pass here.
  const now = Date.now();
  service = await openService({}, () => now, { print: () => {} });
});
beforeEach(() => {
  visitor++;
});
afterAll(() => service.close());

/** Sends it as Node's server does: with the address of the peer. */
async function send(method: string, url: string, init: RequestInit = {}): Promise<Response> {
  const request = new Request(`http://localhost${url}`, { method, duplex: "half", ...init } as RequestInit);
  const remoteAddress = `2001:db8:${visitor}::1`;
  return service.host.app.fetch(request, { incoming: { socket: { remoteAddress } } });
}

describe.each(titled(reading))("%s", (_, route) => {
  const method = route.definition.method.toUpperCase();

  it("counts a visitor before it reads the body", async () => {
    const statuses = new Set<number>();
    for (let sent = 0; sent < MANY && !statuses.has(429); sent++) {
      const { status } = await send(
        method,
        urlOf(route),
        method === "GET" ? {} : { body: "{", headers: { "content-type": "application/json" } },
      );
      statuses.add(status);
    }
    expect(statuses).toContain(429);
    if (method === "GET") return;
    const { pull, body, headers } = unreadable(1000);
    const { status } = await send(method, urlOf(route), { body, headers });
    expect(status).toBe(429);
    expect(pull).not.toHaveBeenCalled();
  });
});

describe.each(titled(withBody(open)))("%s", (_, route) => {
  it("refuses a body of more than 16 KB, or of unknown length, without reading it", async () => {
    const method = route.definition.method.toUpperCase();
    const { pull, body, headers } = unreadable(MAX_PUBLIC_BODY_BYTES + 1);
    const refused = await send(method, urlOf(route), { body, headers });
    expect(refused.status).toBe(413);
    const error = { code: "PAYLOAD_TOO_LARGE", details: { max_bytes: 16_384 } };
    expect(serviceErrorOf(await refused.json())).toMatchObject(error);
    expect(pull).not.toHaveBeenCalled();
    const chunks = vi.fn((stream: ReadableStreamDefaultController) => stream.enqueue(new Uint8Array(1024).fill(32)));
    const endless = new ReadableStream({ pull: chunks }, { highWaterMark: 0 });
    const { status } = await send(method, urlOf(route), {
      body: endless,
      headers: { "content-type": "application/json" },
    });
    expect(status).toBe(413);
    expect(chunks.mock.calls.length).toBeLessThan(20);
  });
});

describe("a request with a bad key", () => {
  it.each(titled(withBody(guarded)))("is refused before any of its body is read: %s", async (_, route) => {
    const { pull, body, headers } = unreadable(1_000_000);
    const method = route.definition.method.toUpperCase();
    const sent = { body, headers: { ...headers, "x-api-key": "nobody's", "idempotency-key": "one" } };
    expect((await send(method, urlOf(route), sent)).status).toBe(401);
    expect(pull).not.toHaveBeenCalled();
  });
});
