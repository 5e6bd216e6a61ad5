import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "webhooks",
  prefixes: ["/webhooks"],
  capabilities: ["records", "queue", "secrets:sealing"],
  memoryMb: 512,
};
