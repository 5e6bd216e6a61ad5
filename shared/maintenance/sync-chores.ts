import { settleDepartures } from "../agents/unlinking.ts";
import { sweepJobs } from "../jobs/sweep.ts";
import type { Component } from "../platform/components.ts";
import type { Home } from "../platform/context.ts";
import { sweepSessions } from "../sessions/archive.ts";
import { type SyncPass, Tally } from "./pass.ts";

/** What may have been begun of a component and not ended; each goes on with it and answers of how much. */
const CHORES: { [component in Component]?: (home: Home) => Promise<number> } = {
  sessions: sweepSessions,
  agents: settleDepartures,
  sources: (home) => sweepJobs(home, ["ingest_source", "remove_source", "expire_upload"]),
  users: (home) => sweepJobs(home, ["ownership_transfer"]),
};

/** Goes on with what was begun and not ended, all at once: the sweep does the same from time to time. */
export const syncChores: SyncPass = async (home, { options }) => {
  const tally = new Tally();
  for (const component of options.components) {
    tally.add(component, "repaired", (await CHORES[component]?.(home)) ?? 0);
  }
  return { tallies: tally.tallies };
};
