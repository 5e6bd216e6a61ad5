import type * as z from "zod";
import { newBackup } from "../../shared/domain/operations/backups/make.ts";
import {
  type Backup,
  findLatest,
  insertBackup,
  listBackups as listRecords,
} from "../../shared/domain/operations/backups/records.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import { type PageRequest, pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { requireOperator } from "../../shared/runtime/access/operator.ts";
import { audit } from "../../shared/runtime/audit/audit.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { enqueueJob } from "../../shared/runtime/jobs/queue.ts";
import { insertJob } from "../../shared/runtime/jobs/records.ts";
import type * as schemas from "./schemas.ts";

/** Base64 turns this many bytes into less than the 6 MB that a function's response may have. */
const MAX_INLINE_BYTES = 4_000_000;
const LINK_SECONDS = 900;

function view(backup: Backup): z.input<typeof schemas.Backup> {
  const { archive, status, finished_at, error } = backup;
  return {
    ...backup,
    consistency: archive?.consistency ?? null,
    has_secrets: archive?.sealed ?? null,
    left_out: archive?.manifest.left_out ?? null,
    size_bytes: archive?.size_bytes ?? null,
    sha256: archive?.sha256 ?? null,
    error: error ?? null,
    completed_at: status === "completed" && finished_at !== undefined ? finished_at : null,
  };
}

/** Starts a backup of the whole deployment; responds before it is done. */
export async function createBackup(ctx: Context, request: Input<typeof schemas.CreateBackup>) {
  requireOperator(ctx.principal);
  const { backup, job } = newBackup(ctx, request, ctx.principal.id);
  const { components, include_logs } = backup;
  const entry = audit(ctx, {
    action: "admin.backup_requested",
    target: backup.id,
    details: { components, include_logs },
  });
  await ctx.ports.records.write(insertBackup(backup), insertJob(job), entry);
  await enqueueJob(ctx, job);
  return view(backup);
}

export async function listBackups(ctx: Context, page: PageRequest) {
  requireOperator(ctx.principal);
  const { items, total, hasNext } = await listRecords(ctx.ports.records, page);
  return { backups: items.map(view), pagination: pagination(page, total, hasNext) };
}

/** The latest completed archive: directly or, if it is too large, as a temporary link. */
export async function downloadLatest(ctx: Context): Promise<Response> {
  requireOperator(ctx.principal);
  const backup = await findLatest(ctx.ports.records);
  if (!backup?.archive) throw noBackup();
  const { blob, size_bytes, sha256 } = backup.archive;
  const file_name = blob.slice(blob.lastIndexOf("/") + 1);
  await ctx.ports.records.write(audit(ctx, { action: "admin.backup_downloaded", target: backup.id }));
  if (size_bytes > MAX_INLINE_BYTES) {
    const location = await ctx.ports.blobs.presign(blob, "get", LINK_SECONDS);
    const expires_at = timestamp(ctx.clock() + LINK_SECONDS * 1000);
    const body = { backup_id: backup.id, download_url: location, expires_at, file_name, size_bytes, sha256 };
    return Response.json(body, { status: 303, headers: { Location: location } });
  }
  const found = await ctx.ports.blobs.get(blob);
  if (!found) throw noBackup();
  const headers = {
    "Content-Type": found.contentType,
    "Content-Disposition": `attachment; filename="${file_name}"`,
    "Cache-Control": "no-store",
  };
  return new Response(new Uint8Array(found.bytes), { headers });
}

function noBackup(): ServiceError {
  return new ServiceError("BACKUP_NOT_FOUND", "There is no completed backup. Start one with POST /admin/backup.");
}
