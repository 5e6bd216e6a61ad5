import { OPERATOR_ORG } from "../identity/bootstrap.ts";
import { listOrganizations } from "../identity/records.ts";
import { newJob } from "../jobs/job.ts";
import { enqueueJob } from "../jobs/queue.ts";
import { findJob, insertJob } from "../jobs/records.ts";
import { timestamp } from "../kernel/clock.ts";
import { memoriesOf } from "../memory/records.ts";
import type { Home } from "../platform/context.ts";
import { toItem } from "../platform/item.ts";
import type { RecordKey } from "../platform/ports.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";

/** Raised by a release whose memories have facts that those of releases before lack. */
const FACTS_FORMAT = 1;
/** For so long after a deployment code of the release before may store memories, which reads no facts. */
const CANARY_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Names the backfill that was begun last, and the format that it is for. */
const BACKFILL_KEY: RecordKey = { pk: `${OPERATOR_ORG}#maintenance`, sk: "facts" };

/**
 * Begins to read the facts of memories that earlier releases stored: once for a format, and again a day after it failed.
 * Answers how many jobs it began.
 */
export async function readFactsIfDue(home: Home): Promise<number> {
  const { records } = home.ports;
  const last = await records.get(BACKFILL_KEY);
  const isBehind = last === undefined || Number(last.format) < FACTS_FORMAT;
  const isDue = isBehind ? await hasMemories(home) : await hasFailed(home, String(last.job_id));
  if (!isDue) return 0;
  const scope = { ...home, org: OPERATOR_ORG };
  const job = newJob(scope, "read_facts", {
    input: { format: FACTS_FORMAT },
    checkpoint: { checked: 0, read: 0 },
    submitted_by: OPERATOR_ORG,
    delayMs: home.config.PLATFORM === "local" ? 0 : CANARY_MS,
  });
  const begun = { format: FACTS_FORMAT, job_id: job.id, begun_at: timestamp(home.clock()) };
  const isBegun = await writeUnlessChanged(home, insertJob(job), {
    put: toItem(BACKFILL_KEY, "facts_backfill", begun),
    condition: last ? { job_id: String(last.job_id) } : "absent",
  });
  if (isBegun) await enqueueJob(home, job);
  return isBegun ? 1 : 0;
}

/** A new home stays empty, so that a backup can be restored into it. */
async function hasMemories({ ports: { records } }: Home): Promise<boolean> {
  for await (const { id } of listOrganizations(records)) {
    const { items } = await records.query({ index: "gsi3", pk: memoriesOf(id), limit: 1 });
    if (items.length > 0) return true;
  }
  return false;
}

async function hasFailed({ ports, clock }: Home, id: string): Promise<boolean> {
  const job = await findJob(ports.records, OPERATOR_ORG, id, "read_facts");
  return job?.state === "failed" && Date.parse(job.finished_at ?? job.submitted_at) + DAY_MS <= clock();
}
