import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { Config } from "../../kernel/config.ts";
import { ServiceError } from "../../kernel/errors.ts";

export interface Address {
  address: string;
  family: number;
}

/** Resolves a host name to all its addresses. Rejects for a name without addresses. */
export type Resolve = (hostname: string) => Promise<Address[]>;

const resolveByDns: Resolve = (hostname) => lookup(hostname, { all: true, verbatim: true });

export type TargetPolicy = Pick<Config, "ALLOW_PRIVATE_TARGETS">;

/** Lower ports, except those of the web, belong to services such as mail and remote terminals. */
const FIRST_UNPRIVILEGED_PORT = 1024;
const WEB_PORTS = [80, 443];

function refused(problem: string): ServiceError {
  return new ServiceError("URL_NOT_ALLOWED", `This URL is not fetched: ${problem}.`, { reason: problem });
}

/**
 * Returns the URL if its form may be fetched: http or https, no credentials, a web port or one above 1023. URL parsing
 * normalizes every notation of an IPv4 address (octal, hexadecimal, short, full-width digits). Throws URL_NOT_ALLOWED.
 */
export function checkUrl(given: string | URL, { ALLOW_PRIVATE_TARGETS }: TargetPolicy): URL {
  const url = URL.parse(String(given));
  if (!url) throw refused("it is no absolute URL");
  const { protocol, username, password, hostname, port } = url;
  if (protocol !== "http:" && protocol !== "https:") throw refused("use http or https");
  if (username !== "" || password !== "") throw refused("a URL must not hold credentials");
  if (hostname === "") throw refused("it names no host");
  const number = Number(port);
  const isCommon = port === "" || WEB_PORTS.includes(number) || number >= FIRST_UNPRIVILEGED_PORT;
  if (!isCommon && !ALLOW_PRIVATE_TARGETS) throw refused("use port 80, 443 or one above 1023");
  return url;
}

/** Names that always mean the local host. */
const LOCALHOST_NAME = /^(.*\.)?localhost\.?$/;

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Checks a URL that is requested later: as `checkUrl`, and refuses a clearly private host. Throws URL_NOT_ALLOWED. */
export function checkTarget(given: string | URL, policy: TargetPolicy): URL {
  const url = checkUrl(given, policy);
  const host = hostOf(url);
  const isPrivate = isIP(host) === 0 ? LOCALHOST_NAME.test(host) : !isPublicAddress(host);
  if (isPrivate && !policy.ALLOW_PRIVATE_TARGETS) throw refused("its host has no public address");
  return url;
}

/**
 * Returns the current addresses of a URL's host, all of them public. Connect only to these, because the name may
 * resolve to others a moment later. Throws URL_NOT_ALLOWED; rejects if the name cannot be resolved.
 */
export async function resolveTarget(
  url: URL,
  { ALLOW_PRIVATE_TARGETS }: TargetPolicy,
  resolve?: Resolve,
): Promise<Address[]> {
  const host = hostOf(url);
  // DNS is not asked for names of the local host: it may take long.
  const isLocal = resolve === undefined && LOCALHOST_NAME.test(host);
  if (isLocal && !ALLOW_PRIVATE_TARGETS) throw refused("its host has no public address");
  const family = isIP(host);
  const addresses = family === 0 ? await (resolve ?? resolveByDns)(host) : [{ address: host, family }];
  const isAllowed = ALLOW_PRIVATE_TARGETS || addresses.every(({ address }) => isPublicAddress(address));
  if (addresses.length === 0 || !isAllowed) throw refused("its host has no public address, or one that is not");
  return addresses;
}

/** The range that IANA has allocated to global unicast; everything else is reserved. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
/** Public addresses at which a cloud provider's own services answer: Azure's instance services. */
const CLOUD_SERVICES = ["168.63.129.16"];

/**
 * Whether an IP address (not a name) is globally routable. Private, loopback, link-local, shared, multicast,
 * documentation and benchmark ranges are not; neither is IPv6 that embeds an IPv4 address (mapped, NAT64, 6to4,
 * Teredo), because it may reach any of them.
 */
function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || CLOUD_SERVICES.includes(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST);
}
