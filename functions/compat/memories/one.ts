import type * as z from "zod";
import { endOf, type MemoryEnd } from "../../../shared/domain/integration/compat/changes.ts";
import { type CompatEvent, ended, insertEvent, newEvent } from "../../../shared/domain/integration/compat/events.ts";
import type { Names } from "../../../shared/domain/integration/compat/filters.ts";
import { ANY } from "../../../shared/domain/integration/compat/filters.ts";
import {
  deleteWhere,
  findTrace,
  leaveTrace,
  submitDeletion,
  type Trace,
  underNames,
} from "../../../shared/domain/integration/compat/forget.ts";
import { countAccess } from "../../../shared/domain/memory/access.ts";
import type { Memory, MemoryVersion } from "../../../shared/domain/memory/memory.ts";
import { findMemory } from "../../../shared/domain/memory/records.ts";
import {
  getMemory as loadMemory,
  deleteMemory as removeMemory,
  reviseMemory,
} from "../../../shared/domain/memory/revise.ts";
import { listVersions } from "../../../shared/domain/memory/version-records.ts";
import { fits } from "../../../shared/kernel/answer-size.ts";
import { invalid, notFound, ServiceError } from "../../../shared/kernel/errors.ts";
import { requirePermission } from "../../../shared/runtime/access/permissions.ts";
import type { Context } from "../../../shared/runtime/context.ts";
import { requireId } from "../common/ids.ts";
import { toCompatMemory } from "./present.ts";
import type { CompatChange, CompatHistory } from "./schemas.ts";

/** Memories deleted per request; a worker deletes the rest. */
const MAX_DELETED_PER_REQUEST = 500;
/** Maximum versions in a history: one less than the limit of a query, so that one query detects a longer history. */
const MAX_VERSIONS = 999;

type History = z.input<typeof CompatHistory>;

export async function getMemory(ctx: Context, id: string) {
  const memory = await loadMemory(ctx, requireId("memory", id));
  countAccess(ctx, id);
  return toCompatMemory(memory);
}

/** Creates a new version; a null `expiration_date` removes the expiry. */
export async function updateMemory(ctx: Context, id: string, given: z.output<typeof CompatChange>) {
  const { text, metadata, occurred_at = given.timestamp, expiration_date } = given;
  requireId("memory", id);
  if (expiration_date && Date.parse(expiration_date) <= ctx.clock()) {
    throw invalid({ field: "expiration_date", problem: "must be in the future" });
  }
  const change = {
    ...(text !== undefined && { content: text }),
    ...(metadata !== undefined && { metadata }),
    ...(occurred_at && { occurred_at }),
    ...(expiration_date !== undefined && { expire_at: expiration_date }),
  };
  return toCompatMemory(await reviseMemory(ctx, id, change, { door: "mem0" }));
}

export async function deleteMemory(ctx: Context, id: string) {
  await removeMemory(ctx, requireId("memory", id), undefined, leaveTrace);
  return { message: "Memory deleted successfully!" };
}

/**
 * Deletes all memories with those names, in the background if there are many; `*` for all four means all memories. The
 * event reports when the deletion is complete. Throws PERMISSION_DENIED for a `*` without admin:all.
 */
export async function deleteMemories(ctx: Context, given: Names) {
  const names: Names = Object.fromEntries(Object.entries(given).filter(([, name]) => name));
  if (Object.keys(names).length === 0) {
    throw invalid({ field: "user_id", problem: "name at least one of user_id, agent_id, app_id and run_id" });
  }
  if (Object.values(names).includes(ANY)) requirePermission(ctx.principal, "admin:all");
  const { deleted, hasMore } = await deleteWhere(ctx, underNames(names), MAX_DELETED_PER_REQUEST);
  const { id } = hasMore ? await submitDeletion(ctx, names) : await storeDeletionEvent(ctx, deleted);
  return { message: "Memories deleted successfully!", deleted_count: deleted, event_id: id };
}

/** Stores the event of a finished deletion. */
async function storeDeletionEvent(ctx: Context, done: number): Promise<CompatEvent> {
  const progress = { total: done, done, failed: 0 };
  const event = ended(newEvent(ctx, { type: "memory.delete", resource: "memory", progress }), ctx.clock(), {});
  await ctx.ports.records.write(insertEvent(event));
  return event;
}

/**
 * The versions of a memory, oldest first, and whether another memory replaces or ends it. For a deleted memory, only
 * its deletion.
 */
export async function readHistory(ctx: Context, id: string): Promise<History> {
  const memory = await findMemory(ctx, requireId("memory", id));
  if (!memory) {
    const trace = await findTrace(ctx, id);
    if (!trace) throw notFound("memory", id);
    return [toDeletion(trace)];
  }
  const [{ versions }, end] = await Promise.all([
    listVersions(ctx, id, { limit: MAX_VERSIONS, offset: 0 }),
    endOf(ctx, memory),
  ]);
  const entries = versions.map((version, index) => toEntry(memory, version, versions[index - 1]));
  const history = end === undefined ? entries : [...entries, toEnd(memory, end)];
  if (!fits(history)) throw tooLongHistory(id);
  return history;
}

/** mem0 clients do not page a history. */
function tooLongHistory(memory_id: string): ServiceError {
  return new ServiceError(
    "PAYLOAD_TOO_LARGE",
    `The history is too long for one response. Read it page by page: GET /memories/${memory_id}/versions?limit=10.`,
    { memory_id },
  );
}

function toEntry(memory: Memory, version: MemoryVersion, before: MemoryVersion | undefined): History[number] {
  return {
    ...entryOf({ ...memory, occurred_at: version.occurred_at }),
    id: `${memory.id}_v${version.version}`,
    old_memory: before?.content ?? null,
    new_memory: version.content,
    metadata: version.metadata,
    event: before === undefined ? "ADD" : "UPDATE",
    updated_at: version.created_at,
  };
}

function toEnd(memory: Memory, { after, isReplaced }: MemoryEnd): History[number] {
  return {
    ...entryOf(memory),
    id: `${memory.id}_${after.id}`,
    old_memory: memory.content,
    new_memory: isReplaced ? (after.content ?? null) : null,
    event: isReplaced ? "UPDATE" : "DELETE",
    updated_at: after.created_at,
  };
}

function entryOf(memory: Memory) {
  const { id: memory_id, user_id, categories, metadata, created_at } = toCompatMemory(memory);
  return { memory_id, input: [], user_id, categories, metadata, created_at };
}

function toDeletion({ memory_id, user_id, created_at, deleted_at }: Trace): History[number] {
  return {
    id: `${memory_id}_deleted`,
    memory_id,
    input: [],
    old_memory: null,
    new_memory: null,
    user_id: user_id ?? null,
    categories: [],
    metadata: null,
    event: "DELETE",
    created_at,
    updated_at: deleted_at,
  };
}
