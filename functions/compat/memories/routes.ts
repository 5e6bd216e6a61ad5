import type { RouteGroup } from "../../../shared/runtime/http/group.ts";
import { MAX_ADD_BYTES } from "../common/messages.ts";
import { namesOf } from "../common/names.ts";
import { addMemories } from "./add.ts";
import { listMemories } from "./list.ts";
import * as one from "./one.ts";
import * as schemas from "./schemas.ts";
import { searchMemories } from "./search.ts";

/** Routes for storing, searching and listing memories, and for a single memory. */
export function addMemoryRoutes(routes: RouteGroup): void {
  routes.post("/v3/memories/add", "addCompatMemories", {
    summary: "Store a memory or extract memories from messages",
    limit: "create_memory",
    body: schemas.AddMemories,
    maxBodyBytes: MAX_ADD_BYTES,
    answer: schemas.AddAnswer,
    handler: (ctx, { body }) => addMemories(ctx, body),
  });

  routes.post("/v3/memories/search", "searchCompatMemories", {
    summary: "Search memories by meaning and keywords",
    permission: "memory:read",
    limit: "advanced_search",
    body: schemas.CompatSearch,
    answer: schemas.CompatFound,
    readOnly: true,
    errors: ["INVALID_QUERY", "QUERY_TOO_LONG", "INVALID_FILTERS", "SEARCH_TIMEOUT"],
    handler: (ctx, { body }) => searchMemories(ctx, body),
  });

  routes.post("/v3/memories", "listCompatMemories", {
    summary: "List memories, newest first",
    permission: "memory:read",
    limit: "read_memory",
    query: schemas.CompatPage,
    body: schemas.CompatList,
    answer: schemas.CompatListed,
    readOnly: true,
    errors: ["INVALID_FILTERS"],
    handler: (ctx, { query, body }) => listMemories(ctx, query, body),
  });

  routes.get("/v1/memories/{id}", "getCompatMemory", {
    summary: "Get a memory",
    limit: "read_memory",
    answer: schemas.CompatMemory,
    handler: (ctx, { params }) => one.getMemory(ctx, params.id),
  });

  routes.put("/v1/memories/{id}", "updateCompatMemory", {
    summary: "Update a memory; creates a new version",
    limit: "update_memory",
    body: schemas.CompatChange,
    answer: schemas.CompatMemory,
    errors: ["FORBIDDEN", "VERSION_CONFLICT"],
    handler: (ctx, { params, body }) => one.updateMemory(ctx, params.id, body),
  });

  routes.delete("/v1/memories/{id}", "deleteCompatMemory", {
    summary: "Delete a memory",
    query: schemas.CompatDeletionOfOne,
    limit: "delete_memory",
    answer: schemas.CompatStatusMessage,
    errors: ["FORBIDDEN", "VERSION_CONFLICT"],
    handler: (ctx, { params }) => one.deleteMemory(ctx, params.id),
  });

  routes.delete("/v1/memories", "deleteCompatMemories", {
    summary: "Delete all memories of a user, an agent, an app or a run",
    limit: "delete_memory",
    query: schemas.CompatDeletion,
    answer: schemas.CompatDeletionStarted,
    handler: (ctx, { query }) => one.deleteMemories(ctx, namesOf(query)),
  });

  routes.get("/v1/memories/{id}/history", "readCompatHistory", {
    summary: "List the history of a memory, oldest first",
    limit: "read_memory",
    answer: schemas.CompatHistory,
    handler: (ctx, { params }) => one.readHistory(ctx, params.id),
  });
}
