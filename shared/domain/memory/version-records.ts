import { pick } from "../../kernel/objects.ts";
import type { PageRequest } from "../../kernel/pagination.ts";
import { toItem } from "../../ports/item.ts";
import { readPage } from "../../ports/listing.ts";
import type { RecordKey, Write } from "../../ports/record-store.ts";
import { type StoredContent, withContent } from "./content.ts";
import { type Memory, type MemoryVersion, VERSIONED } from "./memory.ts";
import { memoryKey } from "./memory-keys.ts";
import type { MemoryReader } from "./records.ts";

export const versionKey = (org: string, id: string, version: number): RecordKey => ({
  pk: `${org}#${id}`,
  sk: `version#${String(version).padStart(9, "0")}`,
});

export function putVersion(memory: Memory, stored: StoredContent, { changes, changed_by, reason }: VersionNote): Write {
  const { version, updated_at: created_at } = memory;
  const { content: _stored, ...versioned } = pick(memory, VERSIONED);
  const item = { version, ...stored, ...versioned, created_at, changes, changed_by, reason };
  return { put: toItem(versionKey(memory.org, memory.id, version), "version", item) };
}

/** The note of a new version: the changed fields, who changed them, and the reason. */
export type VersionNote = Pick<MemoryVersion, "changes" | "changed_by" | "reason">;

/** Returns a page of the memory's versions, oldest first. */
export async function listVersions(ctx: MemoryReader, id: string, page: PageRequest) {
  const { pk } = memoryKey(ctx.org, id);
  const { items, ...rest } = await readPage(ctx.ports.records, { pk, sk: { beginsWith: "version#" } }, page);
  const versions = await Promise.all(items.map((record) => withContent<MemoryVersion>(ctx, record)));
  return { versions: versions.flatMap((version) => version ?? []), ...rest };
}

export async function findVersion(ctx: MemoryReader, id: string, version: number): Promise<MemoryVersion | undefined> {
  const record = await ctx.ports.records.get(versionKey(ctx.org, id, version));
  return record && withContent<MemoryVersion>(ctx, record);
}
