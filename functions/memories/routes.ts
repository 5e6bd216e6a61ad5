import { presentMemory } from "../../shared/domain/memory/wire.ts";
import { newGroup } from "../../shared/runtime/http/group.ts";
import * as batch from "./batch.ts";
import { group } from "./group.ts";
import { inferFromMemory } from "./infer.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";
import { listUsers } from "./users.ts";

export const routes = newGroup(
  group,
  { permission: "memory:write", limit: "update_memory" },
  {
    get: { permission: "memory:read", limit: "read_memory" },
    delete: { permission: "memory:delete", limit: "delete_memory" },
  },
);

routes.post("/memories", "createMemory", {
  summary: "Store a memory",
  limit: "create_memory",
  query: schemas.WaitForReading,
  body: schemas.CreateMemory,
  answer: schemas.Memory,
  status: 201,
  versioned: true,
  errors: ["CONFLICT"],
  handler: async (ctx, { body, query }) => {
    const memory = await service.createMemory(ctx, body);
    return presentMemory(await service.afterReading(ctx, memory, query), ctx.clock());
  },
});

routes.get("/memories", "listMemories", {
  summary: "List memories",
  query: schemas.ListMemories,
  answer: schemas.MemoryList,
  handler: (ctx, { query }) => service.listMemories(ctx, query),
});

routes.post("/memories/process", "processMemory", {
  summary: "Store a memory and return what was extracted from it",
  limit: "create_memory",
  query: schemas.WaitForReading,
  body: schemas.CreateMemory,
  answer: schemas.Processed,
  status: 201,
  errors: ["CONFLICT"],
  handler: (ctx, { body, query }) => service.processMemory(ctx, body, query),
});

routes.post("/memories/infer", "inferFromMemory", {
  summary: "Infer from related memories",
  permission: "memory:read",
  limit: "read_memory",
  readOnly: true,
  body: schemas.InferFromMemory,
  answer: schemas.Inferences,
  errors: ["MEMORY_NOT_FOUND", "INSUFFICIENT_RESULTS"],
  handler: (ctx, { body }) => inferFromMemory(ctx, body),
});

routes.get("/memories/stats", "readMemoryStats", {
  summary: "Count memories by category, type and user",
  answer: schemas.Stats,
  handler: (ctx) => service.readStats(ctx),
});

routes.post("/memories/batch", "createMemories", {
  summary: "Store up to 100 memories independently",
  limit: "create_memory",
  query: schemas.WaitForReading,
  body: schemas.CreateBatch,
  answer: schemas.BatchCreated,
  status: 201,
  handler: (ctx, { body, query }) => batch.createBatch(ctx, body, query),
});

routes.put("/memories/batch-update", "updateMemories", {
  summary: "Update up to 100 memories independently",
  query: schemas.WaitForReading,
  body: schemas.UpdateBatch,
  answer: schemas.BatchUpdated,
  handler: (ctx, { body, query }) => batch.updateBatch(ctx, body, query),
});

routes.delete("/memories/batch-delete", "deleteMemories", {
  summary: "Delete up to 100 memories by id or by filters",
  body: schemas.DeleteBatch,
  answer: schemas.MemoriesDeleted,
  handler: (ctx, { body }) => batch.deleteBatch(ctx, body),
});

routes.delete("/memories/bulk-delete", "deleteMatchingMemories", {
  summary: "Delete the memories that match filters",
  body: schemas.BulkDelete,
  answer: schemas.MemoriesDeleted,
  handler: (ctx, { body }) => batch.deleteMatching(ctx, body.filters),
});

routes.get("/memories/{id}", "getMemory", {
  summary: "Get a memory",
  query: schemas.ReadMemory,
  answer: schemas.IndexedMemory,
  versioned: true,
  handler: async (ctx, { params, query }) =>
    presentMemory(await service.readMemory(ctx, params.id, query), ctx.clock()),
});

routes.put("/memories/{id}", "updateMemory", {
  summary: "Update a memory; creates a new version",
  query: schemas.WaitForReading,
  body: schemas.UpdateMemory,
  answer: schemas.Memory,
  versioned: true,
  conditional: true,
  errors: ["FORBIDDEN"],
  handler: async (ctx, { params, body, query, ifMatch }) => {
    const memory = await service.updateMemory(ctx, params.id, body, ifMatch);
    return presentMemory(await service.afterReading(ctx, memory, query), ctx.clock());
  },
});

