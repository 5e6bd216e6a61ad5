import type { GroupSamples } from "./sample.ts";

export const docs: GroupSamples = {
  routes: {
    openConsole: {},
    readOpenApi: {},
    readReference: {},
    readDocsPage: { kinds: { file: "recall.md" } },
    readLlmsTxt: {},
  },
  additions: ["GET /", "GET /openapi.json", "GET /docs", "GET /docs/{file}", "GET /llms.txt"],
};
