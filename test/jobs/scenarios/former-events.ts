import type { Json } from "../../../shared/ports/json.ts";
import type { StoredRecord } from "../../../shared/ports/record-store.ts";
import type { Job } from "../../../shared/runtime/jobs/job.ts";

/** The request of a compat event, as the last release without this engine stored it. */
export function formerRequest({ id, org }: Job, request: Json): StoredRecord {
  return { pk: `${org}#${id}`, sk: "request", kind: "compat_request", id, org, content: JSON.stringify(request) };
}

/** An import or an export that a worker had begun. */
export function formerTransfer(job: Job<"import" | "export">): StoredRecord[] {
  const { id, org, kind: what, input, checkpoint, submitted_by: created_by, submitted_at: at } = job;
  const work = { ...input, ...checkpoint } as unknown as { [name: string]: Json };
  return [
    {
      ...{ pk: `${org}#${id}`, sk: "transfer", kind: "transfer", gsi2pk: "pending-transfers", gsi2sk: `${at}#${id}` },
      ...{ id, org, what, created_by, created_at: at, queued_at: at, attempts: 1, ...work },
    },
  ];
}
