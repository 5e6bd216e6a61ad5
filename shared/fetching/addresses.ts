import ipaddr from "ipaddr.js";

/** What IANA has given out for global unicast; everything outside has some other use, or none. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
/** Public by number, yet answered by the cloud a machine runs in: Azure's instance services. */
const CLOUD_SERVICES = ["168.63.129.16"];

/**
 * Whether an IP address (not a name) is one that the whole internet reaches the same host by. Private, loopback,
 * link-local, shared, multicast, documentation and benchmark ranges are not, nor is IPv6 that carries an IPv4 address
 * (mapped, NAT64, 6to4, Teredo): it may lead anywhere.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || CLOUD_SERVICES.includes(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST);
}
