import type * as z from "zod";
import type { Input } from "../../../shared/kernel/schema-input.ts";
import type { Context } from "../../../shared/runtime/context.ts";
import type { RouteGroup } from "../../../shared/runtime/http/group.ts";
import { MAX_ADD_BYTES } from "../common/messages.ts";
import { addMemories } from "./add.ts";
import { listMemories } from "./list.ts";
import * as schemas from "./schemas.ts";
import { searchMemories } from "./search.ts";

/**
 * The routes of mem0 clients before /v3, mapped to the same verbs: a plain list, unless the request has `output_format`
 * "v1.1" or a page.
 */
export function addOlderRoutes(routes: RouteGroup): void {
  routes.post("/v1/memories", "addCompatMemoriesV1", {
    summary: "Store a memory or extract memories from messages (older mem0 clients)",
    limit: "create_memory",
    body: schemas.AddMemories,
    maxBodyBytes: MAX_ADD_BYTES,
    answer: schemas.OlderAddAnswer,
    handler: (ctx, { body }) => addForOlder(ctx, body),
  });

  routes.get("/v1/memories", "listCompatMemoriesV1", {
    summary: "List memories, newest first (older mem0 clients)",
    limit: "read_memory",
    query: schemas.OlderListQuery,
    answer: schemas.OlderListed,
    handler: (ctx, { query }) => listForOlder(ctx, {}, query, "/v1/memories"),
  });

  routes.post("/v2/memories", "listCompatMemoriesV2", {
    summary: "List memories, newest first (older mem0 clients)",
    permission: "memory:read",
    limit: "read_memory",
    query: schemas.CompatPage,
    body: schemas.OlderList,
    answer: schemas.OlderListed,
    readOnly: true,
    errors: ["INVALID_FILTERS"],
    handler: (ctx, { query, body }) => listForOlder(ctx, query, body, "/v2/memories"),
  });

  for (const [version, name] of [
    ["v1", "searchCompatMemoriesV1"],
    ["v2", "searchCompatMemoriesV2"],
  ] as const) {
    routes.post(`/${version}/memories/search`, name, {
      summary: "Search memories by meaning and keywords (older mem0 clients)",
      permission: "memory:read",
      limit: "advanced_search",
      body: schemas.CompatSearch,
      answer: schemas.OlderFound,
      readOnly: true,
      errors: ["INVALID_QUERY", "QUERY_TOO_LONG", "INVALID_FILTERS", "SEARCH_TIMEOUT"],
      handler: (ctx, { body }) => searchForOlder(ctx, body),
    });
  }
}

/** Whether lists are wrapped in an object's `results`. */
function wantsObject({ output_format }: { output_format?: unknown }): boolean {
  return output_format === "v1.1";
}

async function addForOlder(
  ctx: Context,
  body: Input<typeof schemas.AddMemories>,
): Promise<z.input<typeof schemas.OlderAddAnswer>> {
  const { event_id, status, results, memory_ids } = await addMemories(ctx, body);
  const message = "Memory processing has been queued for background execution";
  const rendered =
    status === "PENDING" ? [{ message, status, event_id }] : results.map((result) => ({ ...result, status, event_id }));
  return wantsObject(body) ? { event_id, status, memory_ids, results: rendered } : rendered;
}

type Listing = Input<typeof schemas.OlderList>;

async function listForOlder(
  ctx: Context,
  query: Input<typeof schemas.CompatPage>,
  { limit, top_k, ...given }: Listing,
  path: string,
): Promise<z.input<typeof schemas.OlderListed>> {
  const page_size = given.page_size ?? limit ?? top_k;
  const listed = await listMemories(ctx, query, { ...given, page_size }, path);
  const isPaged = [query.page, query.page_size, given.page, given.page_size].some((value) => (value ?? null) !== null);
  return isPaged || wantsObject(given) ? listed : listed.results;
}

async function searchForOlder(
  ctx: Context,
  body: Input<typeof schemas.CompatSearch>,
): Promise<z.input<typeof schemas.OlderFound>> {
  const found = await searchMemories(ctx, body);
  return wantsObject(body) ? found : found.results;
}
