import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "console",
  prefixes: ["/console"],
  capabilities: [],
  memoryMb: 256,
  timeoutSeconds: 10,
  files: ["browser/*.{html,css,svg}", "bundle/*.js"],
};
