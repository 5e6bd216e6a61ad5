import { newGroup } from "../../shared/runtime/http/group.ts";
import { group } from "./group.ts";
import { limitedScope } from "./limited-scope.ts";
import { HEADERS, JSON_RPC_REFUSAL } from "./protocol.ts";
import * as schemas from "./schemas.ts";

export const routes = newGroup(group);

routes.post("/mcp", "callMcp", {
  summary: "Model Context Protocol: memory as tools, resources and a prompt",
  permission: "any",
  query: schemas.Scope,
  body: schemas.Messages,
  answer: "raw",
  produces: "application/json",
  readOnly: true,
  headers: HEADERS,
  refusal: JSON_RPC_REFUSAL,
  handler: async (ctx, { query, body, headers }) => {
    // The protocol's library is a tenth of what a start loads.
    const { answerMessages } = await import("./server.ts");
    return answerMessages(ctx, limitedScope(ctx.principal, query), body, headers);
  },
});
