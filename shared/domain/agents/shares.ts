import { timestamp } from "../../kernel/clock.ts";
import { notFound, ServiceError } from "../../kernel/errors.ts";
import type { PageRequest } from "../../kernel/pagination.ts";
import { COUNT_CEILING, readPage } from "../../ports/listing.ts";
import { queryPages } from "../../ports/pages.ts";
import type { Context, MemoryScope } from "../../runtime/context.ts";
import type { Memory, Share } from "../memory/memory.ts";
import { findMemories } from "../memory/records.ts";
import { amendMemory } from "../memory/revise.ts";
import { putViewer, removeViewer, sharedWith, toVisibleRef } from "../memory/viewers.ts";
import { lasts, type SharedAccess, toViewer } from "../memory/visibility.ts";
import { agentKey, findAgent } from "./records.ts";

/** Maximum number of agents that a memory is shared with: they are part of its record. */
export const MAX_SHARES = 100;

export interface ShareRequest {
  memory_id: string;
  access_type: SharedAccess;
  /** ISO 8601, in the future. */
  expires_at?: string;
}

/**
 * Shares a memory with an agent, or changes the share. Throws AGENT_NOT_FOUND, MEMORY_NOT_FOUND, and CONFLICT for a
 * memory that the agent stored itself or that is shared with the maximum number of agents.
 */
export async function shareMemory(
  ctx: Context,
  agent: string,
  { memory_id, access_type, expires_at }: ShareRequest,
): Promise<Share> {
  const share: Share = {
    agent_id: agent,
    access_type,
    shared_at: timestamp(ctx.clock()),
    expires_at,
    shared_by: ctx.principal.id,
  };
  const amend = async (memory: Memory) => {
    if (!(await findAgent(ctx.ports.records, ctx.org, agent))) throw notFound("agent", agent);
    return { shares: withShare(memory, share, ctx.clock()) };
  };
  await amendMemory(ctx, memory_id, amend, (after) => [
    { check: agentKey(ctx.org, agent), condition: "present" },
    putViewer(after, toViewer(share)),
  ]);
  return share;
}

function withShare({ id: memory_id, agent_id, shares = [] }: Memory, share: Share, now: number): Share[] {
  if (agent_id === share.agent_id) {
    throw new ServiceError("CONFLICT", "The agent stored this memory itself and always has access to it.", {
      memory_id,
    });
  }
  const others = shares.filter((other) => other.agent_id !== share.agent_id && lasts(other, now));
  if (others.length >= MAX_SHARES) {
    throw new ServiceError("CONFLICT", `A memory is shared with at most ${MAX_SHARES} agents.`, { memory_id });
  }
  return [...others, share];
}

/** Stops sharing a memory with an agent. Throws MEMORY_NOT_FOUND if it is not shared with that agent. */
export async function unshareMemory(runtime: MemoryScope, agent: string, memory_id: string): Promise<void> {
  const amend = ({ shares = [] }: Memory) => {
    const others = shares.filter((share) => share.agent_id !== agent);
    if (others.length === shares.length) throw notFound("memory", memory_id);
    return { shares: others };
  };
  await amendMemory(runtime, memory_id, amend, (after) => [removeViewer(after, agent)]);
}

export interface SharedMemory {
  memory: Memory;
  /** The most permissive share. */
  share: Share;
  /** The requested agents that it is shared with. */
  agents: string[];
}

/** Returns one page of the memories that are currently shared with an agent, newest share first. */
export async function listShared(
  ctx: MemoryScope,
  agent: string,
  access: SharedAccess | undefined,
  page: PageRequest,
): Promise<{ shared: SharedMemory[]; total: number; hasNext: boolean }> {
  const query = { ...sharedWith(ctx.org, agent, ctx.clock(), access), descending: true };
  const { items, total, hasNext } = await readPage(ctx.ports.records, query, page);
  const ids = items.map((item) => toVisibleRef(item).id);
  return { shared: await readShared(ctx, new Set([agent]), ids), total, hasNext };
}

/** Returns those of the memories that are currently shared with any of the agents. */
export async function readShared(ctx: MemoryScope, agents: Set<string>, ids: string[]): Promise<SharedMemory[]> {
  const memories = await findMemories(ctx, ids);
  return memories.flatMap((memory) => {
    const shares = (memory.shares ?? []).filter((share) => agents.has(share.agent_id) && lasts(share, ctx.clock()));
    const share = shares.find(({ access_type }) => access_type === "read_write") ?? shares[0];
    return share === undefined ? [] : [{ memory, share, agents: shares.map(({ agent_id }) => agent_id) }];
  });
}

const PAGE_SIZE = 1000;

/** Returns the ids of memories shared with an agent and their sort keys, newest share first, up to COUNT_CEILING. */
export async function listSharedIds({ ports, org, clock }: MemoryScope, agent: string) {
  const query = { ...sharedWith(org, agent, clock()), descending: true, limit: PAGE_SIZE };
  const found: { id: string; position: string }[] = [];
  for await (const items of queryPages(ports.records, query)) {
    found.push(...items.map((item) => ({ id: toVisibleRef(item).id, position: String(item.gsi3sk) })));
    if (found.length >= COUNT_CEILING) break;
  }
  return found;
}

/** Returns the number of memories shared with an agent, up to COUNT_CEILING. */
export function countShared({ ports, org, clock }: MemoryScope, agent: string, access?: SharedAccess): Promise<number> {
  return ports.records.count(sharedWith(org, agent, clock(), access), COUNT_CEILING);
}
