import { inspect } from "node:util";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createLineLogger } from "../adapters/local/logger.ts";
import { withFields } from "../kernel/logger.ts";
import { ConditionFailedError } from "./errors.ts";
import { createLogger } from "./logger.ts";

const written: string[] = [];

beforeEach(() => {
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => written.push(String(chunk)) > 0);
  vi.spyOn(process.stderr, "write").mockImplementation((chunk) => written.push(String(chunk)) > 0);
});

afterEach(() => {
  vi.restoreAllMocks();
  written.length = 0;
});

const lines = () => written.flatMap((chunk) => chunk.trim().split("\n")).map((line) => JSON.parse(line));

it("writes one line per message, with its level, code, fields and service", () => {
  const logger = createLogger("info");
  const group = withFields(logger, { service: "memories", request_id: "req_1" });
  group.info("REQUEST", { route: "GET /memories/{id}", status: 200 });
  group.error("UNEXPECTED_ERROR", { error: new TypeError("no") });
  withFields(logger, { service: "sweep" }).warn("SWEPT");
  logger.info("STARTED");
  logger.debug("NOT_WRITTEN");
  expect(lines()).toMatchObject([
    { level: "INFO", message: "REQUEST", service: "memories", request_id: "req_1", status: 200 },
    { level: "ERROR", message: "UNEXPECTED_ERROR", service: "memories", request_id: "req_1", error: { message: "no" } },
    { level: "WARN", message: "SWEPT", service: "sweep" },
    { level: "INFO", message: "STARTED", service: "memory-service" },
  ]);
  expect(lines()).toHaveLength(4);
  expect(Date.parse(lines()[0].timestamp)).toBeGreaterThan(0);
});

it("logs an error's message and stack, and none of its other properties, on both platforms", () => {
  const secret = "Ada keeps her key under the third stone.";
  const sent = Object.assign(new Error("no answer"), { name: "TimeoutError", meta: { request: { body: secret } } });
  const met = new ConditionFailedError(0, { pk: "org_1#mem_1", sk: "memory", kind: "memory", content: secret });
  const error = new Error("it failed", { cause: new AggregateError([sent], "both failed", { cause: met }) });
  const homes = [createLogger("info"), createLineLogger("info", (text) => written.push(text))];
  for (const logger of homes) {
    written.length = 0;
    for (const each of [error, sent, met]) logger.error("UNEXPECTED_ERROR", { error: each });
    expect(written.join("\n")).not.toContain("third stone");
    expect(lines()).toMatchObject([
      { error: { message: "it failed", cause: { message: "both failed", cause: { name: "ConditionFailedError" } } } },
      { error: { name: "TimeoutError", message: "no answer", stack: expect.stringContaining("logger.test") } },
      { error: { message: "condition of write 0 failed" } },
    ]);
  }
  expect(inspect(met)).not.toContain("third stone");
});
