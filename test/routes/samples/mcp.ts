import type { GroupSamples } from "./sample.ts";

export const mcp: GroupSamples = {
  routes: { callMcp: { body: { jsonrpc: "2.0", id: 1, method: "tools/list" } } },
  additions: ["POST /mcp"],
};
