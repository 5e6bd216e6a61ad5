import { findOrphanDocuments } from "./drift.ts";
import type { CleanupPass } from "./pass.ts";

const PAGE = 500;

/** One page of the search index: deletes documents without a record. */
export const cleanDocuments: CleanupPass = async ({ ports }, { options }, tally, after) => {
  const { orphans, cursor } = await findOrphanDocuments(ports.search, ports.records, { limit: PAGE, after });
  if (!options.dry_run) await ports.search.remove(orphans);
  tally.add("orphaned_memories", "items", orphans.length);
  return cursor;
};

/** Deletes old log lines; audit records expire by themselves. */
export const cleanLogs: CleanupPass = async ({ ports }, { options }, tally) => {
  const pruned = await ports.logs.prune(Date.parse(options.before), options.dry_run);
  if (!pruned) tally.add("old_logs", "skipped");
  tally.add("old_logs", "items", pruned?.lines ?? 0);
  tally.add("old_logs", "bytes", pruned?.bytes ?? 0);
  return undefined;
};
