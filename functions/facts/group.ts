import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "facts",
  prefixes: ["/facts"],
  capabilities: ["records"],
  memoryMb: 512,
  allowsAgentKeys: true,
};
