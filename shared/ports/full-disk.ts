import type { Logger, LogLevel } from "../kernel/logger.ts";
import { isOutOfSpace } from "./backend-faults.ts";

/** Minimum milliseconds between two messages, because every request and worker encounters the full disk. */
const SILENCE_MS = 60_000;

let loggedAt = Number.NEGATIVE_INFINITY;

/** Logs a full disk, at most once per minute and process. */
export function logFullDisk(logger: Logger, error: unknown): void {
  const now = performance.now();
  if (now - loggedAt < SILENCE_MS) return;
  loggedAt = now;
  logger.error("DISK_FULL", { error });
}

/** Logs a failure with `message` and `fields`; if a full disk is the only cause, logs only the full disk. */
export function logFailure(
  logger: Logger,
  message: string,
  fields: { error: unknown; [name: string]: unknown },
  level: LogLevel = "error",
): void {
  if (isOutOfSpace(fields.error)) logFullDisk(logger, fields.error);
  else logger[level](message, fields);
}
