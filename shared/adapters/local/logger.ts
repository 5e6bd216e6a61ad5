import { errorsAsObjects, LOG_LEVELS, type Logger, type LogLevel } from "../../kernel/logger.ts";
import { SERVICE } from "../../ports/logger.ts";

/** Loggers with waiting lines: one exit listener for all, because a process may open many hosts. */
const pending = new Set<() => void>();

process.on("exit", () => {
  for (const flush of pending) flush();
});

/**
 * The same lines as the logger on AWS, cheap enough to log each request: lines of one event loop turn are written
 * together. Errors are written at once, waiting lines when the process ends normally.
 */
export function createLineLogger(level: LogLevel, write: (lines: string) => void = writeToStandardOutput): Logger {
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

export function writeToStandardOutput(lines: string): void {
  process.stdout.write(`${lines}\n`);
}

function toLine(level: LogLevel, message: string, fields?: Record<string, unknown>): string {
  const head = { level: level.toUpperCase(), message, timestamp: new Date().toISOString(), service: SERVICE };
  return JSON.stringify({ ...head, ...fields }, errorsAsObjects);
}
