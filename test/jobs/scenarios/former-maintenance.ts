import type { JsonObject } from "../../../shared/ports/json.ts";
import type { StoredRecord } from "../../../shared/ports/record-store.ts";
import type { Job } from "../../../shared/runtime/jobs/job.ts";

/** A clean-up or a sync in the middle of its first pass. */
export function formerMaintenance({ id, org, kind, input, submitted_at: at }: Job<"cleanup" | "sync">): StoredRecord[] {
  const { options, plan } = input;
  return [
    {
      ...{ pk: `${org}#${id}`, sk: "maintenance_job", kind: "maintenance_job" },
      ...{
        gsi1pk: `${org}#maintenance`,
        gsi1sk: `${at}#${id}`,
        gsi2pk: "unfinished-maintenance",
        gsi2sk: `${at}#${id}`,
      },
      ...{ id, type: kind, options: { ...options } as unknown as JsonObject, plan, step: 0, tallies: {} },
      ...{ processing_ms: 5, attempts: 0, revision: 3, state: "running", submitted_at: at, submitted_by: "ak_test" },
      ...{ queued_at: at, started_at: at },
    },
  ];
}
