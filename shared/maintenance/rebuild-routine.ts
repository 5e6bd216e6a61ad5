import { audit } from "../audit/audit.ts";
import { OPERATOR_ORG } from "../identity/bootstrap.ts";
import { isOver, newJob } from "../jobs/job.ts";
import { enqueueJob } from "../jobs/queue.ts";
import { insertJob } from "../jobs/records.ts";
import type { Home } from "../platform/context.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import { findLatestSync, succeedSync } from "./begin.ts";
import { planSync, type SyncOptions } from "./components.ts";
import { BEGINNING } from "./plan.ts";

/** A rebuild that fails embeds all it reads: it is begun once a day. */
const DAY_MS = 86_400_000;
const OPTIONS: SyncOptions = { components: ["search_index"], full_sync: true, force_sync: false };

/**
 * Begins a full sync of the search index where it needs a rebuild to have vectors of the embedder in use; answers how many
 * it began. None is begun beside a sync that runs, or within a day after a full one was begun.
 */
export async function rebuildIndexIfDue(home: Home): Promise<number> {
  const { needsRebuild } = await home.ports.search.vectorState([OPERATOR_ORG]);
  if (!needsRebuild) return 0;
  const latest = await findLatestSync(home.ports.records);
  const isRecent = latest?.input.options.full_sync && Date.parse(latest.submitted_at) + DAY_MS > home.clock();
  if (latest && (!isOver(latest) || isRecent)) return 0;
  const scope = { ...home, org: OPERATOR_ORG };
  const job = newJob(scope, "sync", {
    input: { options: OPTIONS, plan: planSync(OPTIONS) },
    checkpoint: BEGINNING,
    submitted_by: OPERATOR_ORG,
  });
  const entry = { action: "admin.sync", target: job.id, details: { ...OPTIONS }, actor: { kind: "system" } } as const;
  const isBegun = await writeUnlessChanged(home, insertJob(job), succeedSync(job, latest), audit(scope, entry));
  if (isBegun) await enqueueJob(home, job);
  return isBegun ? 1 : 0;
}
