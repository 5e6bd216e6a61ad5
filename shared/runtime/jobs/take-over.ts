import * as z from "zod";
import { tryWrite } from "../../ports/conflicts.ts";
import type { Json, Scalar } from "../../ports/json.ts";
import { identityOf } from "../../ports/preconditions.ts";
import type { RecordKey, StoredRecord, Write } from "../../ports/record-store.ts";
import { OPERATOR_ORG } from "../access/operator.ts";
import type { Runtime } from "../context.ts";
import { listReplaced } from "../upgrades/item-upgrade.ts";
import { WORK_STEPS } from "../upgrades/steps/item-steps.ts";
import { isOver, type Job } from "./job.ts";
import { enqueueJob, messageOf, queueOf } from "./queue.ts";
import { findJob } from "./records.ts";
import { toJob } from "./stored-form.ts";

const org = z.string();
const id = z.string();

/** Messages of 0.2.0 and builds before it, which had no job engine, by the collection in which the work was stored. */
export const FormerMessage = z.union([
  z.object({ org, source_id: id }).transform(({ org, source_id }) => ({ org, id: `source#${source_id}` })),
  z.object({ org, connection_id: id }).transform(({ org, connection_id }) => ({ org, id: connection_id })),
  z.object({ org, event_id: id }).transform(({ org, event_id }) => ({ org, id: event_id })),
  z.object({ org: org.default(OPERATOR_ORG), job_id: id }).transform(({ org, job_id }) => ({ org, id: job_id })),
  z.object({ backup_id: id }).transform(({ backup_id }) => ({ org: OPERATOR_ORG, id: backup_id })),
  z.object({ org, id }),
]);

export type FormerMessage = z.infer<typeof FormerMessage>;

/**
 * Stores the work of a former message as jobs, unless it was done already, and enqueues them. A failed job is
 * restarted, because its message was redriven from the dead-letter queue.
 */
export async function takeOver(runtime: Runtime, { org, id }: FormerMessage): Promise<void> {
  const { records } = runtime.ports;
  const jobs = new Map<string, Job>();
  for await (const { former, replacement } of listReplaced(records, `${org}#${id}`, WORK_STEPS)) {
    if (!(await tryWrite(runtime, ...replacing(former, replacement)))) {
      throw new Error(`the record ${identityOf(former)} changed while it was taken over`);
    }
    for (const job of replacement.filter(({ sk }) => sk === "job").map(toJob)) jobs.set(job.id, job);
  }
  const named = await findJob(records, org, id);
  for (const job of named ? jobs.set(named.id, named).values() : jobs.values()) {
    if (!isOver(job)) await enqueueJob(runtime, job);
    else if (job.state === "failed")
      await runtime.ports.queue.send(queueOf(job), [{ body: { ...messageOf(job), retry: true } }]);
  }
}

/** Returns the writes of one transaction that replaces the record; refused if it changed since it was read. */
function replacing(former: StoredRecord, replacement: StoredRecord[]): Write[] {
  const { pk, sk, ...attributes } = former;
  const condition = Object.fromEntries(Object.entries(attributes).filter(isScalar));
  const hasFormerKey = (record: RecordKey) => identityOf(record) === identityOf(former);
  const puts = replacement.map((put): Write => ({ put, ...(hasFormerKey(put) && { condition }) }));
  return replacement.some(hasFormerKey) ? puts : [{ delete: { pk, sk }, condition }, ...puts];
}

const isScalar = (entry: [string, Json | undefined]): entry is [string, Scalar] =>
  ["string", "number", "boolean"].includes(typeof entry[1]);
