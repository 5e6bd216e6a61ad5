import { errorsAsObjects, LOG_LEVELS, type Logger, type LogLevel } from "../../kernel/logger.ts";
import { SERVICE } from "../../ports/logger.ts";

/** The flush functions of loggers with unwritten lines, for one exit listener: a process may open many hosts. */
const pending = new Set<() => void>();

process.on("exit", () => {
  for (const flush of pending) flush();
});

/**
 * Creates a logger with the same line format as on AWS. It is cheap enough to log each request, because it writes the
 * lines of one event loop turn together. It writes errors at once, and unwritten lines when the process ends normally.
 */
export function createLineLogger(level: LogLevel, write: (lines: string) => void = writeToStandardOutput): Logger {
  let waiting: string[] = [];
  const flush = () => {
    const lines = waiting;
    waiting = [];
    pending.delete(flush);
    if (lines.length > 0) write(lines.join("\n"));
  };
  const logAt = (lineLevel: LogLevel) => (message: string, fields?: Record<string, unknown>) => {
    if (LOG_LEVELS.indexOf(lineLevel) < LOG_LEVELS.indexOf(level)) return;
    if (waiting.push(toLine(lineLevel, message, fields)) === 1) {
      pending.add(flush);
      setImmediate(flush);
    }
    if (lineLevel === "error") flush();
  };
  return { debug: logAt("debug"), info: logAt("info"), warn: logAt("warn"), error: logAt("error") };
}

export function writeToStandardOutput(lines: string): void {
  process.stdout.write(`${lines}\n`);
}

function toLine(level: LogLevel, message: string, fields?: Record<string, unknown>): string {
  const head = { level: level.toUpperCase(), message, timestamp: new Date().toISOString(), service: SERVICE };
  return JSON.stringify({ ...head, ...fields }, errorsAsObjects);
}
