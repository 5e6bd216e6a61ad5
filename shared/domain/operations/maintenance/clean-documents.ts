import { findOrphanDocuments } from "./drift.ts";
import { type CleanupPass, Tally } from "./pass.ts";

const PAGE = 500;

/** One page of the search index: deletes documents without a record. */
export const cleanDocuments: CleanupPass = async ({ ports }, { options }, after) => {
  const request = { limit: PAGE, ...(after !== undefined && { after }) };
  const { orphans, cursor } = await findOrphanDocuments(ports.search, ports.records, request);
  if (!options.dry_run) await ports.search.remove(orphans);
  const tally = new Tally();
  tally.add("orphaned_memories", "items", orphans.length);
  return { tallies: tally.tallies, ...(cursor !== undefined && { cursor }) };
};

/** Deletes old log lines; audit records expire by themselves. */
export const cleanLogs: CleanupPass = async ({ ports }, { options }) => {
  const pruned = await ports.logs.prune(Date.parse(options.before), options.dry_run);
  const tally = new Tally();
  if (!pruned) tally.add("old_logs", "skipped");
  tally.add("old_logs", "items", pruned?.lines ?? 0);
  tally.add("old_logs", "bytes", pruned?.bytes ?? 0);
  return { tallies: tally.tallies };
};
