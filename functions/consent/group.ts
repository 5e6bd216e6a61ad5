import type { GroupManifest } from "../../shared/ports/manifest.ts";

/** Apart from `oauth`, because it fetches documents of clients and must not have the keys that sign tokens. */
export const group: GroupManifest = {
  name: "consent",
  prefixes: ["/oauth/authorize", "/oauth/authorization", "/oauth/consent", "/oauth/connected"],
  capabilities: ["records"],
  memoryMb: 512,
  timeoutSeconds: 15,
};
