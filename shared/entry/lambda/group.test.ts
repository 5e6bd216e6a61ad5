import type { LambdaContext, LambdaEvent } from "hono/aws-lambda";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import * as z from "zod";
import event from "../../../events/docs.json" with { type: "json" };
import { temporaryFolder } from "../../../test/fixtures/temporary-folder.ts";
import type { Capability } from "../../ports/ports.ts";
import type { Runtime } from "../../runtime/context.ts";
import { newGroup } from "../../runtime/http/group.ts";
import { Rollups } from "../../runtime/stats/rollups.ts";
import { readRequests } from "../../runtime/stats/traffic.ts";
import { groupEntry } from "./group.ts";

/** Maximum size of a function's response in Lambda. */
const MAX_BYTES = 6 * 1024 * 1024;

beforeEach(() => {
  vi.stubEnv("PLATFORM", "local");
  vi.stubEnv("DATA_DIR", temporaryFolder());
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** The handler of a group with one route, as a function that invokes it with this much time left. */
function handlerOf(
  wait: (runtime: Runtime) => Promise<Record<string, never>>,
  capabilities: Capability[] = ["records"],
) {
  const group = newGroup({ name: "slow", prefixes: ["/"], capabilities, memoryMb: 256, timeoutSeconds: 10 });
  group.public.get("/wait", "wait", { summary: "Waits", answer: z.object({}), handler: wait });
  const { handler } = groupEntry(group);
  const asked = { ...event, rawPath: "/wait", requestContext: { ...event.requestContext } };
  return (remainingMs: number) =>
    handler(asked as unknown as LambdaEvent, { getRemainingTimeInMillis: () => remainingMs } as LambdaContext);
}

it("answers a request that would exceed the function's timeout with an error of the API", async () => {
  const lines = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const invoke = handlerOf(() => new Promise(() => {}));
  const answer = await invoke(2_000);
  expect(answer).toMatchObject({
    statusCode: 503,
    isBase64Encoded: false,
    headers: {
      "retry-after": "1",
      "x-request-id": expect.stringMatching(/^req_/),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
  const { body, headers } = answer as unknown as { body: string; headers: Record<string, string> };
  expect(JSON.parse(body)).toMatchObject({
    success: false,
    error: { code: "SERVICE_UNAVAILABLE", message: expect.stringContaining("its outcome is unknown") },
    meta: { request_id: headers["x-request-id"] },
  });
  const logged = lines.mock.calls.map(([line]) => String(line)).join("");
  expect(logged).toContain("REQUEST_TIMED_OUT");
  expect(logged).toContain(headers["x-request-id"]);
});

it("answers a request that has enough time", async () => {
  const answer = await handlerOf(async () => ({}))(30_000);
  expect(answer).toMatchObject({ statusCode: 200 });
});

it("stores the count of its first request before it answers, because there may be no second one", async () => {
  let runtime: Runtime | undefined;
  const invoke = handlerOf(async (own) => {
    runtime = own;
    return {};
  });
  await invoke(30_000);
  expect(await readRequests(runtime!.ports.records)).toMatchObject({ successful: 1 });
  await invoke(30_000);
  expect(await readRequests(runtime!.ports.records)).toMatchObject({ successful: 1 });
  await runtime!.rollups.flush();
  expect(await readRequests(runtime!.ports.records)).toMatchObject({ successful: 2 });
});

it("counts nothing without a record store", async () => {
  const flush = vi.spyOn(Rollups.prototype, "flush");
  const invoke = handlerOf(async () => ({}), []);
  expect(await invoke(30_000)).toMatchObject({ statusCode: 200 });
  expect(flush).not.toHaveBeenCalled();
});

/**
 * Invokes a function with one route whose response has `count` parts of `length` characters; returns the response and
 * its size.
 */
async function answerOf(method: "get" | "post", count: number, length: number) {
  const limits = { memoryMb: 256, timeoutSeconds: 10 };
  const group = newGroup({ name: "long", prefixes: ["/"], capabilities: ["records"], ...limits });
  group.public[method]("/parts", "readParts", {
    summary: "Reads parts",
    answer: z.object({ parts: z.array(z.string()) }),
    handler: async () => ({ parts: Array.from({ length: count }, () => '"'.repeat(length)) }),
  });
  const http = { ...event.requestContext.http, method: method.toUpperCase(), path: "/parts" };
  const asked = { ...event, rawPath: "/parts", requestContext: { ...event.requestContext, http } };
  const given = { getRemainingTimeInMillis: () => 10_000 } as LambdaContext;
  const answered = await groupEntry(group).handler(asked as unknown as LambdaEvent, given);
  const { statusCode, body } = answered as { statusCode: number; body: string };
  return { statusCode, body: JSON.parse(body), bytes: Buffer.byteLength(JSON.stringify(answered)) };
}

it("answers up to nearly the maximum size of Lambda", async () => {
  const { statusCode, body, bytes } = await answerOf("get", 147, 10_000);
  expect([statusCode, body.data.parts.length]).toEqual([200, 147]);
  expect(bytes).toBeLessThan(MAX_BYTES);
  expect(bytes).toBeGreaterThan(0.9 * MAX_BYTES);
});

it("answers a longer list with an error of the API that names the limit that fits, and logs it", async () => {
  const lines = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const { statusCode, body } = await answerOf("get", 200, 10_000);
  expect([statusCode, body.success, body.error]).toEqual([
    413,
    false,
    { code: "PAYLOAD_TOO_LARGE", message: expect.stringContaining("147 of its "), details: { max_limit: 147 } },
  ]);
  const logged = lines.mock.calls.map(([line]) => String(line)).join("");
  expect(logged).toContain("ANSWER_TOO_LONG");
  expect(logged).toContain("readParts");
  expect(logged).toContain(body.meta.request_id);
});

it("says that a change was made if its response is too long", async () => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const { statusCode, body } = await answerOf("post", 200, 10_000);
  expect([statusCode, body.error.message]).toEqual([413, expect.stringContaining("The request succeeded")]);
});
