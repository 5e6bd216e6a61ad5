import type { GroupSamples } from "./sample.ts";

export const apiKeys: GroupSamples = {
  things: {
    apiKey: { path: "/api-keys", body: { name: "sample", permissions: ["memory:read"] } },
  },
  routes: {
    createApiKey: { body: { name: "sample", permissions: ["memory:read"] } },
    listApiKeys: {},
    getApiKey: { params: { id: "apiKey" } },
    updateApiKey: { params: { id: "apiKey" }, body: { name: "renamed" } },
    revokeApiKey: { params: { id: "apiKey" }, body: { reason: "sample" } },
    rotateApiKey: { params: { id: "apiKey" }, body: {} },
    readPrincipal: {},
    readUsage: {},
  },
  additions: ["GET /whoami", "GET /usage"],
};
