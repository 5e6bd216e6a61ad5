import type { GroupSamples } from "./sample.ts";

export const docs: GroupSamples = {
  routes: {
    readOpenApi: {},
    readReference: {},
  },
  additions: ["GET /openapi.json", "GET /docs"],
};
