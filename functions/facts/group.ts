import type { GroupManifest } from "../../shared/platform/manifest.ts";

export const group: GroupManifest = {
  name: "facts",
  prefixes: ["/facts"],
  capabilities: ["records"],
  memoryMb: 512,
  timeoutSeconds: 29,
  admitsAgents: true,
};
