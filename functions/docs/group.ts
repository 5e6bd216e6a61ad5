import type { GroupManifest } from "../../shared/platform/manifest.ts";

export const group: GroupManifest = {
  name: "docs",
  // "/" takes what no other group answers, so that unknown paths get the error envelope too.
  prefixes: ["/", "/openapi.json", "/docs"],
  capabilities: [],
  memoryMb: 256,
  timeoutSeconds: 10,
};
