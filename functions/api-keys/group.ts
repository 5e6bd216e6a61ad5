import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "api-keys",
  prefixes: ["/api-keys", "/whoami", "/usage"],
  capabilities: ["records"],
  memoryMb: 256,
  timeoutSeconds: 10,
  allowsAgentKeys: true,
};
