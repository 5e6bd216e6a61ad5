import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "docs",
  // "/" handles paths of no other group, so that unknown paths get the error envelope.
  prefixes: ["/", "/openapi.json", "/docs", "/llms.txt"],
  capabilities: [],
  memoryMb: 256,
  timeoutSeconds: 10,
  rootFiles: ["llms.txt", "README.md", "docs/*.md", "infra/README.md", "clients/*/README.md"],
};
