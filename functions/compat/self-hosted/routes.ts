import type { RouteGroup } from "../../../shared/runtime/http/group.ts";
import { MAX_ADD_BYTES } from "../common/messages.ts";
import { getMemory } from "../memories/one.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

/** The routes of mem0's self-hosted server, for clients that have `/mem0` of this service as their host. */
export function addSelfHostedRoutes(routes: RouteGroup): void {
  routes.post("/mem0/memories", "addSelfHostedMemories", {
    summary: "Store messages (clients of a self-hosted mem0)",
    limit: "create_memory",
    body: schemas.SelfHostedAdd,
    maxBodyBytes: MAX_ADD_BYTES,
    answer: schemas.SelfHostedAdded,
    handler: (ctx, { body }) => service.add(ctx, body),
  });

  routes.get("/mem0/memories", "listSelfHostedMemories", {
    summary: "List memories of a user, an agent or a run (clients of a self-hosted mem0)",
    limit: "read_memory",
    query: schemas.SelfHostedList,
    answer: schemas.SelfHostedListed,
    handler: (ctx, { query }) => service.list(ctx, query),
  });

  routes.delete("/mem0/memories", "deleteSelfHostedMemories", {
    summary: "Delete all memories of a user, an agent or a run (clients of a self-hosted mem0)",
    limit: "delete_memory",
    query: schemas.SelfHostedDeletion,
    answer: schemas.SelfHostedDeleted,
    handler: (ctx, { query }) => service.removeOf(ctx, query),
  });

  routes.get("/mem0/memories/{id}", "getSelfHostedMemory", {
    summary: "Get a memory (clients of a self-hosted mem0)",
    limit: "read_memory",
    answer: schemas.SelfHostedMemory,
    handler: (ctx, { params }) => getMemory(ctx, params.id),
  });

  routes.put("/mem0/memories/{id}", "updateSelfHostedMemory", {
    summary: "Update a memory (clients of a self-hosted mem0)",
    limit: "update_memory",
    body: schemas.SelfHostedChange,
    answer: schemas.SelfHostedMessage,
    errors: ["FORBIDDEN", "VERSION_CONFLICT"],
    handler: (ctx, { params, body }) => service.update(ctx, params.id, body),
  });

  routes.delete("/mem0/memories/{id}", "deleteSelfHostedMemory", {
    summary: "Delete a memory (clients of a self-hosted mem0)",
    limit: "delete_memory",
    answer: schemas.SelfHostedMessage,
    errors: ["FORBIDDEN", "VERSION_CONFLICT"],
    handler: (ctx, { params }) => service.remove(ctx, params.id),
  });

  routes.get("/mem0/memories/{id}/history", "readSelfHostedHistory", {
    summary: "List the history of a memory (clients of a self-hosted mem0)",
    limit: "read_memory",
    answer: schemas.SelfHostedHistory,
    handler: (ctx, { params }) => service.history(ctx, params.id),
  });

  routes.post("/mem0/search", "searchSelfHostedMemories", {
    summary: "Search memories by meaning and keywords (clients of a self-hosted mem0)",
    permission: "memory:read",
    limit: "advanced_search",
    body: schemas.SelfHostedSearch,
    answer: schemas.SelfHostedFound,
    readOnly: true,
    errors: ["INVALID_QUERY", "QUERY_TOO_LONG", "INVALID_FILTERS", "SEARCH_TIMEOUT"],
    handler: (ctx, { body }) => service.search(ctx, body),
  });

  routes.post("/mem0/reset", "resetSelfHostedMemories", {
    summary: "Delete every memory of the organization (clients of a self-hosted mem0)",
    permission: "admin:all",
    allowsAgentKeys: false,
    limit: "delete_memory",
    body: schemas.SelfHostedReset,
    answer: schemas.SelfHostedDeleted,
    handler: (ctx) => service.reset(ctx),
  });
}
