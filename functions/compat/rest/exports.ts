import type * as z from "zod";
import { getEvent } from "../../../shared/compat/events.ts";
import { readFilters } from "../../../shared/compat/filters.ts";
import { invalid, notFound } from "../../../shared/kernel/errors.ts";
import type { Context } from "../../../shared/platform/context.ts";
import type { JsonObject } from "../../../shared/platform/ports.ts";
import { linksTo, readRows } from "../../../shared/transfers/files.ts";
import { findTransfer, listExports } from "../../../shared/transfers/records.ts";
import type { Export } from "../../../shared/transfers/transfer.ts";
import { runExport } from "../../../shared/transfers/work.ts";
import type * as schemas from "./schemas.ts";

type Input<Schema extends z.ZodType> = z.output<Schema>;
type Selection = Pick<
  Input<typeof schemas.CompatCreateExport>,
  "filters" | "user_id" | "agent_id" | "app_id" | "run_id"
>;

/** Exports looked through for one that was asked by the same filters. */
const LOOKED_THROUGH = 200;

export async function createExport(ctx: Context, body: Input<typeof schemas.CompatCreateExport>) {
  const asked = selectionOf(body);
  const { event } = await runExport(ctx, { filter: { where: readFilters(asked) }, asked: JSON.stringify(asked) });
  const message = "Memory export request received. The export will be ready in a few seconds.";
  return { message, id: event.id, event_id: event.id, status: statusOf(event.status) };
}

/** By its id, else the latest that was asked for by these filters. Throws EXPORT_NOT_FOUND. */
export async function getExport(ctx: Context, { memory_export_id, ...body }: Input<typeof schemas.CompatGetExport>) {
  const transfer =
    memory_export_id === undefined ? await findAsked(ctx, body) : await findExport(ctx, memory_export_id);
  const event = await getEvent(ctx, transfer.id);
  return {
    id: transfer.id,
    status: statusOf(event.status),
    count: transfer.written,
    memories: await readRows(ctx, transfer),
    files: (await linksTo(ctx, transfer))?.files,
    created_at: transfer.created_at,
  };
}

async function findExport(ctx: Context, id: string): Promise<Export> {
  const transfer = await findTransfer(ctx.ports.records, ctx.org, id);
  if (transfer?.what !== "export") throw notFound("export", id);
  return transfer;
}

async function findAsked(ctx: Context, body: Selection): Promise<Export> {
  const asked = JSON.stringify(selectionOf(body));
  if (asked === "{}") throw invalid({ field: "memory_export_id", problem: "give it, or the filters of the export" });
  const exports = await listExports(ctx.ports.records, ctx.org, LOOKED_THROUGH);
  const latest = exports.find((each) => each.asked === asked);
  if (!latest) throw notFound("export", asked);
  return latest;
}

/** What was asked for, in the same words however it was put: filters, and names beside them, in the order of their names. */
function selectionOf({ filters, user_id, agent_id, app_id, run_id }: Selection): JsonObject {
  const named = { ...filters, ...withoutAbsent({ user_id, agent_id, app_id, run_id }) } as JsonObject;
  return Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function withoutAbsent(named: { [name: string]: string | undefined }): JsonObject {
  return Object.fromEntries(Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function statusOf(status: "PENDING" | "RUNNING" | "COMPLETED" | "FAILED") {
  return status === "COMPLETED" ? ("SUCCEEDED" as const) : status;
}