routes.delete("/memories/{id}", "deleteMemory", {
  summary: "Delete a memory",
  answer: schemas.Deleted,
  conditional: true,
  errors: ["FORBIDDEN"],
  handler: (ctx, { params, ifMatch }) => service.deleteMemory(ctx, params.id, ifMatch),
});

for (const [last, name] of [
  ["history", "readMemoryHistory"],
  ["versions", "listMemoryVersions"],
] as const) {
  routes.get(`/memories/{id}/${last}`, name, {
    summary: "List a memory's versions, oldest first",
    query: schemas.ListVersions,
    answer: schemas.VersionList,
    handler: (ctx, { params, query }) => service.listVersions(ctx, params.id, query),
  });
}

routes.post("/memories/{id}/restore", "restoreMemory", {
  summary: "Restore an old version as a new version",
  query: schemas.WaitForReading,
  body: schemas.RestoreMemory,
  answer: schemas.Memory,
  versioned: true,
  conditional: true,
  errors: ["FORBIDDEN", "VERSION_NOT_FOUND"],
  handler: async (ctx, { params, body, query, ifMatch }) => {
    const memory = await service.restoreMemory(ctx, params.id, body, ifMatch);
    return presentMemory(await service.afterReading(ctx, memory, query), ctx.clock());
  },
});

routes.post("/memories/{id}/expire", "expireMemory", {
  summary: "Set when a memory expires; the default is now",
  body: schemas.ExpireMemory,
  answer: schemas.Expiry,
  versioned: true,
  conditional: true,
  errors: ["FORBIDDEN"],
  handler: (ctx, { params, body, ifMatch }) => service.expireMemory(ctx, params.id, body, ifMatch),
});

routes.post("/memories/{id}/link/{entityID}", "linkEntity", {
  summary: "Link an entity to a memory",
  body: schemas.LinkEntity,
  answer: schemas.Link,
  status: 201,
  errors: ["FORBIDDEN", "ENTITY_NOT_FOUND", "CONFLICT", "VERSION_CONFLICT"],
  handler: (ctx, { params, body }) => service.linkEntity(ctx, params, body),
});

routes.get("/memories/{id}/entities", "listMemoryEntities", {
  summary: "List the entities of a memory",
  answer: schemas.MemoryEntities,
  handler: (ctx, { params }) => service.listMemoryEntities(ctx, params.id),
});

routes.post("/memories/{id}/feedback", "giveFeedback", {
  summary: "Rate a memory from 1 (useless) to 5 (very useful)",
  body: schemas.GiveFeedback,
  answer: schemas.Feedback,
  status: 201,
  errors: ["FORBIDDEN"],
  handler: (ctx, { params, body }) => service.giveFeedback(ctx, params.id, body),
});

routes.get("/memories/{id}/feedback", "listFeedback", {
  summary: "List the ratings of a memory, oldest first",
  query: schemas.ListFeedback,
  answer: schemas.FeedbackList,
  handler: (ctx, { params, query }) => service.listFeedback(ctx, params.id, query),
});

routes.delete("/memories/{id}/feedback/{feedback_id}", "undoFeedback", {
  summary: "Delete a rating; it no longer affects ranking",
  permission: "memory:write",
  limit: "update_memory",
  answer: schemas.FeedbackUndone,
  errors: ["FORBIDDEN", "FEEDBACK_NOT_FOUND"],
  handler: (ctx, { params }) => service.undoFeedback(ctx, params.id, params.feedback_id),
});

routes.get("/entities", "listEntities", {
  summary: "List entities by name prefix",
  query: schemas.ListEntities,
  answer: schemas.EntityList,
  handler: (ctx, { query }) => service.listEntities(ctx, query),
});

routes.get("/entities/{id}", "getEntity", {
  summary: "Get an entity and the number of memories that mention it",
  answer: schemas.EntityWithMentions,
  handler: (ctx, { params }) => service.getEntity(ctx, params.id),
});

routes.post("/entities", "createEntity", {
  summary: "Create an entity or get the existing one with this name and type",
  limit: "create_memory",
  errors: ["LIMIT_REACHED"],
  body: schemas.CreateEntity,
  answer: schemas.Entity,
  status: 201,
  handler: (ctx, { body }) => service.createEntity(ctx, body),
});

routes.get("/users", "listMemoryUsers", {
  summary: "List the users that memories are stored under, with the number of their memories and facts",
  allowsAgentKeys: false,
  query: schemas.ListMemoryUsers,
  answer: schemas.MemoryUserList,
  handler: (ctx, { query }) => listUsers(ctx, query),
});
