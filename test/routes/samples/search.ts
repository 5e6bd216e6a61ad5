import type { GroupSamples } from "./sample.ts";

export const search: GroupSamples = {
  routes: {
    searchMemories: { query: "q=tea" },
    searchMemoriesFiltered: { body: { query: "tea" } },
    searchMemoriesAdvanced: { body: { query: "tea", aggregation: { by_category: true } } },
    searchMemoriesHybrid: { body: { query: "tea" } },
    searchMemoriesByActivation: { query: "q=tea&mode=semantic" },
    searchMemoriesByActivationFiltered: { body: { query: "tea", mode: "semantic" } },
    readSearchStatistics: {},
    readSearchConfig: {},
    changeSearchConfig: { body: { settings: { limit: 10 } } },
  },
};
