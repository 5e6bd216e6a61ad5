import type { GroupSamples } from "./sample.ts";

export const compression: GroupSamples = {
  routes: {
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
    readPipelineStatus: {},
    submitToPipeline: { body: { memory_id: "mem_absent", priority: 2 } },
  },
};
