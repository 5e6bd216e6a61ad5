import type { GroupSamples } from "./sample.ts";

export const docs: GroupSamples = {
  routes: { openConsole: {}, readOpenApi: {}, readReference: {} },
  additions: ["GET /", "GET /openapi.json", "GET /docs"],
};
