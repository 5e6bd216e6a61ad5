import { settleDepartures } from "../../../shared/agents/unlinking.ts";
import { tendBackups } from "../../../shared/backups/tend.ts";
import { resumeOverdueEvents } from "../../../shared/compat/work.ts";
import { announceDue } from "../../../shared/connections/due.ts";
import { resumeHandOvers } from "../../../shared/identity/ownership.ts";
import { resumeMaintenance } from "../../../shared/maintenance/resume.ts";
import { requeueOverdue } from "../../../shared/memory/pipeline.ts";
import { sweepTiers } from "../../../shared/memory/tiering.ts";
import type { Home } from "../../../shared/platform/context.ts";
import { sweepSessions } from "../../../shared/sessions/archive.ts";
import { resumeOverdue } from "../../../shared/sources/overdue.ts";
import { resumeTransfers } from "../../../shared/transfers/overdue.ts";

/** A tombstone must outlive every late delivery of what it stands against; the feed keeps changes for a day. */
const TOMBSTONE_MS = 48 * 3600 * 1000;

/** Makes the regular clean-up: what is due and nothing else, so running it twice is harmless. */
export function createSweep(home: Home): () => Promise<void> {
  const { ports, clock, logger, rollups } = home;
  return async () => {
    const tombstones = await ports.search.purge(clock() - TOMBSTONE_MS);
    const jobs = await requeueOverdue(home);
    const hand_overs = await resumeHandOvers(home);
    const departures = await settleDepartures(home);
    const { organizations, migrations } = await sweepTiers(home);
    const session_chores = await sweepSessions(home);
    const sources = await resumeOverdue(home);
    const connections = await announceDue(home);
    const transfers = await resumeTransfers(home);
    const backups = await tendBackups(home);
    const maintenance = await resumeMaintenance(home);
    const events = await resumeOverdueEvents(home);
    await rollups.flush();
    logger.info("SWEPT", {
      tombstones,
      jobs,
      hand_overs,
      departures,
      organizations,
      migrations,
      session_chores,
      sources,
      connections,
      events,
      maintenance,
      transfers,
      backups,
    });
  };
}
