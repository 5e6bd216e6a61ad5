import type { GroupManifest } from "../../shared/platform/manifest.ts";
import { FONT_FILES } from "./export/font-families.ts";

export const group: GroupManifest = {
  name: "sessions",
  prefixes: ["/sessions"],
  capabilities: ["records", "blobs", "models", "queue"],
  // One processor: setting a long session as PDF is all computing.
  memoryMb: 1769,
  timeoutSeconds: 29,
  admitsAgents: true,
  packageFiles: FONT_FILES,
};
