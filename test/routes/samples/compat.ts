import type { GroupSamples } from "./sample.ts";

/** Requests of mem0 clients for memories. */
export const compat: GroupSamples = {
  routes: {
    addCompatMemories: { body: { memory: "Ada prefers tea.", infer: false } },
    searchCompatMemories: { body: { query: "tea", filters: { user_id: "ada" } } },
    listCompatMemories: { query: "page_size=1", body: { filters: { NOT: [{ user_id: "ada" }] } } },
    getCompatMemory: { params: { id: "memory" } },
    updateCompatMemory: { params: { id: "memory" }, body: { text: "Ada prefers coffee." } },
    deleteCompatMemory: { params: { id: "memory" } },
    deleteCompatMemories: { query: "user_id=nobody" },
    addCompatMemoriesV1: { body: { memory: "Ada prefers tea.", infer: false } },
    listCompatMemoriesV1: { query: "user_id=ada" },
    listCompatMemoriesV2: { query: "page_size=1", body: { filters: { user_id: "ada" } } },
    searchCompatMemoriesV1: { body: { query: "tea", user_id: "ada" } },
    searchCompatMemoriesV2: { body: { query: "tea", filters: { user_id: "ada" } } },
    readCompatHistory: { params: { id: "memory" } },
  },
  additions: [
    "GET /v1/memories/{id}",
    "PUT /v1/memories/{id}",
    "DELETE /v1/memories/{id}",
    "DELETE /v1/memories",
    "GET /v1/memories",
    "POST /v1/memories",
    "POST /v1/memories/search",
    "POST /v2/memories",
    "POST /v2/memories/search",
    "GET /v1/memories/{id}/history",
  ],
};
