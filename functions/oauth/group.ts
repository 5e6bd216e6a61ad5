import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "oauth",
  prefixes: ["/oauth", "/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource"],
  capabilities: ["records", "secrets:signing"],
  memoryMb: 512,
  timeoutSeconds: 15,
};
