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

/** A user's newest memories of type or category `preference` that the viewer may see, newest first. */
export function findPreferences(ctx: MemoryScope, user: string, most: number): Promise<RememberedPreference[]> {
  return ctx.viewer === undefined ? findAll(ctx, user, most) : findSeen(ctx, user, most);
}

/** An agent's lists support either filter. */
async function findSeen(ctx: MemoryScope, user_id: string, most: number): Promise<RememberedPreference[]> {
  const newest = { field: "created_at", descending: true } as const;
  const filters = [{ type: PREFERENCE }, { category: PREFERENCE }];
  const lists = await Promise.all(
    filters.map((filter) => listMemories(ctx, { user_id, ...filter }, newest, { limit: most, offset: 0 })),
  );
  const memories = new Map(lists.flatMap((list) => list.memories.map((memory) => [memory.id, memory])));
  const inOrder = [...memories.values()].sort((one, other) => (one.created_at < other.created_at ? 1 : -1));
  return inOrder.slice(0, most).map(({ id, content }) => ({ id, content }));
}

async function findAll(ctx: OrgRuntime, user: string, most: number): Promise<RememberedPreference[]> {
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
    if (read >= MAX_MEMORIES || found.length >= most) break;
  }
  const memories = await Promise.all(found.slice(0, most).map((record) => toMemory(ctx, record)));
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
