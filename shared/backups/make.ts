import packageJson from "../../package.json" with { type: "json" };
import { timestamp } from "../kernel/clock.ts";
import type { Home } from "../platform/context.ts";
import type { RecordSnapshot } from "../platform/ports.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import { archiveKey, dropArchives } from "./archives.ts";
import { collectEntries } from "./entries.ts";
import { ARCHIVE_FORMAT, ARCHIVE_MARK, type ArchiveManifest } from "./format.ts";
import { ArchiveKeys } from "./keys.ts";
import { announceBackup } from "./queue.ts";
import { type Backup, type BackupArchive, findBackup, isUnfinished, renewLease, replaceBackup } from "./records.ts";
import { findBackupKey } from "./secrets.ts";
import { archiveText, gzipped, Measured } from "./write-archive.ts";

const MAX_ATTEMPTS = 3;
const LEASE_MS = 90_000;
/** How often progress is told, which renews the lease. */
const BEAT_MS = 2_000;
const RETRY_SECONDS = 30;
/** The backend takes minutes for a snapshot. */
const SNAPSHOT_POLL_SECONDS = 120;
const PACKED = "application/gzip";
const PLAIN = "application/octet-stream";

const DAY_MS = 86_400_000;

/**
 * Makes a backup that was asked for. Called again, also by another worker at once, it does nothing unless whoever was at
 * it has stopped: then it begins anew. Only a whole archive that its record names counts.
 */
export async function makeBackup(home: Home, id: string): Promise<void> {
  const found = await findBackup(home.ports.records, id);
  if (!found || !isUnfinished(found)) return;
  const now = home.clock();
  if (found.status === "running" && (found.lease_until ?? 0) > now) return;
  if (found.attempts >= MAX_ATTEMPTS) {
    if (await giveUp(home, found, found.error ?? "It stopped without an error.")) await dropAttempts(home, found);
    return;
  }
  const begun = await begin(home, found);
  if (!begun) return;
  try {
    // Not before it is ours: until then whoever was at it may still complete it.
    await dropAttempts(home, found);
    const snapshot = await home.ports.inventory.requestSnapshot(snapshotId(begun, begun.attempts));
    if (!snapshot) return await waitForSnapshot(home, begun);
    const archive = await writeArchive(home, begun, snapshot);
    await home.ports.inventory.discardSnapshot(snapshotId(begun, begun.attempts));
    await complete(home, begun, archive);
  } catch (error) {
    home.logger.error("BACKUP_FAILED", { backup: id, attempt: begun.attempts, error });
    await afterFailure(home, begun, error);
  }
}

/** Undefined where another worker began it first. */
async function begin(home: Home, found: Backup): Promise<Backup | undefined> {
  const now = home.clock();
  const { backup, write } = replaceBackup(found, {
    status: "running",
    attempts: found.attempts + 1,
    started_at: timestamp(now),
    lease_until: now + LEASE_MS,
    progress: { records: 0, blobs: 0, bytes: 0 },
  });
  return (await writeUnlessChanged(home, write)) ? backup : undefined;
}

/** Each attempt has a snapshot of its own: one that failed is never asked for again. */
function snapshotId({ id }: Backup, attempt: number): string {
  return `${id}-${attempt}`;
}

/** What earlier attempts left: archives, and what the backend made for their snapshots. */
async function dropAttempts(home: Home, backup: Backup): Promise<void> {
  await dropArchives(home, backup);
  for (let attempt = 1; attempt <= backup.attempts; attempt++) {
    await home.ports.inventory.discardSnapshot(snapshotId(backup, attempt));
  }
}

/** Looks again later, and counts no attempt for it. */
async function waitForSnapshot(home: Home, begun: Backup): Promise<void> {
  const { write } = replaceBackup(begun, {
    status: "queued",
    attempts: begun.attempts - 1,
    lease_until: undefined,
    queued_at: timestamp(home.clock()),
  });
  if (await writeUnlessChanged(home, write)) await announceBackup(home, begun.id, SNAPSHOT_POLL_SECONDS);
}

