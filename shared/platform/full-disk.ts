import type { Logger, LogLevel } from "../kernel/logger.ts";
import { isOutOfSpace } from "./backend-faults.ts";

/** How long the log says no more of it: every request and every worker meets a full disk, again and again. */
const SILENCE_MS = 60_000;

let toldAt = Number.NEGATIVE_INFINITY;

/** Logs that there is no room left, once a minute and process. */
export function tellOfFullDisk(logger: Logger, error: unknown): void {
  const now = performance.now();
  if (now - toldAt < SILENCE_MS) return;
  toldAt = now;
  logger.error("DISK_FULL", { error });
}

/** Logs what failed by `message` and `fields`; where nothing but room was missing, that there is none. */
export function logFailure(
  logger: Logger,
  message: string,
  fields: { error: unknown; [name: string]: unknown },
  level: LogLevel = "error",
): void {
  if (isOutOfSpace(fields.error)) tellOfFullDisk(logger, fields.error);
  else logger[level](message, fields);
}
