import { writeWithFacts } from "../facts/records.ts";
import { timestamp } from "../kernel/clock.ts";
import { notFound } from "../kernel/errors.ts";
import type { Context, OrgHome, ViewerHome } from "../platform/context.ts";
import type { JsonObject, Write } from "../platform/ports.ts";
import { readThenWrite } from "../platform/read-then-write.ts";
import { contentKey, requireContent, storeContent } from "./content.ts";
import { keepLinked } from "./links.ts";
import type { Memory } from "./memory.ts";
import { eraseModelAnswers } from "./model-answers.ts";
import { findMemory, removeMemory, replaceMemory, type VersionNote } from "./records.ts";
import { countMigrations } from "./tier-statistics.ts";
import { understand } from "./understand.ts";
import { type Reach, requireReach } from "./visibility.ts";

/** Throws MEMORY_NOT_FOUND for an absent, a foreign, an expired and an unseen id alike, and CONTENT_UNAVAILABLE. */
export async function getMemory(ctx: ViewerHome, id: string): Promise<Memory> {
  const memory = await findMemory(ctx, id);
  if (!memory) throw notFound("memory", id);
  requireContent(memory);
  return memory;
}

/**
 * Reads a memory and writes what depends on it, again from the start when someone else wrote in between. Throws
 * MEMORY_NOT_FOUND, and FORBIDDEN where the viewer's reach is less than what is needed.
 */
function readThenWriteMemory<T>(
  ctx: ViewerHome,
  id: string,
  { needed, ifMatch }: { needed: Exclude<Reach, "read">; ifMatch?: number },
  act: (memory: Memory) => Promise<T>,
): Promise<T> {
  const find = async () => {
    const memory = await findMemory(ctx, id);
    if (memory) requireReach(memory, ctx, needed);
    return memory;
  };
  return readThenWrite({ resource: "memory", id, find, ifMatch }, act);
}

/** What a revision changes; an absent field stays as it is, a null `expire_at` clears it. */
export interface MemoryChange {
  content?: string;
  metadata?: JsonObject;
  /** ISO */
  expire_at?: string | null;
  /** ISO with its offset; null: when it was created. */
  occurred_at?: string | null;
}

/** What is said of a revision: by its version, and whether that restores an older one. */
export type RevisionNote = Partial<VersionNote> & { restores?: true };

/** Stores a new version. Content that changed, or was said at another time, is understood anew; entities linked by hand stay. When it ends is its owner's to say. */
export async function reviseMemory(
  ctx: Context,
  id: string,
  change: MemoryChange,
  note: RevisionNote = {},
  ifMatch?: number,
): Promise<Memory> {
  const needed = change.expire_at === undefined ? "read_write" : "own";
  return readThenWriteMemory(ctx, id, { needed, ifMatch }, async (before) => {
    if (change.content === undefined) requireContent(before);
    const content = change.content ?? before.content;
    const metadata = change.metadata ?? before.metadata;
    const expire_at = change.expire_at === undefined ? before.expire_at : (change.expire_at ?? undefined);
    const occurred_at = eventTimeAfter(before, change);
    const updated_at = timestamp(ctx.clock());
    const after: Memory = {
      ...before,
      content,
      content_missing: undefined,
      metadata,
      expire_at,
      occurred_at,
      updated_at,
      tier: "working",
      version: before.version + 1,
      revision: before.revision + 1,
      ...(note.restores && { restored_version: before.version + 1 }),
    };
    if (content !== before.content) after.is_claimant = undefined;
    if (content !== before.content || occurred_at !== before.occurred_at) {
      const understood = await understand(ctx, { ...after, stored_at: after.created_at });
      Object.assign(after, understood, { entities: keepLinked(before.entities, understood.entities) });
    }
    const changes =
      note.changes ?? Object.keys(change).filter((name) => change[name as keyof MemoryChange] !== undefined);
    const stored = await storeContent(ctx, contentKey(after, content), content);
    await writeWithFacts(ctx.ports.records, ...replaceMemory(before, after, stored, { changes, reason: note.reason }));
    countReturn(ctx, before);
    return after;
  });
}

/** Absent where it is when the memory was created: so a PUT of what GET answered changes nothing. */
function eventTimeAfter(before: Memory, { occurred_at = before.occurred_at }: MemoryChange): string | undefined {
  return occurred_at === null || occurred_at === before.created_at ? undefined : occurred_at;
}

/** A memory that changes is in use: it goes on from the working tier, wherever it was. */
export function countReturn(home: OrgHome, { id, tier: from }: Memory): void {
  if (from !== "working") countMigrations(home, home.org, [{ id, from, to: "working" }]);
}

/** Changes what is no version of its own: same version, next revision. What `along` says is written with it, or nothing. */
export async function amendMemory(
  ctx: ViewerHome,
  id: string,
  amend: (memory: Memory) => Partial<Memory> | Promise<Partial<Memory>>,
  along: (after: Memory) => Write[] = () => [],
): Promise<Memory> {
  return readThenWriteMemory(ctx, id, { needed: "read_write" }, async (before) => {
    requireContent(before);
    const after: Memory = { ...before, ...(await amend(before)), tier: "working", revision: before.revision + 1 };
    const stored = await storeContent(ctx, contentKey(before, before.content), before.content);
    await writeWithFacts(ctx.ports.records, ...replaceMemory(before, after, stored), ...along(after));
    countReturn(ctx, before);
    return after;
  });
}

/**
 * Removes a memory; it is gone from every read at once, its edges, versions and search document follow. What `along` says
 * is written with it, or nothing. What models made of the user's texts is erased: it may be what the memory says.
 */
export async function deleteMemory(
  ctx: Context,
  id: string,
  ifMatch?: number,
  along: (memory: Memory, deleted_at: string) => Write[] = () => [],
): Promise<{ id: string; deleted_at: string }> {
  return readThenWriteMemory(ctx, id, { needed: "own", ifMatch }, async (memory) => {
    const deleted_at = timestamp(ctx.clock());
    await eraseModelAnswers(ctx.ports.records, ctx.org, memory.user_id);
    await ctx.ports.records.write(...removeMemory(memory), ...along(memory, deleted_at));
    return { id, deleted_at };
  });
}
