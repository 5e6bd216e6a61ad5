import { unavailable } from "../../kernel/errors.ts";
import type { Context } from "../context.ts";

/** Seconds after which a client should retry; by then part of the backlog is done. */
const BACKLOG_RETRY_SECONDS = 10;

/** Throws SERVICE_UNAVAILABLE while too many documents of the organization wait for their vectors. */
export function refuseWhileBacklogged({ org, isBacklogged }: Pick<Context, "org" | "isBacklogged">): void {
  if (!isBacklogged?.(org)) return;
  const message = `Too many memories are waiting for their vectors. Try again in ${BACKLOG_RETRY_SECONDS} s; GET /status shows how many are waiting.`;
  throw unavailable(message, BACKLOG_RETRY_SECONDS);
}
