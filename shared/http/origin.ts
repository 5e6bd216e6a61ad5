import { timingSafeEqual } from "node:crypto";
import type { Context as HonoContext } from "hono";
import { sha256 } from "../kernel/digest.ts";

/** What a proxy in front proves itself with, so that nobody who comes past it is taken for it. */
export const ORIGIN_SECRET_HEADER = "X-Origin-Secret";

/** What the two hosts put beside a request: Node's own message, or API Gateway's event. */
interface Surroundings {
  incoming?: { socket?: { remoteAddress?: string } };
  requestContext?: { http?: { sourceIp?: string } };
}

/**
 * Network address of whoever sent a request. Behind proxies it is what the outermost of the trusted ones saw: anything
 * further left in X-Forwarded-For is the sender's own word. Undefined for a request that came over no network.
 */
export function addressOf({ env, req }: HonoContext, trustedProxies: number): string | undefined {
  const { incoming, requestContext } = (env ?? {}) as Surroundings;
  const peer = incoming?.socket?.remoteAddress ?? requestContext?.http?.sourceIp;
  if (trustedProxies === 0 || peer === undefined) return peer;
  const forwarded = (req.header("x-forwarded-for") ?? "").split(",").map((each) => each.trim());
  // API Gateway has added its peer to the header already; Node has not.
  const hops = [...forwarded, ...(incoming ? [peer] : [])].filter((each) => each !== "");
  return hops.at(-1 - trustedProxies) ?? hops[0] ?? peer;
}

/** Whether a proxy sent a request that knows one of the secrets, of which only the SHA-256 in hex is known here. */
export function isFromProxy({ req }: HonoContext, hashes: readonly string[]): boolean {
  const secret = req.header(ORIGIN_SECRET_HEADER);
  if (secret === undefined) return false;
  const shown = Buffer.from(sha256(secret));
  return hashes.some((hash) => timingSafeEqual(Buffer.from(hash), shown));
}
