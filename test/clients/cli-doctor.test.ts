import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { Check } from "../../clients/typescript/src/cli/doctor.ts";
import { listenOnLoopback } from "../fixtures/loopback-server.ts";
import { type LocalService, openService } from "../support/service.ts";
import { runMemory } from "./command-line.ts";

let service: LocalService;
let environment: Record<string, string>;

beforeAll(async () => {
  service = await openService();
  environment = { MEMORY_URL: await service.host.listen(), MEMORY_API_KEY: service.adminKey };
});
afterAll(() => service.close());

async function examine(changes: Record<string, string> = {}): Promise<{ code: number | null; checks: Check[] }> {
  const { code, stdout } = await runMemory(["doctor", "--json"], { ...environment, ...changes });
  const { ok, checks } = JSON.parse(stdout);
  expect(ok).toBe(code === 0);
  for (const { status, hint } of checks) expect(status === "ok").toBe(hint === undefined);
  return { code, checks };
}

/**
 * Starts a server that answers like the service, except that `change` replaces the data of one path, and returns its
 * address.
 */
async function changedService(path: string, change: (data: Record<string, unknown>) => unknown): Promise<string> {
  const server = await listenOnLoopback(async ({ url = "", headers }, response) => {
    const key = String(headers["x-api-key"]);
    const answer = await service.request("GET", url, { key });
    const data = answer.body.data ?? answer.body;
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(JSON.stringify(url === path ? change(data) : answer.body));
  });
  onTestFinished(() => server.close());
  return server.url;
}

it("finds nothing wrong with a service that runs and an administrator's key", async () => {
  const { code, checks } = await examine();
  expect(code).toBe(0);
  expect(checks.map(({ name, status }) => `${name} ${status}`)).toEqual([
    ...["address ok", "reachable ok", "version ok", "credentials ok", "permissions ok", "stores ok", "index ok"],
  ]);
  const { stdout } = await runMemory(["doctor"], environment);
  expect(stdout).toContain(`ok       address      ${environment.MEMORY_URL}`);
});

it.each([
  ["address", { MEMORY_URL: "ftp://host" }, "MEMORY_URL"],
  ["reachable", { MEMORY_URL: "http://127.0.0.1:9" }, "Start the service"],
  ["credentials", { MEMORY_API_KEY: "no-such-key" }, "memory login"],
  ["credentials", { MEMORY_API_KEY: "", XDG_CONFIG_HOME: "/no/such/folder" }, "memory login"],
] as const)("names %s as what fails, says what to do, and ends there", async (name, changes, hint) => {
  const { code, checks } = await examine(changes);
  expect(code).toBe(1);
  expect(checks.at(-1)).toMatchObject({ name, status: "failed", hint: expect.stringContaining(hint) });
  expect(checks.slice(0, -1).every(({ status }) => status === "ok")).toBe(true);
});

it("tells another server from a memory service", async () => {
  const server = await listenOnLoopback((_request, response) => void response.end("<h1>It works!</h1>"));
  onTestFinished(() => server.close());
  const { code, checks } = await examine({ MEMORY_URL: server.url });
  expect([code, checks.at(-1)?.detail]).toEqual([1, expect.stringContaining("not a Memory Service")]);
});

it("warns of permissions that a key lacks, and of the operations that it cannot call", async () => {
  const body = { name: "narrow", permissions: ["memory:read", "search:read"] };
  const { key } = (await service.request("POST", "/api-keys", { body })).body.data;
  const { code, checks } = await examine({ MEMORY_API_KEY: key });
  expect(code).toBe(0);
  expect(checks.find(({ name }) => name === "permissions")).toMatchObject({
    status: "warning",
    detail: expect.stringContaining("memory:write"),
    hint: expect.stringMatching(/POST \/memories\b/),
  });
});

it("fails where the service is older than the client, and goes on", async () => {
  const withoutRecall = ({ paths, ...rest }: Record<string, unknown>) => {
    const { "/recall": _recall, ...others } = paths as Record<string, unknown>;
    return { ...rest, paths: others };
  };
  const { code, checks } = await examine({ MEMORY_URL: await changedService("/openapi.json", withoutRecall) });
  expect([code, checks.length]).toEqual([1, 7]);
  expect(checks.find(({ name }) => name === "version")).toMatchObject({
    status: "failed",
    detail: expect.stringContaining("lacks POST /recall"),
    hint: expect.stringContaining("Update the service"),
  });
});

it("warns of memories that wait for their vectors, and fails where a store does not answer", async () => {
  const MEMORY_URL = await changedService("/status", ({ checks, index, ...rest }) => ({
    ...rest,
    status: "degraded",
    checks: { ...Object(checks), search: { ok: false, latency_ms: 1 } },
    index: { ...Object(index), pending: 12 },
  }));
  const { code, checks } = await examine({ MEMORY_URL });
  expect(code).toBe(1);
  expect(checks.slice(-2)).toMatchObject([
    { name: "stores", status: "failed", detail: "search fail" },
    { name: "index", status: "warning", detail: expect.stringContaining("12 memories") },
  ]);
});
