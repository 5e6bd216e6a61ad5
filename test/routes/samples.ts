import type { Service } from "../support/service.ts";

/** Things that paths name; each is made over HTTP by the organization whose key is given. */
export const THINGS = {
  memory: { path: "/memories", body: { content: "Ada lives in Zurich.", options: { extract_facts: false } } },
  entity: { path: "/entities", body: { name: "Zurich", type: "place" } },
  apiKey: { path: "/api-keys", body: { name: "sample", permissions: ["memory:read"] } },
} as const;

export type Thing = keyof typeof THINGS;

/** Makes one thing and answers its id. */
export async function makeThing(service: Service, key: string, thing: Thing, name: string): Promise<string> {
  const { path, body } = THINGS[thing];
  const { status, body: answer } = await service.request("POST", path, {
    key,
    body: { ...body, ...named(thing, name) },
  });
  if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(answer)}`);
  return answer.data.id;
}

/** An entity is what it is called, so that another organization's must be called otherwise to be another. */
function named(thing: Thing, name: string): object {
  return thing === "entity" ? { name } : {};
}

/** What a valid request of a route looks like. */
export interface Sample {
  /** What each parameter of the path names. */
  params?: Record<string, Thing>;
  query?: string;
  body?: Record<string, unknown>;
}

/** One row a route, by its name; a route without a row, or a row without a route, fails. */
export const SAMPLES: Record<string, Sample> = {
  createApiKey: { body: { name: "sample", permissions: ["memory:read"] } },
  listApiKeys: {},
  getApiKey: { params: { id: "apiKey" } },
  updateApiKey: { params: { id: "apiKey" }, body: { name: "renamed" } },
  revokeApiKey: { params: { id: "apiKey" }, body: { reason: "sample" } },
  rotateApiKey: { params: { id: "apiKey" }, body: {} },

  readOpenApi: {},
  readReference: {},

  readHealth: {},
  readReadiness: {},
  readStatus: {},

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

  readCompressionMode: {},
  setCompressionMode: { body: { mode: "balanced" } },
  readCompressionConfig: {},
  setCompressionConfig: { body: {} },
  readCompressionStats: {},
  listBenchmarks: {},
  runBenchmark: { body: { samples: ["Ada prefers tea."], iterations: 1 } },
  processText: { body: { content: "Ada prefers tea." } },
  testCompression: { body: { content: "Ada prefers tea." } },
  spreadActivation: { body: { query: "tea" } },
  readTierPolicy: {},
  setTierPolicy: { body: { policy: "balanced", settings: {} } },

  searchMemories: { query: "q=tea" },
  searchMemoriesFiltered: { body: { query: "tea" } },
  searchMemoriesAdvanced: { body: { query: "tea", aggregation: { by_category: true } } },
  searchMemoriesHybrid: { body: { query: "tea" } },
  searchMemoriesByActivation: { query: "q=tea&mode=semantic" },
  searchMemoriesByActivationFiltered: { body: { query: "tea", mode: "semantic" } },
  readSearchStatistics: {},
  readSearchConfig: {},
  changeSearchConfig: { body: { settings: { limit: 10 } } },

  readPipelineStatus: {},
  submitToPipeline: { body: { memory_id: "mem_absent", priority: 2 } },
};

/** Routes that the contract does not name: its paths are a frame, and these are what linking and reading need besides. */
export const ADDITIONS = ["GET /entities", "GET /entities/{id}", "POST /entities", "GET /openapi.json", "GET /docs"];
