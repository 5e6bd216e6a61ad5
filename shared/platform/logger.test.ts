import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { withFields } from "../kernel/logger.ts";
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

it("writes a line a message, with its level, its code, its fields and who speaks", () => {
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
