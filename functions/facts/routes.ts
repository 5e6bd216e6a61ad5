import { newGroup } from "../../shared/runtime/http/group.ts";
import { group } from "./group.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

export const routes = newGroup(group);

routes.route(
  {
    method: "get",
    path: "/facts",
    name: "listFacts",
    summary: "List facts by property with their validity",
    permission: "memory:read",
    limit: "read_memory",
    query: schemas.ListFacts,
    answer: schemas.FactList,
  },
  (ctx, { query }) => service.listFacts(ctx, query),
);

routes.route(
  {
    method: "get",
    path: "/facts/{id}",
    name: "getFact",
    summary: "Get a fact with the history of its property",
    permission: "memory:read",
    limit: "read_memory",
    answer: schemas.FactWithHistory,
    versioned: true,
    errors: ["FACT_NOT_FOUND"],
  },
  (ctx, { params }) => service.getFact(ctx, params.id),
);

const decided = {
  permission: "memory:write",
  limit: "update_memory",
  answer: schemas.FactWithHistory,
  versioned: true,
  conditional: true,
  errors: ["FACT_NOT_FOUND", "FORBIDDEN", "VERSION_CONFLICT"],
} as const;

routes.route(
  {
    ...decided,
    method: "put",
    path: "/facts/{id}",
    name: "correctFact",
    summary: "Correct a fact",
    body: schemas.CorrectFact,
  },
  (ctx, { params, body, ifMatch }) => service.correctFact(ctx, params.id, body, ifMatch),
);

routes.route(
  {
    ...decided,
    method: "post",
    path: "/facts/{id}/restore",
    name: "restoreFact",
    summary: "Restore a fact that was retracted or superseded",
  },
  (ctx, { params, ifMatch }) => service.restoreFact(ctx, params.id, ifMatch),
);

routes.route(
  {
    ...decided,
    method: "post",
    path: "/facts/{id}/retract",
    name: "retractFact",
    summary: "Retract a fact that was never true",
  },
  (ctx, { params, ifMatch }) => service.retractFact(ctx, params.id, ifMatch),
);
