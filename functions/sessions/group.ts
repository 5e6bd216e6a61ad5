import type { GroupManifest } from "../../shared/ports/manifest.ts";
import { COMPRESS_QUEUES, REMEMBER_QUEUE, sendsTo } from "../../shared/ports/queues.ts";
import { FONT_FILES } from "./export/font-files.ts";

export const group: GroupManifest = {
  name: "sessions",
  prefixes: ["/sessions"],
  capabilities: ["records", "search", "blobs", "models", ...sendsTo(REMEMBER_QUEUE, ...COMPRESS_QUEUES)],
  // One processor, because typesetting a long session as PDF is CPU-bound.
  memoryMb: 1769,
  allowsAgentKeys: true,
  packageFiles: FONT_FILES,
};
