import type { Job } from "../jobs/job.ts";
import { inBatches } from "../kernel/parallel.ts";
import type { OrgHome } from "../platform/context.ts";
import { queryPages } from "../platform/pages.ts";
import type { RecordKey, RecordQuery, RecordStore } from "../platform/ports.ts";

/** Whose data a pass erases: everything that was stored until then. */
export interface Erasure {
  user_id: string;
  /** ISO; when it was asked for. */
  asked_at: string;
}

/** How many records a step erased, and where the pass continues; without that it is over. */
export interface Reached {
  erased: number;
  after?: string;
  /** What the pass waits for has not happened yet. */
  delayMs?: number;
}

/** A part of an erasure; each step may be repeated. */
export interface Pass {
  /** Waits before it begins, so that the change feed has made what follows from earlier writes. */
  delayMs?: number;
  run(home: OrgHome, erasure: Erasure, after: string | undefined): Promise<Reached>;
}

export function erasureOf({ input, submitted_at }: Job<"erase_user">): Erasure {
  return { user_id: input.user_id, asked_at: submitted_at };
}

/** Records of one page, and records that are erased at a time. */
export const PAGE = 250;
export const CONCURRENCY = 8;
const DELETED_AT_ONCE = 40;

async function deleteRecords(records: RecordStore, keys: RecordKey[]): Promise<void> {
  for (const batch of inBatches(keys, DELETED_AT_ONCE)) {
    await records.write(...batch.map(({ pk, sk }) => ({ delete: { pk, sk } })));
  }
}

/** Deletes all records of a query; answers how many there were. */
export async function deleteAll(records: RecordStore, query: Omit<RecordQuery, "limit" | "after">): Promise<number> {
  let count = 0;
  for await (const items of queryPages(records, { ...query, limit: PAGE })) {
    await deleteRecords(records, items);
    count += items.length;
  }
  return count;
}
