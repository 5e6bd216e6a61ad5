import { timestamp } from "../../kernel/clock.ts";
import { queryPages } from "../../ports/pages.ts";
import type { StoredRecord } from "../../ports/ports.ts";
import type { MemoryScope, OrgRuntime } from "../../runtime/context.ts";
import { memoriesOfUser } from "../memory/memory-keys.ts";
import { listMemories } from "../memory/memory-lists.ts";
import { toMemory } from "../memory/records.ts";

/** Type or category of preference memories. */
const PREFERENCE = "preference";
/** Maximum number of a user's newest memories to search for preferences. */
const MAX_MEMORIES = 300;
const MEMORIES_PER_QUERY = 100;

export interface RememberedPreference {
  id: string;
  content: string;
}

/** Returns a user's memories of type or category `preference` that the viewer may see, newest first, at most `max`. */
export function findPreferences(ctx: MemoryScope, user: string, max: number): Promise<RememberedPreference[]> {
  return ctx.viewer === undefined ? findAll(ctx, user, max) : findVisible(ctx, user, max);
}

/** Reads two lists, because an agent's lists cannot filter by type or category at once. */
async function findVisible(ctx: MemoryScope, user_id: string, max: number): Promise<RememberedPreference[]> {
  const newest = { field: "created_at", descending: true } as const;
  const filters = [{ type: PREFERENCE }, { category: PREFERENCE }];
  const lists = await Promise.all(
    filters.map((filter) => listMemories(ctx, { user_id, ...filter }, newest, { limit: max, offset: 0 })),
  );
  const memories = new Map(lists.flatMap((list) => list.memories.map((memory) => [memory.id, memory])));
  const inOrder = [...memories.values()].sort((one, other) => (one.created_at < other.created_at ? 1 : -1));
  return inOrder.slice(0, max).map(({ id, content }) => ({ id, content }));
}

async function findAll(ctx: OrgRuntime, user: string, max: number): Promise<RememberedPreference[]> {
  const list = {
    index: "gsi2" as const,
    pk: memoriesOfUser(ctx.org, user),
    descending: true,
    limit: MEMORIES_PER_QUERY,
  };
  const now = timestamp(ctx.clock());
  const found: StoredRecord[] = [];
  let read = 0;
  for await (const items of queryPages(ctx.ports.records, list)) {
    found.push(...items.filter((record) => isPreference(record) && isLive(record, now)));
    read += MEMORIES_PER_QUERY;
    if (read >= MAX_MEMORIES || found.length >= max) break;
  }
  const memories = await Promise.all(found.slice(0, max).map((record) => toMemory(ctx, record)));
  return memories.flatMap((memory) =>
    memory && !memory.content_missing ? { id: memory.id, content: memory.content } : [],
  );
}

function isPreference({ type, category }: StoredRecord): boolean {
  return type === PREFERENCE || category === PREFERENCE;
}

function isLive({ expire_at }: StoredRecord, now: string): boolean {
  return typeof expire_at !== "string" || expire_at > now;
}
