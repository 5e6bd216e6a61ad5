import { isDeepStrictEqual } from "node:util";
import { timestamp } from "../../kernel/clock.ts";
import { notFound } from "../../kernel/errors.ts";
import { secretsNamedIn } from "../../language/secrets/redact.ts";
import { updateWithRetry } from "../../ports/conflicts.ts";
import type { Write } from "../../ports/record-store.ts";
import type { Context, MemoryScope, OrgRuntime } from "../../runtime/context.ts";
import { admit, auditDetection } from "./admit-text.ts";
import { contentKey, requireContent, storeContent } from "./content.ts";
import { withFactIds, writeWithFacts } from "./facts/records.ts";
import { keepLinked } from "./links.ts";
import type { Memory, Versioned, Writer } from "./memory.ts";
import { eraseModelAnswers } from "./model-answers.ts";
import { findMemory, removeMemory, replaceMemory } from "./records.ts";
import { countMigrations } from "./tier-statistics.ts";
import { understand } from "./understand.ts";
import type { VersionNote } from "./version-records.ts";
import { type AccessLevel, requireAccess } from "./visibility.ts";

/** Returns a memory. Throws MEMORY_NOT_FOUND (also if expired, foreign or invisible), CONTENT_UNAVAILABLE. */
export async function getMemory(ctx: MemoryScope, id: string): Promise<Memory> {
  const memory = await findMemory(ctx, id);
  if (!memory) throw notFound("memory", id);
  requireContent(memory);
  return memory;
}

/** Reads a memory and writes a change; restarts after a concurrent write. Throws MEMORY_NOT_FOUND, FORBIDDEN. */
function updateMemoryWithRetry<T>(
  ctx: MemoryScope,
  id: string,
  { needed, ifMatch }: { needed: Exclude<AccessLevel, "read">; ifMatch?: number },
  act: (memory: Memory) => Promise<T>,
): Promise<T> {
  const find = async () => {
    const memory = await findMemory(ctx, id);
    if (memory) requireAccess(memory, ctx, needed);
    return memory;
  };
  return updateWithRetry({ resource: "memory", id, find, ifMatch }, act);
}

type Nullable<Fields, Name extends keyof Fields> = Omit<Fields, Name> & { [name in Name]?: Fields[Name] | null };

/** The fields that a revision changes; absent fields are kept. Null clears the expiry, and means the creation time. */
export type MemoryChange = Nullable<Partial<Versioned & Pick<Memory, "expire_at">>, "expire_at" | "occurred_at">;

/** The note of a version, the door of its request, and whether it restores an older one. */
export type RevisionNote = Partial<Omit<VersionNote, "changed_by">> & Pick<Writer, "door"> & { restores?: true };

/**
 * Stores a new version; a changed content or event time is read again. Only the owner may change the expiry. Throws
 * VALIDATION_ERROR if the text has secrets and the policy refuses them.
 */
export async function reviseMemory(
  ctx: Context,
  id: string,
  change: MemoryChange,
  note: RevisionNote,
  ifMatch?: number,
): Promise<Memory> {
  const needed = change.expire_at === undefined ? "read_write" : "own";
  return updateMemoryWithRetry(ctx, id, { needed, ifMatch }, async (before) => {
    if (change.content === undefined) requireContent(before);
    const { text, leftOut, detection } = await admit(ctx, withSent(before, change));
    const after = await nextVersion(ctx, before, change, text, note);
    const stored = await storeContent(ctx, contentKey(after, after.content), after.content);
    const { changes = namesOf(change), reason } = note;
    const writes = replaceMemory(before, after, stored, { changes, changed_by: ctx.principal.id, reason });
    await writeWithFacts(ctx.ports.records, ...writes, ...auditDetection(ctx, detection, id));
    countReturn(ctx, before);
    return leftOut.length === 0 ? after : { ...after, left_out: leftOut };
  });
}

/** The names of the fields that a request changes. */
function namesOf(change: MemoryChange): string[] {
  return Object.keys(change).filter((name) => name !== "sent" && change[name as keyof MemoryChange] !== undefined);
}

