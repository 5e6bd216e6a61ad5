import { newGroup } from "../../shared/http/group.ts";
import { group } from "./group.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

export const routes = newGroup(group);

routes.route(
  {
    method: "get",
    path: "/facts",
    name: "listFacts",
    summary: "List what memories state, slot by slot, and whether it holds",
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
    summary: "Read a fact with the history of its slot",
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
    summary: "Correct what a fact says",
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
    summary: "Undo a retraction, or say that a closed fact holds all the same",
  },
  (ctx, { params, ifMatch }) => service.restoreFact(ctx, params.id, ifMatch),
);

routes.route(
  {
    ...decided,
    method: "post",
    path: "/facts/{id}/retract",
    name: "retractFact",
    summary: "Take a fact back: it never held",
  },
  (ctx, { params, ifMatch }) => service.retractFact(ctx, params.id, ifMatch),
);
