import { afterAll, beforeAll, expect, it } from "vitest";
import { type LocalService, openService } from "../support/service.ts";

const PAGE = "https://app.example.com";

let service: LocalService;

beforeAll(async () => {
  service = await openService({ ALLOWED_ORIGINS: `${PAGE},http://localhost:5173` });
});
afterAll(() => service.close());

const preflight = (to: LocalService, origin: string) =>
  to.request("OPTIONS", "/memories", {
    key: null,
    headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "x-api-key" },
  });

it("CORS allows pages of the named origins, and no others", async () => {
  const { status, headers } = await preflight(service, PAGE);
  expect([status, headers.get("access-control-allow-origin")]).toEqual([204, PAGE]);
  expect(headers.get("access-control-allow-headers")).toContain("X-API-Key");
  expect((await preflight(service, "https://other.example.com")).headers.get("access-control-allow-origin")).toBeNull();
  const read = await service.request("GET", "/memories", { headers: { origin: PAGE } });
  expect(read.headers.get("access-control-allow-origin")).toBe(PAGE);
  expect(read.headers.get("access-control-expose-headers")).toContain("Retry-After");
});

it("CORS lets a page read why its request was refused", async () => {
  const { status, headers } = await service.request("GET", "/memories", {
    key: "no-such-key",
    headers: { origin: PAGE },
  });
  expect([status, headers.get("access-control-allow-origin")]).toEqual([401, PAGE]);
});

it("CORS allows no page if no origin is named", async () => {
  const closed = await openService();
  const { status, headers } = await preflight(closed, PAGE);
  expect([status, headers.get("access-control-allow-origin")]).toEqual([405, null]);
  await closed.close();
});
