import { timestamp } from "../../kernel/clock.ts";
import { DAY_MS } from "../../kernel/durations.ts";
import { tryWrite } from "../../ports/conflicts.ts";
import { toItem } from "../../ports/item.ts";
import type { RecordKey } from "../../ports/record-store.ts";
import { OPERATOR_ORG } from "../../runtime/access/operator.ts";
import type { Runtime } from "../../runtime/context.ts";
import { newJob } from "../../runtime/jobs/job.ts";
import { enqueueJob } from "../../runtime/jobs/queue.ts";
import { findJob, insertJob } from "../../runtime/jobs/records.ts";
import { listOrganizations } from "../identity/records.ts";
import { FACTS_FORMAT } from "./facts/records.ts";
import { READ_FACTS_JOB } from "./job-kinds.ts";
import { memoriesOf } from "./memory-keys.ts";

/** How long after a deployment the previous release, which reads other facts, may still store memories. */
export const CANARY_MS = 3_600_000;
/** The record of the last backfill and its format. */
const BACKFILL_KEY: RecordKey = { pk: `${OPERATOR_ORG}#maintenance`, sk: "facts" };

/**
 * Starts the facts backfill, once per format and model that reads facts, and again a day after a failure. Returns the
 * number of started jobs.
 */
export async function readFactsIfDue(runtime: Runtime): Promise<number> {
  const { records, reader } = runtime.ports;
  const last = await records.get(BACKFILL_KEY);
  const isOtherReader = reader !== undefined && last?.reader !== reader.id;
  const isOutdated = last === undefined || Number(last.format) < FACTS_FORMAT || isOtherReader;
  const isDue = isOutdated ? await hasMemories(runtime) : await hasFailed(runtime, String(last.job_id));
  if (!isDue) return 0;
  const scope = { ...runtime, org: OPERATOR_ORG };
  const job = newJob(scope, READ_FACTS_JOB, {
    input: { format: FACTS_FORMAT },
    checkpoint: { checked: 0, read: 0 },
    submitted_by: OPERATOR_ORG,
    delayMs: runtime.config.PLATFORM === "local" ? 0 : CANARY_MS,
  });
  const begun_at = timestamp(runtime.clock());
  const backfill = { format: FACTS_FORMAT, ...(reader && { reader: reader.id }), job_id: job.id, begun_at };
  const isStarted = await tryWrite(runtime, insertJob(job), {
    put: toItem(BACKFILL_KEY, "facts_backfill", backfill),
    condition: last ? { job_id: String(last.job_id) } : "absent",
  });
  if (isStarted) await enqueueJob(runtime, job);
  return isStarted ? 1 : 0;
}

/** Whether any memory exists. Without any, nothing is stored, so that a backup can be restored into the deployment. */
export async function hasMemories({ ports: { records } }: Runtime): Promise<boolean> {
  for await (const { id } of listOrganizations(records)) {
    const { items } = await records.query({ index: "gsi3", pk: memoriesOf(id), limit: 1 });
    if (items.length > 0) return true;
  }
  return false;
}

async function hasFailed({ ports, clock }: Runtime, id: string): Promise<boolean> {
  const job = await findJob(ports.records, OPERATOR_ORG, id, READ_FACTS_JOB);
  return job?.state === "failed" && Date.parse(job.finished_at ?? job.submitted_at) + DAY_MS <= clock();
}
