import { newGroup } from "../../shared/http/group.ts";
import { group } from "./group.ts";
import * as schemas from "./schemas.ts";
import { answerMessage } from "./server.ts";

export const routes = newGroup(group);

routes.route(
  {
    method: "post",
    path: "/mcp",
    name: "callMcp",
    summary: "Model Context Protocol: memory as tools, resources and a prompt",
    permission: "any",
    query: schemas.Scope,
    body: schemas.Message,
    answer: "raw",
    produces: "application/json",
    readOnly: true,
  },
  (ctx, { query, body }) => answerMessage(ctx, query, body),
);
