import ipaddr from "ipaddr.js";

/** The range that IANA has allocated to global unicast; everything else is reserved. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
/** Public addresses that the cloud provider answers itself: Azure's instance services. */
const CLOUD_SERVICES = ["168.63.129.16"];

/**
 * Whether an IP address (not a name) is globally routable. Private, loopback, link-local, shared, multicast,
 * documentation and benchmark ranges are not; neither is IPv6 that embeds an IPv4 address (mapped, NAT64, 6to4,
 * Teredo), because it may reach any of them.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || CLOUD_SERVICES.includes(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST);
}
