import type { GroupSamples } from "./sample.ts";

export const memories: GroupSamples = {
  things: {
    memory: { path: "/memories", body: { content: "Ada lives in Zurich.", options: { extract_facts: false } } },
    entity: { path: "/entities", body: ({ name }) => ({ name, type: "place" }) },
  },
  routes: {
    createMemory: { body: { content: "Ada prefers tea." } },
    listMemories: { query: "limit=1" },
    readMemoryStats: {},
    createMemories: { body: { memories: [{ content: "Ada prefers tea." }] } },
    processMemory: { body: { content: "Ada prefers tea.", options: { compression_mode: "conservative" } } },
    inferFromMemory: { body: { memory_id: "mem_absent", prompt: "What does Ada drink?" } },
    updateMemories: { body: { updates: [{ id: "mem_absent", content: "none" }] } },
    deleteMemories: { body: { ids: ["mem_absent"] } },
    deleteMatchingMemories: { body: { filters: { category: "none has this" }, confirm: true } },
    getMemory: { params: { id: "memory" } },
    updateMemory: { params: { id: "memory" }, body: { content: "Ada prefers coffee." } },
    deleteMemory: { params: { id: "memory" } },
    readMemoryHistory: { params: { id: "memory" } },
    listMemoryVersions: { params: { id: "memory" } },
    restoreMemory: { params: { id: "memory" }, body: { version: 1 } },
    expireMemory: { params: { id: "memory" }, body: {} },
    linkEntity: { params: { id: "memory", entityID: "entity" }, body: {} },
    listMemoryEntities: { params: { id: "memory" } },
    giveFeedback: { params: { id: "memory" }, body: { rating: 5 } },
    listEntities: { query: "q=zur" },
    getEntity: { params: { id: "entity" } },
    createEntity: { body: { name: "Zurich", type: "place" } },
  },
  additions: ["GET /entities", "GET /entities/{id}", "POST /entities"],
};
