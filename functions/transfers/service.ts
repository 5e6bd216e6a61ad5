import { type CompatEvent, getEvent as readEvent } from "../../shared/domain/integration/compat/events.ts";
import { listResults, readResults } from "../../shared/domain/integration/compat/results.ts";
import { runExport } from "../../shared/domain/integration/transfers/export.ts";
import { downloadLinksOf, readRows } from "../../shared/domain/integration/transfers/files.ts";
import {
  beginFileImport,
  beginImport,
  beginLinkedImport,
  requestLink,
} from "../../shared/domain/integration/transfers/import.ts";
import { EXPORT_JOB, IMPORT_JOB } from "../../shared/domain/integration/transfers/job-kinds.ts";
import { listFailures, listSkipped } from "../../shared/domain/integration/transfers/records.ts";
import { type Export, type Import, totalOf } from "../../shared/domain/integration/transfers/transfer.ts";
import { MAX_LINKED_BYTES, UPLOAD_LINK_SECONDS } from "../../shared/domain/knowledge/sources/uploads.ts";
import { notFound } from "../../shared/kernel/errors.ts";
import { couldBeIssued } from "../../shared/kernel/ids.ts";
import { type PageRequest, pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type { UploadedFile } from "../../shared/runtime/http/multipart.ts";
import type { JobOf } from "../../shared/runtime/jobs/job.ts";
import { findJob } from "../../shared/runtime/jobs/records.ts";
import type * as schemas from "./schemas.ts";

/** Maximum skipped rows in the event itself. */
const NAMED_SKIPPED = 100;

export async function importMemories(ctx: Context, { memories }: Input<typeof schemas.ImportMemories>) {
  return present(await beginImport(ctx, memories));
}

export async function importFile(ctx: Context, file: Input<typeof schemas.ImportFile>, { bytes, name }: UploadedFile) {
  // Nothing in the text of notes tells them from CSV.
  const isNotes = file.format === undefined && /\.(?:md|markdown)$/i.test(name);
  return present(await beginFileImport(ctx, bytes, isNotes ? { ...file, format: "markdown" } : file));
}

export async function requestImportLink(ctx: Context) {
  const { id, url } = await requestLink(ctx);
  return {
    event_id: id,
    upload_url: url,
    method: "PUT" as const,
    expires_in: UPLOAD_LINK_SECONDS,
    max_bytes: MAX_LINKED_BYTES,
    complete_path: `/imports/${id}/complete`,
  };
}

export async function completeImport(ctx: Context, id: string, file: Input<typeof schemas.CompleteImport>) {
  if (!couldBeIssued("event", id)) throw notFound("import", id);
  return present(await beginLinkedImport(ctx, id, file));
}

function present({ id, input, checkpoint }: Import) {
  return { event_id: id, status: "PENDING" as const, total: totalOf(input, checkpoint) };
}

/** Only a caller who can see the event can see its rejected and skipped rows; events of other kinds have none. */
async function requireImport({ ports, org }: Context, id: string): Promise<void> {
  if (!(await findJob(ports.records, org, id, IMPORT_JOB))) throw notFound("import", id);
}

export async function listImportFailures(ctx: Context, event_id: string, page: PageRequest) {
  await requireImport(ctx, event_id);
  const { items: failures, total, hasNext } = await listFailures(ctx.ports.records, ctx.org, event_id, page);
  return { event_id, failures, pagination: pagination(page, total, hasNext) };
}

export async function listSkippedRows(ctx: Context, event_id: string, page: PageRequest) {
  await requireImport(ctx, event_id);
  const { items: skipped, total, hasNext } = await listSkipped(ctx.ports.records, ctx.org, event_id, page);
  return { event_id, skipped, pagination: pagination(page, total, hasNext) };
}

export async function exportMemories(ctx: Context, { format, filters }: Input<typeof schemas.ExportMemories>) {
  const { event, job } = await runExport(ctx, { filter: filters, format });
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
    findJob(ctx.ports.records, ctx.org, id, IMPORT_JOB, EXPORT_JOB),
    listResults(ctx.ports.records, event),
  ]);
  return {
    ...event,
    status: statusOf(event),
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
  if (skipped === 0) return { resource_id, imported, skipped };
  // Clients poll the event, which has the number of skipped rows.
  const count = async () => skipped;
  const first = await listSkipped(ctx.ports.records, ctx.org, job.id, { limit: NAMED_SKIPPED, offset: 0 }, count);
  return { resource_id, imported, skipped, skipped_rows: first.items };
}

async function describeFiles(ctx: Context, job: Export) {
  const linked = await downloadLinksOf(ctx, job);
  const [file, ...others] = linked?.files ?? [];
  return { ...linked, ...(file && others.length === 0 && { download_url: file.download_url }) };
}
