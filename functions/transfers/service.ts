import type * as z from "zod";
import { type CompatEvent, getEvent as readEvent } from "../../shared/compat/events.ts";
import { listResults, readResults } from "../../shared/compat/results.ts";
import { notFound } from "../../shared/kernel/errors.ts";
import { type PageRequest, pagination } from "../../shared/kernel/pagination.ts";
import type { Context } from "../../shared/platform/context.ts";
import { linksTo, readRows } from "../../shared/transfers/files.ts";
import { beginImport } from "../../shared/transfers/import.ts";
import { findTransfer, listFailures } from "../../shared/transfers/records.ts";
import type { Export, Import } from "../../shared/transfers/transfer.ts";
import { progressOf, runExport } from "../../shared/transfers/work.ts";
import type * as schemas from "./schemas.ts";

type Input<Schema extends z.ZodType> = z.output<Schema>;

export async function importMemories(ctx: Context, { memories }: Input<typeof schemas.ImportMemories>) {
  const { id, total } = await beginImport(ctx, memories);
  return { event_id: id, status: "PENDING" as const, total };
}

/** Only who may see the event may see what became of its rows; there are none of an event of another kind. */
export async function listImportFailures(ctx: Context, event_id: string, page: PageRequest) {
  const transfer = await findTransfer(ctx.ports.records, ctx.org, event_id);
  if (transfer?.what !== "import") throw notFound("import", event_id);
  const { failures, total, hasNext } = await listFailures(ctx.ports.records, ctx.org, event_id, page);
  return { event_id, failures, pagination: pagination(page, total, hasNext) };
}

export async function exportMemories(ctx: Context, { format, filters }: Input<typeof schemas.ExportMemories>) {
  const { event, transfer } = await runExport(ctx, { filter: filters });
  return {
    event_id: event.id,
    status: statusOf(event),
    format,
    count: transfer.written,
    memories: await readRows(ctx, transfer),
    ...(await describeFiles(ctx, transfer)),
  };
}

export async function getEvent(ctx: Context, id: string) {
  const event = await readEvent(ctx, id);
  const [transfer, results] = await Promise.all([
    findTransfer(ctx.ports.records, ctx.org, id),
    listResults(ctx.ports.records, event),
  ]);
  const { org: _org, by: _by, revision: _revision, attempts: _attempts, result_pages: _pages, ...told } = event;
  return {
    ...told,
    status: statusOf(event),
    results: results.map(await readResults(ctx, results)),
    ...(transfer && (await describe(ctx, transfer))),
  };
}

function statusOf({ status }: CompatEvent) {
  return status === "COMPLETED" ? ("completed" as const) : status;
}

async function describe(ctx: Context, transfer: Import | Export) {
  const common = { resource_id: transfer.id, progress: progressOf(transfer) };
  if (transfer.what === "export") return { ...common, ...(await describeFiles(ctx, transfer)) };
  const { imported, skipped } = transfer;
  return { ...common, imported, skipped };
}

async function describeFiles(ctx: Context, transfer: Export) {
  const linked = await linksTo(ctx, transfer);
  const [file, ...others] = linked?.files ?? [];
  return { ...linked, ...(file && others.length === 0 && { download_url: file.download_url }) };
}
