import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { createApp } from "../../shared/entry/http/app.ts";
import { newGroup } from "../../shared/runtime/http/group.ts";
import { type LocalService, openService } from "../support/service.ts";

const manifest = { name: "things", prefixes: ["/things"], capabilities: [], memoryMb: 128, timeoutSeconds: 10 };
const Thing = z.object({ size: z.int(), pagination: z.any().optional() });
const Fields = z.object({ size: z.int().optional(), width: z.int().optional() });
const field = { since: "2026-03-01", see: "/docs#size" };

let service: LocalService;
let app: ReturnType<typeof createApp>;
beforeAll(async () => {
  service = await openService();
  const group = newGroup(manifest, { permission: "any" });
  group.get("/things/old", "readOld", {
    summary: "Read it",
    answer: Thing,
    deprecated: { since: "2026-01-01", sunset: "2027-01-01T00:00:00Z", see: "/docs#things" },
    deprecatedFields: { size: { ...field, sunset: "2026-12-31" } },
    query: z.object({ size: z.coerce.number().optional() }),
    handler: async () => ({ size: 1, pagination: { limit: 1, offset: 0, has_next: true } }),
  });
  group.post("/things", "makeThing", {
    summary: "Make it",
    body: Fields,
    answer: Thing,
    deprecatedFields: { size: field },
    handler: async (_ctx, { body }) => ({ size: body.size ?? 0 }),
  });
  app = createApp([group], service.runtime);
});
afterAll(() => service.close());

/** The three headers of a response. */
async function announced(path: string, { key = service.adminKey, body }: { key?: string; body?: object } = {}) {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const init = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
  const response = await app.request(path, init);
  return ["deprecation", "sunset", "link"].map((name) => response.headers.get(name));
}

it("announces a deprecated route, also when it refuses the request", async () => {
  const dates = ["@1767225600", "Fri, 01 Jan 2027 00:00:00 GMT"];
  expect(await announced("/things/old", { key: "ak_live_none" })).toEqual([
    ...dates,
    '</docs#things>; rel="deprecation"',
  ]);
  const next = '</things/old?limit=1&offset=1>; rel="next"';
  expect(await announced("/things/old")).toEqual([...dates, `${next}, </docs#things>; rel="deprecation"`]);
});

it("announces the earliest dates of what a request uses", async () => {
  const [since, sunset, links] = await announced("/things/old?size=2");
  expect([since, sunset]).toEqual(["@1767225600", "Thu, 31 Dec 2026 00:00:00 GMT"]);
  expect(links).toContain('</docs#size>; rel="deprecation"');
});

it("announces a deprecated field to requests that send it alone", async () => {
  expect(await announced("/things", { body: { size: 3 } })).toEqual([
    "@1772323200",
    null,
    '</docs#size>; rel="deprecation"',
  ]);
  expect(await announced("/things", { body: { width: 3 } })).toEqual([null, null, null]);
});
