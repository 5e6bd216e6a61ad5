import * as z from "zod";
import { CLEANUP_OPERATIONS } from "../../shared/domain/operations/maintenance/plan.ts";
import { COMPONENTS } from "../../shared/ports/components.ts";
import { label, Pagination, page } from "../../shared/runtime/schemas/fields.ts";

const JOB_STATUSES = ["queued", "running", "completed", "failed", "superseded"] as const;
const JOB_TYPES = ["cleanup", "sync", "erase_organization", "erase_user", "scan_secrets"] as const;
const MAX_DAYS = 3650;

const count = z.int();
const moment = z.string();

export const Cleanup = z
  .object({
    operations: z.array(z.enum(CLEANUP_OPERATIONS)).min(1).max(CLEANUP_OPERATIONS.length),
    dry_run: z.boolean().default(false).describe("Dry run: only count what would be done"),
    older_than_days: z.int().min(1).max(MAX_DAYS).default(30).describe("Data written later is not changed"),
  })
  .meta({ id: "Cleanup" });

export const OperationResult = z.object({
  operation: z.enum(CLEANUP_OPERATIONS),
  items_processed: count.describe("Records, documents, blobs and lines that were deleted or repaired"),
  space_freed_mb: z.number(),
  status: z
    .enum(["completed", "partial", "skipped", "in_progress", "failed"])
    .describe(
      "`partial`: the content of some memories is lost; they are kept, and the log names them. " +
        "`skipped`: the platform does it, as the retention of the log groups does `old_logs` on AWS",
    ),
});

const CleanupReport = z.object({
  cleanup_summary: z.object({
    operations_performed: count,
    total_items_processed: count,
    space_freed_mb: z.number(),
    time_taken_ms: count,
  }),
  operation_results: z.array(OperationResult),
});

export const CleanupAnswer = CleanupReport.extend({
  job_id: z.string().optional().describe("For a running cleanup: GET /admin/jobs?job_id= returns its progress"),
}).meta({ id: "CleanupReport" });

export const Sync = z
  .object({
    components: z.array(z.enum(COMPONENTS)).min(1).max(COMPONENTS.length),
    full_sync: z
      .boolean()
      .default(false)
      .describe(
        "For memories, skills and search_index: embed everything again into a new index that then replaces the old one",
      ),
    force_sync: z.boolean().default(false).describe("Replace a running sync"),
  })
  .meta({ id: "Sync" });

export const SecretScan = z
  .object({ dry_run: z.boolean().default(false).describe("Dry run: only count what would be changed") })
  .meta({ id: "SecretScan" });

const ComponentReport = z.object({
  component: z.enum(COMPONENTS),
  checked: count.describe("Checked records, documents or blobs"),
  repaired: count.describe("Reconciled: indexed, resumed or restored"),
  removed: count.describe("Documents without a record"),
  failed: count.describe("Cannot be repaired because no copy exists; the log names them"),
});

export const ListJobs = z.object({
  job_id: label.optional().describe("Only the job with this id"),
  type: z.enum(JOB_TYPES).optional().describe("Kinds of the operator: cleanup, sync and erase_organization"),
  status: z.enum(JOB_STATUSES).optional(),
  ...page(50, 200),
});

export const Job = z
  .object({
    job_id: z.string(),
    type: z.enum(JOB_TYPES),
    status: z.enum(JOB_STATUSES),
    progress: z.object({
      passes: count.describe("Number of passes over the records, the index and the blobs"),
      passes_done: count,
      current_pass: z.string().nullable(),
    }),
    dry_run: z.boolean().optional().describe("Of a cleanup or a scan: whether it only counts"),
    report: CleanupReport.optional().describe("Of a cleanup: its counts so far"),
    full_sync: z.boolean().optional().describe("Of a sync: whether it embeds everything again"),
    components: z.array(ComponentReport).optional().describe("Of a sync: its counts so far"),
    secrets: z
      .object({
        checked: count.describe("Checked memories"),
        changed: count.describe("Memories that the policy changes"),
        found: z.record(z.string(), count).describe("Secrets of these memories by type"),
      })
      .optional()
      .describe("Of a scan for secrets: its counts so far"),
    user_id: z.string().optional().describe("Of the erasure of a user: the user"),
    organization_id: z.string().optional().describe("Of the erasure of an organization: the organization"),
    erased: count.optional().describe("Of an erasure: records erased so far"),
    error: z.string().nullable().describe("The last error"),
    submitted_at: moment,
    submitted_by: z.string(),
    started_at: moment.nullable(),
    finished_at: moment.nullable(),
    time_taken_ms: count,
  })
  .meta({ id: "MaintenanceJob" });

export const JobList = z.object({ jobs: z.array(Job), pagination: Pagination }).meta({ id: "MaintenanceJobList" });

export const QuarantinedWork = z
  .object({
    id: z.string(),
    queue: z.string().describe("The worker, such as `sync-connections` or `ingest-sources`"),
    work: z.record(z.string(), z.unknown()).describe("The ids of the affected resources"),
    started_at: moment,
    quarantined_at: moment,
  })
  .meta({ id: "QuarantinedWork" });

export const RunQuarantined = z.object({ id: label }).meta({ id: "RunQuarantined" });

export const Quarantine = z.object({ works: z.array(QuarantinedWork) }).meta({ id: "Quarantine" });
