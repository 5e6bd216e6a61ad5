import { describe, expect, it } from "vitest";
import { ServiceError } from "../../kernel/errors.ts";
import { RateLimitedError } from "../access/rate-limit.ts";
import { toServiceError } from "../service-error.ts";
import { failure } from "./envelope.ts";

it("reveals nothing of an unexpected error, and logs all of it", async () => {
  const logged: unknown[] = [];
  const note = (message: string, fields?: object) => logged.push([message, fields]);
  const logger = { debug: note, info: note, warn: note, error: note };
  const error = new Error("connect ECONNREFUSED 10.0.0.7:5432 with the password hunter2");
  const answer = failure(toServiceError(error, logger), "req_1", 0, { withDetail: true });
  const text = await answer.text();
  expect(answer.status).toBe(500);
  expect(text).not.toMatch(/10\.0\.0\.7|hunter2|ECONNREFUSED/);
  expect(JSON.parse(text)).toMatchObject({ error: { code: "INTERNAL_ERROR", details: {} } });
  expect(logged).toEqual([["UNEXPECTED_ERROR", { error }]]);
});

it("returns the message of a service error", () => {
  const own = new ServiceError("NOT_FOUND", "There is no such path.");
  expect(toServiceError(own, { debug() {}, info() {}, warn() {}, error() {} })).toBe(own);
});

describe("a failure's headers", () => {
  const headersOf = (error: ServiceError) => failure(error, "req_1", 0).headers;

  it("name the request of the body", async () => {
    const answer = failure(new ServiceError("NOT_FOUND", "There is no such path."), "req_1", 0);
    expect(answer.headers.get("x-request-id")).toBe("req_1");
    expect(await answer.json()).toMatchObject({ meta: { request_id: "req_1" } });
  });

  it("always include the standard ones", () => {
    const headers = headersOf(new ServiceError("RATE_LIMITED", "Wait.", { retry_after: 7 }));
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("cache-control")).toBe("no-store");
  });

  it.each(["RATE_LIMITED", "SERVICE_UNAVAILABLE"] as const)("say when to retry after %s, if that is known", (code) => {
    expect(headersOf(new ServiceError(code, "Wait.", { retry_after: 7 })).get("retry-after")).toBe("7");
    expect(headersOf(new ServiceError(code, "Wait.", { retry_after: 0 })).get("retry-after")).toBe("0");
    expect(headersOf(new ServiceError(code, "Wait.")).has("retry-after")).toBe(false);
  });

  it("describe an exceeded limit: its name, its window and its reset", () => {
    const headers = headersOf(new RateLimitedError({ name: "mails", perMinute: 0.1, burst: 3 }, 540, 1740));
    expect(headers.get("ratelimit-policy")).toBe('"mails";q=3;w=1800');
    expect(headers.get("ratelimit")).toBe('"mails";r=0;t=1740');
    expect(headers.get("retry-after")).toBe("540");
  });

  it("challenge a request without a valid credential", () => {
    for (const code of ["UNAUTHORIZED", "INVALID_CREDENTIALS"] as const) {
      expect(headersOf(new ServiceError(code, "No.")).get("www-authenticate")).toBe('Bearer realm="memory-service"');
    }
    expect(headersOf(new ServiceError("PERMISSION_DENIED", "No.")).has("www-authenticate")).toBe(false);
  });

  it("do not suggest a retry for a permanent refusal", () => {
    const locked = new ServiceError("INVALID_CREDENTIALS", "Too many failed attempts.", { retry_after: 900 });
    expect(headersOf(locked).has("retry-after")).toBe(false);
  });
});
