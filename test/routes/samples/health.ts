import type { GroupSamples } from "./sample.ts";

export const health: GroupSamples = {
  routes: {
    readHealth: {},
    readReadiness: {},
    readStatus: {},
  },
};
