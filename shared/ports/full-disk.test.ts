import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { LOG_LEVELS, type Logger } from "../kernel/logger.ts";

const SILENCE_MS = 60_000;
const FULL = Object.assign(new Error("write ENOSPC"), { code: "ENOSPC" });
const OTHER = new Error("something else");

let lines: unknown[][];
let logger: Logger;
let logFailure: typeof import("./full-disk.ts").logFailure;

/** A new process has not logged a full disk yet, so the module is loaded again. */
beforeEach(async () => {
  vi.resetModules();
  ({ logFailure } = await import("./full-disk.ts"));
  lines = [];
  const at = (level: string) => (message: string, fields?: object) => void lines.push([level, message, fields]);
  logger = Object.fromEntries(LOG_LEVELS.map((level) => [level, at(level)])) as Logger;
});

it("logs each failure by its name, as an error by default", () => {
  logFailure(logger, "LOOP_FAILED", { queue: "one", error: OTHER });
  logFailure(logger, "LOOP_FAILED", { queue: "two", error: OTHER });
  logFailure(logger, "NOT_WRITTEN", { error: OTHER }, "warn");
  expect(lines).toEqual([
    ["error", "LOOP_FAILED", { queue: "one", error: OTHER }],
    ["error", "LOOP_FAILED", { queue: "two", error: OTHER }],
    ["warn", "NOT_WRITTEN", { error: OTHER }],
  ]);
});

it("logs only that the disk is full, once a minute", () => {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  logFailure(logger, "LOOP_FAILED", { queue: "one", error: FULL });
  now = SILENCE_MS - 1;
  logFailure(logger, "NOT_WRITTEN", { error: FULL }, "warn");
  const line = ["error", "DISK_FULL", { error: FULL }];
  expect(lines).toEqual([line]);
  now = SILENCE_MS;
  logFailure(logger, "NOT_WRITTEN", { error: FULL }, "warn");
  expect(lines).toEqual([line, line]);
});