async function writeArchive(home: Home, backup: Backup, snapshot: RecordSnapshot): Promise<BackupArchive> {
  const { ports, clock } = home;
  const { id, components, include_logs, created_at, compression_enabled } = backup;
  const secret = await findBackupKey(home);
  const { keys, sealing } = secret === undefined ? {} : await ArchiveKeys.make(secret, id);
  const { consistency, pages } = snapshot;
  const counts = { records: 0, blobs: 0, left_out: 0 };
  let manifest: ArchiveManifest | undefined;
  const measured = new Measured();
  let told = clock();
  const tell = async () => {
    if (clock() - told < BEAT_MS) return;
    told = clock();
    const progress = { ...progressOf(counts), bytes: measured.bytes };
    await ports.records.write(renewLease(backup, told + LEASE_MS, progress));
  };
  const text = archiveText({
    header: {
      archive: ARCHIVE_MARK,
      format: ARCHIVE_FORMAT,
      service: packageJson.version,
      id,
      created_at,
      components: [...components, ...(include_logs ? (["logs"] as const) : [])],
      consistency,
      ...(sealing && { sealing }),
    },
    entries: collectEntries({ home, backup, pages, keys, counts, onStep: tell }),
    counts,
    keys,
    now: () => timestamp(clock()),
    onManifest: (made) => {
      manifest = made;
    },
  });
  const blob = archiveKey(backup, backup.attempts);
  const parts = measured.through(compression_enabled ? gzipped(text) : text);
  await ports.blobs.write(blob, { parts, contentType: compression_enabled ? PACKED : PLAIN });
  if (!manifest) throw new Error("an archive ended without its manifest");
  const { bytes: size_bytes } = measured;
  return { blob, size_bytes, sha256: measured.sha256(), consistency, sealed: keys !== undefined, manifest };
}

function progressOf({ records, blobs }: { records: number; blobs: number }) {
  return { records, blobs };
}

async function complete({ ports, clock, logger }: Home, begun: Backup, archive: BackupArchive): Promise<void> {
  const now = clock();
  const { write } = replaceBackup(begun, {
    status: "completed",
    finished_at: timestamp(now),
    expires_at: timestamp(now + begun.retention_days * DAY_MS),
    lease_until: undefined,
    error: undefined,
    progress: { ...progressOf(archive.manifest), bytes: archive.size_bytes },
    archive,
  });
  await ports.records.write(write);
  logger.info("BACKUP_COMPLETED", { backup: begun.id, bytes: archive.size_bytes, records: archive.manifest.records });
}

/** Lets it be tried again, or gives up; whoever took it over in the meantime goes on undisturbed. */
async function afterFailure(home: Home, begun: Backup, error: unknown): Promise<void> {
  const { ports, clock } = home;
  const reason = error instanceof Error ? error.message : String(error);
  if (begun.attempts >= MAX_ATTEMPTS) {
    await giveUp(home, begun, reason);
  } else {
    const change = { status: "queued" as const, lease_until: undefined, error: reason, queued_at: timestamp(clock()) };
    const { write } = replaceBackup(begun, change);
    if (await writeUnlessChanged(home, write)) await announceBackup(home, begun.id, RETRY_SECONDS);
  }
  // Of the failures one is that it was completed and the answer to that write was lost.
  const own = archiveKey(begun, begun.attempts);
  const now = await findBackup(ports.records, begun.id);
  if (now?.archive?.blob !== own) await ports.blobs.delete(own);
}

/** False where the backup is not as it was read any more. */
async function giveUp(home: Home, backup: Backup, error: string): Promise<boolean> {
  const now = home.clock();
  const finished_at = timestamp(now);
  const expires_at = timestamp(now + backup.retention_days * DAY_MS);
  const { write } = replaceBackup(backup, { status: "failed", finished_at, expires_at, lease_until: undefined, error });
  return writeUnlessChanged(home, write);
}
