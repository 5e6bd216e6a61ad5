import type { Logger } from "../kernel/logger.ts";

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
