import { timestamp } from "../kernel/clock.ts";
import { listMemories, memoriesOfUser, toMemory } from "../memory/records.ts";
import type { OrgHome, ViewerHome } from "../platform/context.ts";
import type { RecordPage, StoredRecord } from "../platform/ports.ts";

/** What a memory's type or category says that is kept for what a user likes. */
const PREFERENCE = "preference";
/** Newest memories of a user that are looked through, so many at a time: beyond them a preference is an old one. */
const MOST_MEMORIES = 300;
const MEMORIES_A_QUERY = 100;

export interface RememberedPreference {
  id: string;
  content: string;
}

/** A user's newest memories of type or category `preference`, as far as the viewer may see them, newest first. */
export function findPreferences(ctx: ViewerHome, user: string, most: number): Promise<RememberedPreference[]> {
  return ctx.viewer === undefined ? findAll(ctx, user, most) : findSeen(ctx, user, most);
}

/** An agent's lists filter by either. */
async function findSeen(ctx: ViewerHome, user_id: string, most: number): Promise<RememberedPreference[]> {
  const newest = { field: "created_at", descending: true } as const;
  const filters = [{ type: PREFERENCE }, { category: PREFERENCE }];
  const lists = await Promise.all(
    filters.map((filter) => listMemories(ctx, { user_id, ...filter }, newest, { limit: most, offset: 0 })),
  );
  const memories = new Map(lists.flatMap((list) => list.memories.map((memory) => [memory.id, memory])));
  const inOrder = [...memories.values()].sort((one, other) => (one.created_at < other.created_at ? 1 : -1));
  return inOrder.slice(0, most).map(({ id, content }) => ({ id, content }));
}

async function findAll(ctx: OrgHome, user: string, most: number): Promise<RememberedPreference[]> {
  const list = { index: "gsi2" as const, pk: memoriesOfUser(ctx.org, user), descending: true, limit: MEMORIES_A_QUERY };
  const now = timestamp(ctx.clock());
  const found: StoredRecord[] = [];
  let after: string | undefined;
  for (let read = 0; read < MOST_MEMORIES && found.length < most; read += MEMORIES_A_QUERY) {
    const page: RecordPage = await ctx.ports.records.query({ ...list, after });
    found.push(...page.items.filter((record) => isPreference(record) && isLive(record, now)));
    after = page.cursor;
    if (after === undefined) break;
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
