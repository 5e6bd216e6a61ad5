import * as z from "zod";
import { OPERATOR_ORG } from "../identity/bootstrap.ts";
import type { Home } from "../platform/context.ts";
import type { Json, RecordKey, Scalar, StoredRecord, Write } from "../platform/ports.ts";
import { identityOf } from "../platform/preconditions.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import { listFormer } from "./former.ts";
import { isOver, type Job } from "./job.ts";
import { enqueueJob, messageOf, queueOf } from "./queue.ts";
import { findJob } from "./records.ts";
import { toJob } from "./stored-form.ts";

const org = z.string();
const id = z.string();

/** What messages of releases before there was one engine held, as the collection that the work was stored in. */
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
 * Stores the work that a former message names as jobs, unless that was done, and announces them. A job that failed is begun
 * again: its message was redriven from the dead letters.
 */
export async function takeOver(home: Home, { org, id }: FormerMessage): Promise<void> {
  const { records } = home.ports;
  const jobs = new Map<string, Job>();
  for await (const { former, replacement } of listFormer(records, `${org}#${id}`)) {
    if (!(await writeUnlessChanged(home, ...replacing(former, replacement)))) {
      throw new Error(`the record ${identityOf(former)} changed while it was taken over`);
    }
    for (const job of replacement.filter(({ sk }) => sk === "job").map(toJob)) jobs.set(job.id, job);
  }
  const own = await findJob(records, org, id);
  for (const job of own ? jobs.set(own.id, own).values() : jobs.values()) {
    if (!isOver(job)) await enqueueJob(home, job);
    else if (job.state === "failed")
      await home.ports.queue.send(queueOf(job), [{ body: { ...messageOf(job), retry: true } }]);
  }
}

/** One transaction, refused where the record changed since it was read. */
function replacing(former: StoredRecord, replacement: StoredRecord[]): Write[] {
  const { pk, sk, ...attributes } = former;
  const condition = Object.fromEntries(Object.entries(attributes).filter(isScalar));
  const isOwn = (record: RecordKey) => identityOf(record) === identityOf(former);
  const puts = replacement.map((put): Write => ({ put, ...(isOwn(put) && { condition }) }));
  return replacement.some(isOwn) ? puts : [{ delete: { pk, sk }, condition }, ...puts];
}

const isScalar = (entry: [string, Json | undefined]): entry is [string, Scalar] =>
  ["string", "number", "boolean"].includes(typeof entry[1]);
