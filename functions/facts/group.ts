import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "facts",
  prefixes: ["/facts", "/graph"],
  capabilities: ["records"],
  memoryMb: 512,
  allowsAgentKeys: true,
};
