import { DAY_MS } from "../../../kernel/durations.ts";
import { tryWrite } from "../../../ports/conflicts.ts";
import { OPERATOR_ORG } from "../../../runtime/access/operator.ts";
import { audit } from "../../../runtime/audit/audit.ts";
import type { Runtime } from "../../../runtime/context.ts";
import { isOver, newJob } from "../../../runtime/jobs/job.ts";
import { enqueueJob } from "../../../runtime/jobs/queue.ts";
import { insertJob } from "../../../runtime/jobs/records.ts";
import { findLatestSync, succeedSync } from "./begin.ts";
import { BEGINNING, planSync, type SyncOptions } from "./plan.ts";

const OPTIONS: SyncOptions = { components: ["search_index"], full_sync: true, force_sync: false };

/**
 * Starts a full sync of the search index if it needs a rebuild for the current embedder's vectors; returns how many it
 * started. None is started during another sync, or within a day of the last full one.
 */
export async function rebuildIndexIfDue(runtime: Runtime): Promise<number> {
  const { needsRebuild } = await runtime.ports.search.vectorState([OPERATOR_ORG]);
  if (!needsRebuild) return 0;
  const latest = await findLatestSync(runtime.ports.records);
  const isRecent = latest?.input.options.full_sync && Date.parse(latest.submitted_at) + DAY_MS > runtime.clock();
  if (latest && (!isOver(latest) || isRecent)) return 0;
  const scope = { ...runtime, org: OPERATOR_ORG };
  const job = newJob(scope, "sync", {
    input: { options: OPTIONS, plan: planSync(OPTIONS) },
    checkpoint: BEGINNING,
    submitted_by: OPERATOR_ORG,
  });
  const entry = { action: "admin.sync", target: job.id, details: { ...OPTIONS }, actor: { kind: "system" } } as const;
  const isBegun = await tryWrite(runtime, insertJob(job), succeedSync(job, latest), audit(scope, entry));
  if (isBegun) await enqueueJob(runtime, job);
  return isBegun ? 1 : 0;
}
