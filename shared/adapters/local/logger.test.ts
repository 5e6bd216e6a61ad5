import { spawnSync } from "node:child_process";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createLineLogger } from "./logger.ts";

const LOGS_AND_EXITS = `
  const { createLineLogger } = await import("${new URL("logger.ts", import.meta.url)}");
  createLineLogger("info").info("FIRST");
  createLineLogger("info").info("SECOND");
  process.exit(0);
`;

function collectingLogger(level: "debug" | "info" | "warn" | "error") {
  const writes: string[] = [];
  return { logger: createLineLogger(level, (lines) => writes.push(lines)), writes };
}

test("lines of one turn are written together, each as a JSON object", async () => {
  const { logger, writes } = collectingLogger("info");
  logger.info("REQUEST", { status: 200 });
  logger.warn("STREAM_BEHIND");
  expect(writes).toEqual([]);
  await nextTurn();
  expect(writes).toHaveLength(1);
  const [first, second] = writes[0]!.split("\n").map((line) => JSON.parse(line));
  expect(first).toMatchObject({ level: "INFO", message: "REQUEST", service: "memory-service", status: 200 });
  expect(Date.parse(first.timestamp)).toBeGreaterThan(0);
  expect(second).toMatchObject({ level: "WARN", message: "STREAM_BEHIND" });
});

test("an error is written at once, after waiting lines, with its stack and cause", () => {
  const { logger, writes } = collectingLogger("info");
  logger.info("BEFORE");
  logger.error("UNEXPECTED_ERROR", { error: new TypeError("no", { cause: new Error("why") }) });
  const lines = writes.join("\n").split("\n");
  expect(lines).toHaveLength(2);
  const { error } = JSON.parse(lines[1]!);
  expect(error).toMatchObject({ name: "TypeError", message: "no", cause: { name: "Error", message: "why" } });
  expect(error.stack).toContain("logger.test.ts");
});

test("lines below the level are not written", async () => {
  const { logger, writes } = collectingLogger("warn");
  logger.debug("A");
  logger.info("B");
  await nextTurn();
  expect(writes).toEqual([]);
});

test("waiting lines are written when the process ends, with one listener for all loggers", () => {
  const listeners = process.listenerCount("exit");
  collectingLogger("info").logger.info("WAITS");
  expect(process.listenerCount("exit")).toBe(listeners);
  const ended = spawnSync(process.execPath, ["--input-type=module", "-e", LOGS_AND_EXITS], { encoding: "utf8" });
  expect(
    ended.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).message),
  ).toEqual(["FIRST", "SECOND"]);
  expect(ended.stderr).toBe("");
});
