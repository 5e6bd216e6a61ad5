import { Console } from "node:console";
import { errorsAsObjects, LOG_LEVELS, type Logger, type LogLevel } from "../../kernel/logger.ts";
import { SERVICE } from "../logger.ts";

/** Of every logger that has lines waiting: one listener for all, since a process may open many hosts. */
const pending = new Set<() => void>();

process.on("exit", () => {
  for (const flush of pending) flush();
});

/**
 * The same lines as the logger on AWS writes, cheaply enough to log each request: those of one turn of the event loop
 * leave in one write. Errors leave at once, as does what waits when the process ends by itself.
 */
export function createLineLogger(level: LogLevel, write: (lines: string) => void = writeToStandardOutput()): Logger {
  let waiting: string[] = [];
  const flush = () => {
    const lines = waiting;
    waiting = [];
    pending.delete(flush);
    if (lines.length > 0) write(lines.join("\n"));
  };
  const at = (own: LogLevel) => (message: string, fields?: Record<string, unknown>) => {
    if (LOG_LEVELS.indexOf(own) < LOG_LEVELS.indexOf(level)) return;
    if (waiting.push(toLine(own, message, fields)) === 1) {
      pending.add(flush);
      setImmediate(flush);
    }
    if (own === "error") flush();
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** Through a console, which lets a reader that went away be no fault of the service. */
export function writeToStandardOutput(): (lines: string) => void {
  const output = new Console({ stdout: process.stdout });
  return (lines) => output.log(lines);
}

function toLine(level: LogLevel, message: string, fields?: Record<string, unknown>): string {
  const head = { level: level.toUpperCase(), message, timestamp: new Date().toISOString(), service: SERVICE };
  return JSON.stringify({ ...head, ...fields }, errorsAsObjects);
}
