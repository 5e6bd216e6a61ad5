import type { Write } from "../../../ports/record-store.ts";
import type { Job } from "../../../runtime/jobs/job.ts";
import { replaceJob } from "../../../runtime/jobs/records.ts";

/** Returns the write that starts an ended erasure anew. */
export function restarted<Kind extends "erase_user" | "erase_organization">(
  ended: Job<Kind>,
  { id: _, org: __, kind: ___, input: ____, ...fresh }: Job<Kind>,
): Write {
  return replaceJob(ended, { started_at: undefined, finished_at: undefined, error: undefined, ...fresh }).write;
}
