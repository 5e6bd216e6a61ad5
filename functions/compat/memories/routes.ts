import type { RouteGroup } from "../../../shared/runtime/http/group.ts";
import { namesOf } from "../common/names.ts";
import { CompatQuery } from "../common/tolerated.ts";
import { addMemories } from "./add.ts";
import { listMemories } from "./list.ts";
import * as one from "./one.ts";
import * as schemas from "./schemas.ts";
import { searchMemories } from "./search.ts";

/** Routes for storing, searching and listing memories, and for a single memory. */
export function addMemoryRoutes(routes: RouteGroup): void {
  routes.route(
    {
      method: "post",
      path: "/v3/memories/add",
      name: "addCompatMemories",
      summary: "Store a memory or extract memories from messages",
      query: CompatQuery,
      permission: "memory:write",
      limit: "create_memory",
      body: schemas.AddMemories,
      answer: schemas.AddAnswer,
      bare: true,
    },
    (ctx, { body }) => addMemories(ctx, body),
  );

  routes.route(
    {
      method: "post",
      path: "/v3/memories/search",
      name: "searchCompatMemories",
      summary: "Search memories by meaning and keywords",
      query: CompatQuery,
      permission: "memory:read",
      limit: "advanced_search",
      body: schemas.CompatSearch,
      answer: schemas.CompatFound,
      bare: true,
      readOnly: true,
      errors: ["INVALID_QUERY", "QUERY_TOO_LONG", "INVALID_FILTERS", "SEARCH_TIMEOUT"],
    },
    (ctx, { body }) => searchMemories(ctx, body),
  );

  routes.route(
    {
      method: "post",
      path: "/v3/memories",
      name: "listCompatMemories",
      summary: "List memories, newest first",
      permission: "memory:read",
      limit: "read_memory",
      query: schemas.CompatPage,
      body: schemas.CompatList,
      answer: schemas.CompatListed,
      bare: true,
      readOnly: true,
      errors: ["INVALID_FILTERS"],
    },
    (ctx, { query, body }) => listMemories(ctx, query, body),
  );

  routes.route(
    {
      method: "get",
      path: "/v1/memories/{id}",
      name: "getCompatMemory",
      summary: "Get a memory",
      query: CompatQuery,
      permission: "memory:read",
      limit: "read_memory",
      answer: schemas.CompatMemory,
      bare: true,
      errors: ["VALIDATION_ERROR", "MEMORY_NOT_FOUND"],
    },
    (ctx, { params }) => one.getMemory(ctx, params.id),
  );

  routes.route(
    {
      method: "put",
      path: "/v1/memories/{id}",
      name: "updateCompatMemory",
      summary: "Update a memory; creates a new version",
      query: CompatQuery,
      permission: "memory:write",
      limit: "update_memory",
      body: schemas.CompatChange,
      answer: schemas.CompatMemory,
      bare: true,
      errors: ["FORBIDDEN", "MEMORY_NOT_FOUND", "VERSION_CONFLICT"],
    },
    (ctx, { params, body }) => one.updateMemory(ctx, params.id, body),
  );

  routes.route(
    {
      method: "delete",
      path: "/v1/memories/{id}",
      name: "deleteCompatMemory",
      summary: "Delete a memory",
      query: schemas.CompatDeletionOfOne,
      permission: "memory:delete",
      limit: "delete_memory",
      answer: schemas.CompatStatusMessage,
      bare: true,
      errors: ["VALIDATION_ERROR", "FORBIDDEN", "MEMORY_NOT_FOUND", "VERSION_CONFLICT"],
    },
    (ctx, { params }) => one.deleteMemory(ctx, params.id),
  );

  routes.route(
    {
      method: "delete",
      path: "/v1/memories",
      name: "deleteCompatMemories",
      summary: "Delete all memories of a user, an agent, an app or a run",
      permission: "memory:delete",
      limit: "delete_memory",
      query: schemas.CompatDeletion,
      answer: schemas.CompatDeletionStarted,
      bare: true,
    },
    (ctx, { query }) => one.deleteMemories(ctx, namesOf(query)),
  );

  routes.route(
    {
      method: "get",
      path: "/v1/memories/{id}/history",
      name: "readCompatHistory",
      summary: "List the history of a memory, oldest first",
      query: CompatQuery,
      permission: "memory:read",
      limit: "read_memory",
      answer: schemas.CompatHistory,
      bare: true,
      errors: ["VALIDATION_ERROR", "MEMORY_NOT_FOUND"],
    },
    (ctx, { params }) => one.readHistory(ctx, params.id),
  );
}
