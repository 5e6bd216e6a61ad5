import type { GroupManifest } from "../../shared/platform/manifest.ts";

export const group: GroupManifest = {
  name: "sessions",
  prefixes: ["/sessions"],
  capabilities: ["records", "blobs", "models"],
  memoryMb: 512,
  timeoutSeconds: 29,
};
