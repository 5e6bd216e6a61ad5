import { listShared, type SharedMemory, shareMemory, unshareMemory } from "../../shared/domain/agents/shares.ts";
import { requireHeld } from "../../shared/domain/identity/grants.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { invalid } from "../../shared/kernel/errors.ts";
import { eventTimeOf } from "../../shared/kernel/event-time.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";
import { requireAgent } from "./service.ts";

/** A caller can give an agent at most their own access to a memory. */
export async function share(ctx: Context, id: string, request: Input<typeof schemas.ShareMemory>) {
  if (request.expires_at !== undefined && Date.parse(request.expires_at) <= ctx.clock()) {
    throw invalid({ field: "expires_at", problem: "must be in the future" });
  }
  const isWritable = request.access_type === "read_write";
  requireHeld(ctx.principal.permissions, isWritable ? ["memory:read", "memory:write"] : ["memory:read"]);
  await requireAgent(ctx, id);
  const { access_type, shared_at, expires_at } = await shareMemory(ctx, id, request);
  return { agent_id: id, memory_id: request.memory_id, access_type, shared_at, expires_at };
}

/** Memories shared with an agent, without those that it stored itself. */
export async function listMemories(
  ctx: Context,
  id: string,
  { access_type, ...page }: Input<typeof schemas.ListShared>,
) {
  await requireAgent(ctx, id);
  const { shared, total, hasNext } = await listShared(ctx, id, access_type, page);
  return {
    agent_id: id,
    memories: shared.map((each) => present(each, ctx.clock())),
    total_memories: total,
    pagination: pagination(page, total, hasNext),
  };
}

/** A shared memory in lists. */
export function present({ memory, share }: SharedMemory, now: number) {
  const { id, content } = memory;
  const { access_type, shared_at, expires_at } = share;
  return { id, content, ...eventTimeOf(memory, now), access_type, shared_at, expires_at };
}

export async function unshare(ctx: Context, id: string, memory_id: string) {
  await requireAgent(ctx, id);
  await unshareMemory(ctx, id, memory_id);
  return { agent_id: id, memory_id, removed_at: timestamp(ctx.clock()) };
}
