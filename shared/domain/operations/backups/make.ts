import { timestamp } from "../../../kernel/clock.ts";
import { DAY_MS } from "../../../kernel/durations.ts";
import { ConditionFailedError } from "../../../ports/errors.ts";
import { RELEASE } from "../../../ports/formats.ts";
import type { RecordSnapshot } from "../../../ports/record-inventory.ts";
import { OPERATOR_ORG } from "../../../runtime/access/operator.ts";
import type { Context, OrgRuntime } from "../../../runtime/context.ts";
import type { JobHandler, JobTurn } from "../../../runtime/jobs/handler.ts";
import { describeError, type Job, newJob } from "../../../runtime/jobs/job.ts";
import { archiveKey, dropArchives } from "./archives.ts";
import { collectEntries } from "./entries.ts";
import { ARCHIVE_FORMAT, ARCHIVE_MARK, type ArchiveManifest } from "./format.ts";
import { BACKUP_JOB } from "./job-kinds.ts";
import { ArchiveKeys } from "./keys.ts";
import { type Backup, type BackupArchive, endBackup, findBackup, NO_PROGRESS } from "./records.ts";
import { findBackupKey } from "./secrets.ts";
import { archiveText, gzipped, Measured } from "./write-archive.ts";

/** How often progress is stored, which renews the lease. */
const RENEWAL_MS = 2_000;
/** How often a snapshot is checked, which takes the backend minutes. */
const SNAPSHOT_POLL_MS = 120_000;
const GZIP_TYPE = "application/gzip";
const BINARY_TYPE = "application/octet-stream";

/** Returns a new backup and its job. */
export function newBackup(
  { ids, clock }: Pick<Context, "ids" | "clock">,
  options: Pick<Backup, "components" | "include_logs" | "compression_enabled" | "retention_days">,
  created_by: string,
): { backup: Backup; job: Job<"backup"> } {
  const now = clock();
  const id = ids("backup");
  const job = newJob({ ids, clock, org: OPERATOR_ORG }, BACKUP_JOB, {
    id,
    input: {},
    checkpoint: NO_PROGRESS,
    submitted_by: created_by,
  });
  const backup: Backup = {
    id,
    status: "queued",
    ...options,
    components: [...new Set(options.components)],
    progress: NO_PROGRESS,
    created_at: timestamp(now),
    created_by,
    expires_at: timestamp(now + options.retention_days * DAY_MS),
  };
  return { backup, job };
}

/** Creates a backup; each attempt starts again. Only a complete archive named by its record counts. */
export const backupHandler: JobHandler<"backup"> = {
  job: BACKUP_JOB,

  async step(runtime, turn) {
    const backup = await findBackup(runtime.ports.records, turn.job.id);
    if (!backup) return { end: "cancelled" };
    const { inventory, blobs: store } = runtime.ports;
    const blob = archiveKey(backup, turn.job.revision);
    const snapshot = turn.job.checkpoint.snapshot ?? `${backup.id}-${turn.job.revision}`;
    await dropArchives(runtime, backup.id);
    try {
      const records = await inventory.requestSnapshot(snapshot);
      if (!records) return { checkpoint: { ...NO_PROGRESS, snapshot }, delayMs: SNAPSHOT_POLL_MS };
      const archive = await writeArchive(runtime, backup, turn, { blob, records });
      // A worker that lost its lease deletes its own archive.
      await turn.renew();
      await inventory.discardSnapshot(snapshot);
      const { size_bytes: bytes, manifest } = archive;
      const progress = { records: manifest.records, blobs: manifest.blobs, bytes };
      const { error: _, ...before } = backup;
      const after: Backup = { ...before, ...endedNow(runtime, backup), status: "completed", progress, archive };
      return { end: "completed", checkpoint: progress, writes: [endBackup(after)] };
    } catch (error) {
      await store.delete(blob);
      // Refused if another worker took over, which then owns the snapshot. A failed snapshot is not requested again.
      await turn.note({ checkpoint: NO_PROGRESS });
      await inventory.discardSnapshot(snapshot);
      throw error;
    }
  },

  async onFailed(runtime, { id }, error) {
    const backup = await findBackup(runtime.ports.records, id);
    if (!backup) return {};
    const after: Backup = { ...backup, ...endedNow(runtime, backup), status: "failed", error: describeError(error) };
    return { writes: [endBackup(after)] };
  },

  /** Whether the backup was deleted meanwhile. */
  isMoot: (error) => error instanceof ConditionFailedError,

  async onEnded(runtime, { id, state }) {
    const backup = await findBackup(runtime.ports.records, id);
    await dropArchives(runtime, id, backup?.archive?.blob);
    runtime.logger.info("BACKUP_ENDED", { backup: id, state, bytes: backup?.archive?.size_bytes });
  },
};

function endedNow({ clock }: OrgRuntime, { retention_days }: Backup): Pick<Backup, "finished_at" | "expires_at"> {
  const now = clock();
  return { finished_at: timestamp(now), expires_at: timestamp(now + retention_days * DAY_MS) };
}

async function writeArchive(
  runtime: OrgRuntime,
  backup: Backup,
  turn: JobTurn<"backup">,
  { blob, records: { consistency, pages } }: { blob: string; records: RecordSnapshot },
): Promise<BackupArchive> {
  const { ports, clock } = runtime;
  const { id, components, include_logs, created_at, compression_enabled } = backup;
  const secret = await findBackupKey(runtime);
  const { keys, sealing } = secret === undefined ? {} : await ArchiveKeys.make(secret, id);
  const counts = { records: 0, blobs: 0, left_out: 0 };
  let manifest: ArchiveManifest | undefined;
  const measured = new Measured();
  let renewedAt = clock();
  const reportProgress = async () => {
    if (clock() - renewedAt < RENEWAL_MS) return;
    renewedAt = clock();
    const { records, blobs } = counts;
    await turn.note({ checkpoint: { ...turn.job.checkpoint, records, blobs, bytes: measured.bytes } });
  };
  const text = archiveText({
    header: {
      archive: ARCHIVE_MARK,
      format: ARCHIVE_FORMAT,
      service: RELEASE,
      id,
      created_at,
      components: [...components, ...(include_logs ? (["logs"] as const) : [])],
      consistency,
      ...(sealing && { sealing }),
    },
    entries: collectEntries({ runtime, backup, pages, keys, counts, onStep: reportProgress }),
    counts,
    keys,
    now: () => timestamp(clock()),
    onManifest: (made) => {
      manifest = made;
    },
  });
  const parts = measured.through(compression_enabled ? gzipped(text) : text);
  await ports.blobs.write(blob, { parts, contentType: compression_enabled ? GZIP_TYPE : BINARY_TYPE });
  if (!manifest) throw new Error("an archive ended without its manifest");
  const { bytes: size_bytes } = measured;
  return { blob, size_bytes, sha256: measured.sha256(), consistency, sealed: keys !== undefined, manifest };
}
