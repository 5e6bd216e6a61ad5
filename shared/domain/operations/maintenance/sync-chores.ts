import type { Component } from "../../../ports/components.ts";
import type { Runtime } from "../../../runtime/context.ts";
import { sweepJobs } from "../../../runtime/jobs/sweep.ts";
import { sweepDanglingReferences } from "../../agents/unlinking.ts";
import { sweepSessions } from "../../sessions/archive.ts";
import { type SyncPass, Tally } from "./pass.ts";

/** Unfinished work of each component; each function resumes it and returns how much. */
const CHORES: { [component in Component]?: (runtime: Runtime) => Promise<number> } = {
  sessions: sweepSessions,
  agents: sweepDanglingReferences,
  sources: (runtime) => sweepJobs(runtime, ["ingest_source", "remove_source", "expire_upload"]),
  users: (runtime) => sweepJobs(runtime, ["ownership_transfer"]),
};

/** Resumes all unfinished work at once; the sweep does the same periodically. */
export const syncChores: SyncPass = async (runtime, { options }) => {
  const tally = new Tally();
  for (const component of options.components) {
    tally.add(component, "repaired", (await CHORES[component]?.(runtime)) ?? 0);
  }
  return { tallies: tally.tallies };
};
