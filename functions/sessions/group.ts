import type { GroupManifest } from "../../shared/ports/manifest.ts";
import { FONT_FILES } from "./export/font-files.ts";

export const group: GroupManifest = {
  name: "sessions",
  prefixes: ["/sessions"],
  capabilities: ["records", "blobs", "models", "queue"],
  // One processor, because typesetting a long session as PDF is CPU-bound.
  memoryMb: 1769,
  allowsAgentKeys: true,
  packageFiles: FONT_FILES,
};
