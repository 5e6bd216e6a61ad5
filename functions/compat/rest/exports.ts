import { getEvent } from "../../../shared/domain/integration/compat/events.ts";
import { about, allOf, readFilters } from "../../../shared/domain/integration/compat/filters.ts";
import { runExport } from "../../../shared/domain/integration/transfers/export.ts";
import { downloadLinksOf, readRows } from "../../../shared/domain/integration/transfers/files.ts";
import { EXPORT_JOB } from "../../../shared/domain/integration/transfers/job-kinds.ts";
import type { Export } from "../../../shared/domain/integration/transfers/transfer.ts";
import { sha256 } from "../../../shared/kernel/digest.ts";
import { existing, invalid } from "../../../shared/kernel/errors.ts";
import type { Input } from "../../../shared/kernel/schema-input.ts";
import type { SearchExpression } from "../../../shared/ports/search-index.ts";
import type { Context } from "../../../shared/runtime/context.ts";
import { findJob, listJobs } from "../../../shared/runtime/jobs/records.ts";
import { requireId } from "../common/ids.ts";
import type * as schemas from "./schemas.ts";

type Selection = Pick<
  Input<typeof schemas.CompatCreateExport>,
  "filters" | "user_id" | "agent_id" | "app_id" | "run_id"
>;

/** Maximum number of exports that are compared with the requested filters. */
const MAX_SEARCHED = 200;

export async function createExport(ctx: Context, body: Input<typeof schemas.CompatCreateExport>) {
  const where = selectionOf(body);
  const { event } = await runExport(ctx, { filter: { where }, asked: fingerprintOf(where) });
  const message = "Memory export request received. The export will be ready in a few seconds.";
  return { message, id: event.id, event_id: event.id, status: statusOf(event.status) };
}

/** Returns an export by its id, or without an id the latest export with these filters. Throws EXPORT_NOT_FOUND. */
export async function getExport(ctx: Context, { memory_export_id, ...body }: Input<typeof schemas.CompatGetExport>) {
  const job =
    typeof memory_export_id === "string" ? await findExport(ctx, memory_export_id) : await findByFilters(ctx, body);
  const event = await getEvent(ctx, job.id);
  return {
    id: job.id,
    status: statusOf(event.status),
    count: job.checkpoint.written,
    memories: await readRows(ctx, job),
    files: (await downloadLinksOf(ctx, job))?.files,
    created_at: event.created_at,
  };
}

async function findExport(ctx: Context, id: string): Promise<Export> {
  return existing(await findJob(ctx.ports.records, ctx.org, requireId("export", id), EXPORT_JOB), "export", id);
}

async function findByFilters(ctx: Context, body: Selection): Promise<Export> {
  const where = selectionOf(body);
  if (where.all.length === 0)
    throw invalid({ field: "memory_export_id", problem: "is required unless the filters of the export are sent" });
  const asked = fingerprintOf(where);
  const page = { limit: MAX_SEARCHED, offset: 0 };
  const { jobs } = await listJobs(ctx.ports.records, ctx.org, [EXPORT_JOB], {}, page);
  const latest = jobs.find(({ input }) => input.asked === asked);
  return existing(latest, "export", JSON.stringify(body));
}

/** Returns the conjunction of the filters and the other fields, which are ids. Throws INVALID_FILTERS. */
function selectionOf({ filters, ...ids }: Selection): { all: SearchExpression[] } {
  return allOf([about(ids), readFilters(filters)]);
}

/** Returns the same fingerprint for equal selections, regardless of case, order and position of their filters. */
function fingerprintOf({ all }: { all: SearchExpression[] }): string {
  const parts = all.map((part) => JSON.stringify(part)).sort();
  return sha256(JSON.stringify(parts));
}

function statusOf(status: "PENDING" | "RUNNING" | "COMPLETED" | "FAILED") {
  return status === "COMPLETED" ? ("SUCCEEDED" as const) : status;
}
