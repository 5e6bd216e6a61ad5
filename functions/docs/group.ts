import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "docs",
  // "/" handles paths of no other group, so that unknown paths get the error envelope.
  prefixes: ["/", "/openapi.json", "/docs"],
  capabilities: [],
  memoryMb: 256,
  timeoutSeconds: 10,
};
