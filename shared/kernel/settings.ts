import * as z from "zod";
import { LOG_LEVELS } from "./logger.ts";
import { trimmedEnd } from "./strings.ts";

/** Whether something is on. */
export const flag = z.enum(["0", "1", "true", "false"]).transform((value) => value === "1" || value === "true");

/** Whether an address is a redirect URL: HTTPS or localhost, without a query or fragment. */
function isRedirectAddress(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.href === url.origin + url.pathname && isEncryptedOrLoopback(url);
}

function isEncryptedOrLoopback({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname));
}

/** Whether the host of a URL is this machine by one of its usual names. */
export function isLoopbackHost(hostname: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

/**
 * Whether an address names an SMTP server, with credentials or without, and nothing else: options in the query could
 * switch off a library's checks.
 */
export function isMailServer(address: string): boolean {
  const url = URL.parse(address);
  if (url === null || !["smtp:", "smtps:"].includes(url.protocol) || url.hostname === "") return false;
  const { pathname, search, hash, username, password } = url;
  return ["", "/"].includes(pathname) && search + hash === "" && isPercentEncoded(username + password);
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** The URL of a service that receives secrets or authenticates users. */
export const providerUrl = z
  .url({ abort: true })
  .refine((url) => isEncryptedOrLoopback(new URL(url)), "must begin with https:, unless it is on this machine")
  .transform((url) => trimmedEnd(url, /\//));

/** An allowed redirect URL of sign-in with providers. */
export const redirectAddress = z
  .string()
  .refine(isRedirectAddress, "must be an https URL without a query, or an http one of localhost");

/** An origin, or `*` for all origins. */
export const origin = z.union([
  z.literal("*"),
  z.url({ abort: true }).refine((url) => new URL(url).origin === url, "must be an origin, like https://example.com"),
]);

/** A whole number in digits. */
export const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

/** A number of days for which something is kept or used. */
export const days = integer(1, 3650);

/** A log level in upper or lower case. */
export const logLevel = z.string().toLowerCase().pipe(z.enum(LOG_LEVELS));

/** The number of trusted proxies. */
export const trustedProxies = integer(0, 10);

/** A comma-separated list in one variable. */
export const listOf = (item: z.ZodType<string, string>) =>
  z
    .string()
    .transform((list) => list.split(",").map((item) => item.trim()))
    .pipe(z.array(item));
