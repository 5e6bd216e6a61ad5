import type { GroupManifest } from "../../shared/platform/manifest.ts";

export const group: GroupManifest = {
  name: "docs",
  prefixes: ["/openapi.json", "/docs"],
  capabilities: [],
  memoryMb: 256,
  timeoutSeconds: 10,
};
