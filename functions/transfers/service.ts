import type * as z from "zod";
import { type CompatEvent, getEvent as readEvent } from "../../shared/compat/events.ts";
import { listResults, readResults } from "../../shared/compat/results.ts";
import type { JobOf } from "../../shared/jobs/job.ts";
import { findJob } from "../../shared/jobs/records.ts";
import { notFound } from "../../shared/kernel/errors.ts";
import { type PageRequest, pagination } from "../../shared/kernel/pagination.ts";
import type { Context } from "../../shared/platform/context.ts";
import { runExport } from "../../shared/transfers/export.ts";
import { linksTo, readRows } from "../../shared/transfers/files.ts";
import { beginImport } from "../../shared/transfers/import.ts";
import { listFailures } from "../../shared/transfers/records.ts";
import type { Export } from "../../shared/transfers/transfer.ts";
import type * as schemas from "./schemas.ts";

type Input<Schema extends z.ZodType> = z.output<Schema>;

export async function importMemories(ctx: Context, { memories }: Input<typeof schemas.ImportMemories>) {
  const { id, input } = await beginImport(ctx, memories);
  return { event_id: id, status: "PENDING" as const, total: input.total };
}

/** Only who may see the event may see what became of its rows; there are none of an event of another kind. */
export async function listImportFailures(ctx: Context, event_id: string, page: PageRequest) {
  if (!(await findJob(ctx.ports.records, ctx.org, event_id, "import"))) throw notFound("import", event_id);
  const { failures, total, hasNext } = await listFailures(ctx.ports.records, ctx.org, event_id, page);
  return { event_id, failures, pagination: pagination(page, total, hasNext) };
}

export async function exportMemories(ctx: Context, { format, filters }: Input<typeof schemas.ExportMemories>) {
  const { event, job } = await runExport(ctx, { filter: filters });
  return {
    event_id: event.id,
    status: statusOf(event),
    format,
    count: job.checkpoint.written,
    memories: await readRows(ctx, job),
    ...(await describeFiles(ctx, job)),
  };
}

export async function getEvent(ctx: Context, id: string) {
  const event = await readEvent(ctx, id);
  const [job, results] = await Promise.all([
    findJob(ctx.ports.records, ctx.org, id, "import", "export"),
    listResults(ctx.ports.records, event),
  ]);
  const { type, resource, resource_id, progress, errors, left_out, created_at, updated_at, started_at, finished_at } =
    event;
  return {
    ...{ id, type, status: statusOf(event), resource, resource_id, progress, errors, left_out },
    ...{ created_at, updated_at, started_at, finished_at },
    results: results.map(await readResults(ctx, results)),
    ...(job && (await describe(ctx, job))),
  };
}

function statusOf({ status }: CompatEvent) {
  return status === "COMPLETED" ? ("completed" as const) : status;
}

async function describe(ctx: Context, job: JobOf<"import" | "export">) {
  const resource_id = job.id;
  if (job.kind === "export") return { resource_id, ...(await describeFiles(ctx, job)) };
  const { imported, skipped } = job.checkpoint;
  return { resource_id, imported, skipped };
}

async function describeFiles(ctx: Context, job: Export) {
  const linked = await linksTo(ctx, job);
  const [file, ...others] = linked?.files ?? [];
  return { ...linked, ...(file && others.length === 0 && { download_url: file.download_url }) };
}
