import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../shared/entry/http/app.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";
import { groups, routes, sendSample, titled, urlOf } from "./harness.ts";

const HSTS = "max-age=31536000; includeSubDomains";

let service: LocalService;
let key: string;

beforeAll(async () => {
  service = await openService();
  ({ key } = await createOrganization(service));
});
afterAll(() => service.close());

const headersOf = ({ headers }: { headers: Headers }) => [
  headers.get("x-content-type-options"),
  headers.get("strict-transport-security"),
];

describe.each(titled(routes))("%s", (_, route) => {
  it("sends nosniff with successes, errors and 405 responses", async () => {
    const answers = [
      await sendSample(service, route, { key }),
      await sendSample(service, route, { key: "nobody's" }),
      ...(route.definition.method === "get" ? [] : [await sendSample(service, route, { key, body: "{" })]),
      await service.request("PURGE", urlOf(route)),
    ];
    for (const answer of answers) expect(headersOf(answer)).toEqual(["nosniff", null]);
  });
});

it("sends nosniff for unknown paths, unknown blobs and empty bodies", async () => {
  for (const [method, path, status] of [
    ["GET", "/no/such/path", 404],
    ["HEAD", "/docs", 200],
    ["GET", "/blobs/none?expires=1&signature=none", undefined],
  ] as const) {
    const answer = await service.request(method, path);
    if (status !== undefined) expect(answer.status).toBe(status);
    expect(headersOf(answer)).toEqual(["nosniff", null]);
  }
});

it("requires TLS on AWS only, where no other scheme is served", async () => {
  const app = createApp(groups, { ...service.runtime, config: { ...service.runtime.config, PLATFORM: "aws" } });
  for (const path of ["/health", "/memories", "/no/such/path"]) {
    expect(headersOf(await app.request(path))).toEqual(["nosniff", HSTS]);
  }
});
