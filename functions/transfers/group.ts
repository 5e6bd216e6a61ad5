import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "transfers",
  prefixes: ["/imports", "/exports", "/events"],
  capabilities: ["records", "blobs", "queue"],
  memoryMb: 512,
  allowsAgentKeys: true,
};
