import { newGroup } from "../../shared/runtime/http/group.ts";
import { group } from "./group.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

export const routes = newGroup(
  group,
  { permission: "memory:write" },
  { get: { permission: "memory:read", limit: "read_memory" } },
);

routes.get("/facts", "listFacts", {
  summary: "List facts by property with their validity",
  query: schemas.ListFacts,
  answer: schemas.FactList,
  handler: (ctx, { query }) => service.listFacts(ctx, query),
});

routes.get("/facts/{id}", "getFact", {
  summary: "Get a fact with the history of its property",
  answer: schemas.FactWithHistory,
  versioned: true,
  handler: (ctx, { params }) => service.getFact(ctx, params.id),
});

routes.get("/graph", "readGraph", {
  summary: "Get the facts of a user as a graph, the most relevant around a focus",
  query: schemas.ReadGraph,
  answer: schemas.Graph,
  errors: ["ENTITY_NOT_FOUND"],
  handler: (ctx, { query }) => service.readGraph(ctx, query),
});

const decided = {
  permission: "memory:write",
  limit: "update_memory",
  answer: schemas.FactWithHistory,
  versioned: true,
  conditional: true,
  errors: ["FORBIDDEN"],
} as const;

routes.put("/facts/{id}", "correctFact", {
  ...decided,
  summary: "Correct a fact",
  body: schemas.CorrectFact,
  handler: (ctx, { params, body, ifMatch }) => service.correctFact(ctx, params.id, body, ifMatch),
});

routes.post("/facts/{id}/restore", "restoreFact", {
  ...decided,
  summary: "Restore a fact that was retracted or superseded",
  handler: (ctx, { params, ifMatch }) => service.restoreFact(ctx, params.id, ifMatch),
});

routes.post("/facts/{id}/retract", "retractFact", {
  ...decided,
  summary: "Retract a fact that was never true",
  handler: (ctx, { params, ifMatch }) => service.retractFact(ctx, params.id, ifMatch),
});

routes.get("/patterns", "listPatterns", {
  summary: "List what the memories of a user amount to: counts, habits, series, names and observations",
  query: schemas.ListPatterns,
  answer: schemas.PatternList,
  handler: (ctx, { query }) => service.listPatterns(ctx, query),
});

routes.get("/patterns/{id}", "getPattern", {
  summary: "Get a pattern with its memories",
  answer: schemas.Pattern,
  versioned: true,
  handler: (ctx, { params }) => service.getPattern(ctx, params.id),
});

routes.post("/patterns/find", "findPatterns", {
  summary: "Find the patterns of a user now, in the background; otherwise they follow new memories within minutes",
  permission: "memory:write",
  limit: "update_memory",
  body: schemas.FindPatterns,
  answer: schemas.FindingPatterns,
  status: 202,
  handler: (ctx, { body }) => service.findPatterns(ctx, body),
});

const decidedPattern = {
  permission: "memory:write",
  limit: "update_memory",
  answer: schemas.Pattern,
  versioned: true,
  conditional: true,
} as const;

routes.post("/patterns/{id}/decline", "declinePattern", {
  ...decidedPattern,
  summary: "Decline a pattern, which then does not come back",
  handler: (ctx, { params, ifMatch }) => service.decline(ctx, params.id, ifMatch),
});

routes.post("/patterns/{id}/restore", "restorePattern", {
  ...decidedPattern,
  summary: "Restore a declined pattern",
  handler: (ctx, { params, ifMatch }) => service.restore(ctx, params.id, ifMatch),
});
