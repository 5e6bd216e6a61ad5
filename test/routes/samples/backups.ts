import type { GroupSamples } from "./sample.ts";

export const backups: GroupSamples = {
  routes: {
    createBackup: { body: { components: ["config"] } },
    downloadLatestBackup: {},
    listBackups: { query: "limit=1" },
  },
  additions: ["GET /admin/backups"],
};
