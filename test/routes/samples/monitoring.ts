import type { GroupSamples } from "./sample.ts";

export const monitoring: GroupSamples = {
  routes: {
    readSystemHealth: {},
    readSystemMetrics: {},
    listLogs: { query: "limit=10" },
  },
};
