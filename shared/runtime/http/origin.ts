import { timingSafeEqual } from "node:crypto";
import type { Context as HonoContext } from "hono";
import { sha256 } from "../../kernel/digest.ts";

/** The header with which a trusted proxy authenticates itself. */
export const ORIGIN_SECRET_HEADER = "X-Origin-Secret";

/** The parts of a platform's own request that are read here: of Node's message, or of API Gateway's event. */
interface Environment {
  incoming?: { socket?: { remoteAddress?: string } };
  requestContext?: { http?: { sourceIp?: string } };
}

/**
 * Returns the network address of a request's sender. Behind proxies it is the address that the outermost trusted proxy
 * saw; earlier entries of X-Forwarded-For can be forged. Undefined for a request that came over no network.
 */
export function addressOf({ env, req }: HonoContext, trustedProxies: number): string | undefined {
  const { incoming, requestContext } = (env ?? {}) as Environment;
  const peer = incoming?.socket?.remoteAddress ?? requestContext?.http?.sourceIp;
  if (trustedProxies === 0 || peer === undefined) return peer;
  const forwarded = (req.header("x-forwarded-for") ?? "").split(",").map((address) => address.trim());
  // API Gateway has already appended its peer to the header; Node has not.
  const hops = [...forwarded, ...(incoming ? [peer] : [])].filter((address) => address !== "");
  return hops.at(-1 - trustedProxies) ?? hops[0] ?? peer;
}

/** Whether the request comes from a proxy that knows one of the secrets, given their SHA-256 hashes in hex. */
export function isFromProxy({ req }: HonoContext, hashes: readonly string[]): boolean {
  const secret = req.header(ORIGIN_SECRET_HEADER);
  if (secret === undefined) return false;
  const presented = Buffer.from(sha256(secret));
  return hashes.some((hash) => timingSafeEqual(Buffer.from(hash), presented));
}
