import { settleDepartures } from "../../../shared/agents/unlinking.ts";
import { expireBackups } from "../../../shared/backups/expire.ts";
import { readFactsIfDue } from "../../../shared/facts/begin-backfill.ts";
import { sweepJobs } from "../../../shared/jobs/sweep.ts";
import { rebuildIndexIfDue } from "../../../shared/maintenance/rebuild-routine.ts";
import { cleanUpIfDue } from "../../../shared/maintenance/routine.ts";
import { sweepTiers } from "../../../shared/memory/tiering.ts";
import type { Home } from "../../../shared/platform/context.ts";
import { sweepSessions } from "../../../shared/sessions/archive.ts";

/** A tombstone must outlive every late delivery of what it stands against; the feed keeps changes for a day. */
const TOMBSTONE_MS = 48 * 3600 * 1000;

/**
 * What is due from time to time, by the name that the log tells it under; each answers how much it did. Last come those that
 * may take all the time there is: of a search engine that hangs, and of tiers, for which all of an organization is read.
 */
const CHORES: { [name: string]: (home: Home) => Promise<unknown> } = {
  jobs: (home) => sweepJobs(home),
  departures: settleDepartures,
  session_chores: sweepSessions,
  backups: expireBackups,
  cleanup: cleanUpIfDue,
  facts: readFactsIfDue,
  index_rebuild: rebuildIndexIfDue,
  tombstones: ({ ports, clock }) => ports.search.purge(clock() - TOMBSTONE_MS),
  tiers: sweepTiers,
};

/**
 * Makes the regular clean-up: what is due and nothing else, so running it twice is harmless. A chore that fails keeps no
 * other from being done; the run fails at its end.
 */
export function createSweep(home: Home): () => Promise<void> {
  return async () => {
    const done: Record<string, unknown> = {};
    const failed = new Map<string, unknown>();
    for (const [name, chore] of Object.entries(CHORES)) {
      try {
        done[name] = await chore(home);
      } catch (error) {
        home.logger.error("CHORE_FAILED", { chore: name, error });
        failed.set(name, error);
      }
    }
    await home.rollups.flush();
    home.logger.info("SWEPT", done);
    if (failed.size > 0) throw new AggregateError(failed.values(), `chores failed: ${[...failed.keys()].join(", ")}`);
  };
}
