import type { Capability, PortName } from "./ports.ts";
import type { SecretPurpose } from "./secret-names.ts";

const SECRETS = "secrets:";

/** The port of a capability. */
export function portOf(capability: Capability): PortName {
  const [port] = capability.split(":", 1);
  return port as PortName;
}

/** The secret purpose of a capability; undefined for other ports. */
export function secretPurposeOf(capability: Capability): SecretPurpose | undefined {
  return capability.startsWith(SECRETS) ? (capability.slice(SECRETS.length) as SecretPurpose) : undefined;
}
