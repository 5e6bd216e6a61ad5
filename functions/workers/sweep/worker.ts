import { sweepDanglingReferences } from "../../../shared/domain/agents/unlinking.ts";
import { readFactsIfDue } from "../../../shared/domain/memory/begin-fact-backfill.ts";
import { SWEEP_EVERY_MINUTES } from "../../../shared/domain/memory/tier-records.ts";
import { sweepTiers } from "../../../shared/domain/memory/tiering.ts";
import { expireBackups } from "../../../shared/domain/operations/backups/archives.ts";
import { cleanUpIfDue, rebuildIndexIfDue } from "../../../shared/domain/operations/maintenance/routine.ts";
import { renameUsersIfDue } from "../../../shared/domain/operations/offboarding/rename-users.ts";
import { sweepSessions } from "../../../shared/domain/sessions/archive.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import { QUEUE_NAMES, sendsTo } from "../../../shared/ports/queues.ts";
import type { Runtime } from "../../../shared/runtime/context.ts";
import { sweepJobs } from "../../../shared/runtime/jobs/sweep.ts";
import { JOBS } from "./jobs.ts";

export const worker: WorkerManifest = {
  name: "sweep",
  source: { schedule: { everyMinutes: SWEEP_EVERY_MINUTES } },
  capabilities: ["records", "search", "blobs", "reader", ...sendsTo(...QUEUE_NAMES)],
  memoryMb: 1024,
  timeoutSeconds: 300,
};

/** A tombstone must outlive every late delivery; the feed keeps changes for a day. */
const TOMBSTONE_MS = 48 * 3600 * 1000;

/**
 * Periodic tasks by their log name; each returns what it did, for the log. Tasks that may use up the time come last:
 * `tombstones`, which waits if the search engine hangs, and `tiers`, which reads whole organizations.
 */
const TASKS: { [name: string]: (runtime: Runtime) => Promise<unknown> } = {
  jobs: (runtime) => sweepJobs(runtime, JOBS),
  departures: sweepDanglingReferences,
  session_chores: sweepSessions,
  backups: expireBackups,
  cleanup: cleanUpIfDue,
  facts: readFactsIfDue,
  renames: renameUsersIfDue,
  index_rebuild: rebuildIndexIfDue,
  tombstones: ({ ports, clock }) => ports.search.purge(clock() - TOMBSTONE_MS),
  tiers: sweepTiers,
};

/**
 * Creates the periodic sweep: it does only what is due, so running it twice is harmless. A failing task does not
 * prevent others; the sweep then fails at its end.
 */
export function createScheduledJob(runtime: Runtime): () => Promise<void> {
  return async () => {
    const done: Record<string, unknown> = {};
    const failed = new Map<string, unknown>();
    for (const [name, run] of Object.entries(TASKS)) {
      try {
        done[name] = await run(runtime);
      } catch (error) {
        runtime.logger.error("CHORE_FAILED", { chore: name, error });
        failed.set(name, error);
      }
    }
    await runtime.rollups.flush();
    runtime.logger.info("SWEPT", done);
    if (failed.size > 0) throw new AggregateError(failed.values(), `chores failed: ${[...failed.keys()].join(", ")}`);
  };
}
