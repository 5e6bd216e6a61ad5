import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { loadConfig } from "../../shared/entry/config.ts";
import { sha256 } from "../../shared/kernel/digest.ts";
import { ORIGIN_SECRET_HEADER } from "../../shared/runtime/http/origin.ts";
import { type Answered, type LocalService, openService } from "../support/service.ts";
import { routes, titleOf, urlOf } from "./harness.ts";

const [SHOWN, NEXT] = ["a".repeat(64), "b".repeat(64)];
const ADDRESS = "https://api.example.com";

let service: LocalService;

beforeAll(async () => {
  const ORIGIN_SECRET_HASHES = `${sha256(SHOWN)},${sha256(NEXT)}`;
  service = await openService({ PUBLIC_URL: ADDRESS, ORIGIN_SECRET_HASHES });
});
afterAll(() => service.close());

function send(path: string, secret: string | undefined, method = "GET"): Promise<Answered> {
  return service.request(method, path, {
    ...(secret !== undefined && { headers: { [ORIGIN_SECRET_HEADER]: secret } }),
  });
}

function expectRefused({ status, headers, body }: Answered, title: string): void {
  expect(status, title).toBe(403);
  expect(body, title).toMatchObject({
    success: false,
    error: { code: "PERMISSION_DENIED", message: expect.stringContaining(ADDRESS), details: {} },
    meta: { request_id: headers.get("x-request-id") },
  });
}

describe("behind a proxy that sends a secret", () => {
  it("every route refuses requests past the proxy, and requires nothing else of them", async () => {
    const authenticate = vi.spyOn(service.runtime.authenticator, "authenticate");
    for (const route of routes) {
      const { method } = route.definition;
      expectRefused(await send(urlOf(route), undefined, method.toUpperCase()), titleOf(route.definition));
    }
    expect(authenticate).not.toHaveBeenCalled();
    authenticate.mockRestore();
  });

  it.each([
    ["no path of the service", "/nowhere", undefined, "GET"],
    ["a path with another method", "/health", undefined, "PUT"],
    ["an empty secret", "/health", "", "GET"],
    ["another secret", "/health", "c".repeat(64), "GET"],
    ["a hash instead of what it is of", "/health", sha256(SHOWN), "GET"],
    ["a secret and more", "/health", `${SHOWN},${SHOWN}`, "GET"],
  ])("refuses %s", async (title, path, secret, method) => {
    expectRefused(await send(path, secret, method), title);
  });

  it("mem0 clients get the error in their own format", async () => {
    const { body } = await send("/v1/ping", undefined);
    expect(body.detail).toBe(body.error.message);
  });

  it.each([SHOWN, NEXT])(
    "requests through the proxy are accepted with the present or the next secret: %s",
    async (secret) => {
      expect((await send("/health", secret)).status).toBe(200);
      expect((await send("/memories", secret)).status).toBe(200);
      expect((await send("/nowhere", secret)).status).toBe(404);
    },
  );

  it.each(["none", `${sha256(SHOWN)},`])("an invalid hash is refused: %s", (hashes) => {
    expect(() => loadConfig({ ORIGIN_SECRET_HASHES: hashes })).toThrow("ORIGIN_SECRET_HASHES");
  });
});
