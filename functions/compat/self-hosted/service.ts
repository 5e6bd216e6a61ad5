import type * as z from "zod";
import { ANY } from "../../../shared/domain/integration/compat/filters.ts";
import { invalid } from "../../../shared/kernel/errors.ts";
import type { Input } from "../../../shared/kernel/schema-input.ts";
import { requirePermission } from "../../../shared/runtime/access/permissions.ts";
import type { Context } from "../../../shared/runtime/context.ts";
import { addMemories } from "../memories/add.ts";
import { listEverything, listMemories } from "../memories/list.ts";
import * as one from "../memories/one.ts";
import type { CompatMemory } from "../memories/schemas.ts";
import { searchMemories } from "../memories/search.ts";
import { toOwnFilters } from "./filters.ts";
import * as schemas from "./schemas.ts";

type Names = Pick<Input<typeof schemas.SelfHostedAdd>, "user_id" | "agent_id" | "app_id" | "run_id">;
/** A memory with all its fields, because none were selected. */
type View = z.input<typeof CompatMemory>;

const EVERYTHING = { user_id: ANY, agent_id: ANY, app_id: ANY, run_id: ANY };
const NOTHING_MORE = { documents: false, summaries: false, related_memories: false, forgotten_memories: false };

/** Stores messages; what mem0 would not report, a memory that was known already, is not in the results. */
export async function add(
  ctx: Context,
  { prompt, memory_type: _ignored, ...given }: Input<typeof schemas.SelfHostedAdd>,
) {
  requireName(given);
  const { results, event_id, status } = await addMemories(ctx, { ...given, custom_instructions: prompt });
  return { results: results.filter(({ event }) => event !== "NOOP"), event_id, status };
}

/** The memories of the named user, agent or run. Without a name, all memories: throws PERMISSION_DENIED without admin:all. */
export async function list(ctx: Context, { top_k, show_expired, ...names }: Input<typeof schemas.SelfHostedList>) {
  if (hasName(names)) {
    const query = { page: 1, page_size: top_k ?? schemas.DEFAULT_LISTED };
    const { results } = await listMemories(ctx, query, { ...names, show_expired });
    return { results: results as View[] };
  }
  requirePermission(ctx.principal, "admin:all");
  return { results: await listEverything(ctx, top_k ?? schemas.MAX_LISTED) };
}

/** A name next to the filters replaces that of the filters, as in mem0's server. */
export async function search(ctx: Context, given: Input<typeof schemas.SelfHostedSearch>) {
  const { query, filters, top_k, threshold, explain, show_expired, rerank, fields: _ignored, ...names } = given;
  const named = Object.fromEntries(Object.entries(names).filter(([, name]) => name));
  const { results } = await searchMemories(ctx, {
    query,
    filters: toOwnFilters({ ...filters, ...named }),
    top_k: top_k ?? schemas.DEFAULT_LISTED,
    threshold,
    show_expired,
    rerank,
    include: NOTHING_MORE,
  });
  return {
    results: results.map(({ score = 0, score_breakdown, ...memory }) => ({
      ...(memory as View),
      score,
      ...(explain && { score_breakdown }),
    })),
  };
}

export async function update(ctx: Context, id: string, given: Input<typeof schemas.SelfHostedChange>) {
  const { text, metadata, expiration_date } = given;
  await one.updateMemory(ctx, id, {
    ...(typeof text === "string" && { text }),
    ...(metadata && { metadata }),
    ...(expiration_date !== undefined && { expiration_date }),
  });
  return { message: "Memory updated successfully!" };
}

export async function remove(ctx: Context, id: string) {
  await one.deleteMemory(ctx, id);
  return { message: "Memory deleted successfully" };
}

export async function removeOf(ctx: Context, names: Names) {
  requireName(names);
  const { event_id } = await one.deleteMemories(ctx, names);
  return { message: "All relevant memories deleted", event_id };
}

/** Deletes every memory of the organization, in the background if there are many. */
export async function reset(ctx: Context) {
  const { event_id } = await one.deleteMemories(ctx, EVERYTHING);
  return { message: "All memories reset", event_id };
}

export async function history(ctx: Context, id: string) {
  const entries = await one.readHistory(ctx, id);
  return entries.map(({ event, ...entry }) => {
    return { ...entry, event, is_deleted: event === "DELETE", actor_id: null, role: null };
  });
}

function hasName(names: Names): boolean {
  return [names.user_id, names.agent_id, names.app_id, names.run_id].some((name) => name);
}

function requireName(names: Names): void {
  if (!hasName(names))
    throw invalid({ field: "user_id", problem: "name at least one of user_id, agent_id, app_id and run_id" });
}