/** Returns the memory after a change, whose text is admitted; a changed content or event time is read again. */
async function nextVersion(
  ctx: Context,
  before: Memory,
  change: MemoryChange,
  { content, metadata, sent }: Pick<Memory, "content" | "metadata" | "sent">,
  note: RevisionNote,
): Promise<Memory> {
  const occurred_at = eventTimeAfter(before, change);
  const isReworded = content !== before.content;
  const after: Memory = {
    ...before,
    ...{ content, metadata, sent, occurred_at },
    content_missing: undefined,
    expire_at: change.expire_at === undefined ? before.expire_at : (change.expire_at ?? undefined),
    updated_at: timestamp(ctx.clock()),
    tier: "working",
    version: before.version + 1,
    revision: before.revision + 1,
    ...(note.restores && { restored_version: before.version + 1 }),
  };
  if (isReworded || !isDeepStrictEqual(sent, before.sent)) after.is_claimant = undefined;
  // What the former words rested on, or continued, says nothing of others.
  if (isReworded) {
    const agent = ctx.viewer === undefined ? {} : { agent_id: ctx.viewer };
    const reworded: Writer = { written_by: ctx.principal.id, ...agent, door: note.door };
    Object.assign(after, { quote: undefined, follows: undefined, reworded });
  }
  if (!isReworded && occurred_at === before.occurred_at) return after;
  const understood = await understand(ctx, { ...after, stored_at: after.created_at });
  return {
    ...after,
    ...withFactIds({ ...after, ...understood }),
    entities: keepLinked(before.entities, understood.entities),
  };
}

/** Returns the changed text; what a client read with placeholders and sends back keeps what they stand for. */
function withSent(before: Memory, change: MemoryChange): Pick<Memory, "content" | "metadata" | "user_id" | "sent"> {
  const { content = before.content, metadata = before.metadata } = change;
  const known = change.sent ?? before.sent;
  const text = { content, metadata, user_id: before.user_id };
  if (known === undefined) return text;
  const isSameMetadata = isDeepStrictEqual(metadata, before.metadata) || change.sent !== undefined;
  const sentMetadata = isSameMetadata ? known.metadata : undefined;
  const secrets = content === before.content ? known.secrets : secretsNamedIn(content, known.secrets);
  if (secrets.length === 0 && sentMetadata === undefined) return text;
  return { ...text, sent: { secrets, ...(sentMetadata && { metadata: sentMetadata }) } };
}

/** Returns undefined if the time equals the creation time, so that a PUT with the response of a GET changes nothing. */
function eventTimeAfter(before: Memory, { occurred_at = before.occurred_at }: MemoryChange): string | undefined {
  return occurred_at === null || occurred_at === before.created_at ? undefined : occurred_at;
}

/** Counts the move of a changed memory to the working tier from any other, because a changed memory is in use. */
export function countReturn(runtime: OrgRuntime, { id, tier: from }: Memory): void {
  if (from !== "working") countMigrations(runtime, runtime.org, [{ id, from, to: "working" }]);
}

/** Changes a memory: same version, next revision. `extraWrites` become part of the transaction. */
export async function amendMemory(
  ctx: MemoryScope,
  id: string,
  amend: (memory: Memory) => Partial<Memory> | Promise<Partial<Memory>>,
  extraWrites: (after: Memory) => Write[] = () => [],
): Promise<Memory> {
  return updateMemoryWithRetry(ctx, id, { needed: "read_write" }, async (before) => {
    requireContent(before);
    const amended = { ...before, ...(await amend(before)), tier: "working", revision: before.revision + 1 } as const;
    const after = withFactIds(amended);
    const stored = await storeContent(ctx, contentKey(before, before.content), before.content);
    await writeWithFacts(ctx.ports.records, ...replaceMemory(before, after, stored), ...extraWrites(after));
    countReturn(ctx, before);
    return after;
  });
}

/**
 * Deletes a memory and the cached model answers about the user's texts, which may repeat it. Nobody can read it from then
 * on; its edges, versions and search document are deleted afterwards. `extraWrites` become part of the transaction.
 */
export async function deleteMemory(
  ctx: Context,
  id: string,
  ifMatch?: number,
  extraWrites: (memory: Memory, deleted_at: string) => Write[] = () => [],
): Promise<{ id: string; deleted_at: string }> {
  return updateMemoryWithRetry(ctx, id, { needed: "own", ifMatch }, async (memory) => {
    const deleted_at = timestamp(ctx.clock());
    await eraseModelAnswers(ctx.ports.records, ctx.org, memory.user_id);
    await ctx.ports.records.write(...removeMemory(memory), ...extraWrites(memory, deleted_at));
    return { id, deleted_at };
  });
}
