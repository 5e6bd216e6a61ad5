import { DAY_MS } from "../../../kernel/durations.ts";
import { TRANSFER_QUEUE } from "../../../ports/queues.ts";
import type { JobPolicy } from "../../../runtime/jobs/kinds.ts";
import { defineJob } from "../../../runtime/jobs/kinds.ts";
import { REMEMBER_JOBS } from "../../../runtime/jobs/policies.ts";
import type { ExportInput, ExportProgress, ImportInput, ImportProgress } from "./transfer.ts";

declare module "../../../runtime/jobs/kinds.ts" {
  interface JobTypes {
    import: { input: ImportInput; checkpoint: ImportProgress };
    export: { input: ExportInput; checkpoint: ExportProgress };
  }
}

/** Kept as long as their events, which include the job's counts of rows and files. */
const TRANSFERS: JobPolicy = { ...REMEMBER_JOBS, queue: TRANSFER_QUEUE, keptMs: 30 * DAY_MS };

export const IMPORT_JOB = defineJob("import", TRANSFERS);

export const EXPORT_JOB = defineJob("export", { ...TRANSFERS, list: { name: "exports", by: "submission" } });
