import packageJson from "../../package.json" with { type: "json" };
import { timestamp } from "../kernel/clock.ts";
import type { Home } from "../platform/context.ts";
import { ConditionFailed } from "../platform/errors.ts";
import { collectEntries } from "./entries.ts";
import { ARCHIVE_FORMAT, ARCHIVE_MARK, type ArchiveManifest } from "./format.ts";
import { ArchiveKeys } from "./keys.ts";
import { announceBackup } from "./queue.ts";
import {
  ARCHIVE_PREFIX,
  type Backup,
  type BackupArchive,
  findBackup,
  isUnfinished,
  renewLease,
  replaceBackup,
} from "./records.ts";
import { findBackupKey } from "./secrets.ts";
import { archiveText, gzipped, Measured } from "./write-archive.ts";

const MAX_ATTEMPTS = 3;
const LEASE_MS = 90_000;
/** How often progress is told, which renews the lease. */
const BEAT_MS = 2_000;
const RETRY_SECONDS = 30;
const PACKED = "application/gzip";
const PLAIN = "application/octet-stream";

const DAY_MS = 86_400_000;

/** Key of an attempt's archive. */
function archiveKey({ id, compression_enabled }: Backup, attempt: number): string {
  return `${ARCHIVE_PREFIX}${id}-${attempt}.jsonl${compression_enabled ? ".gz" : ""}`;
}

/**
 * Makes a backup that was asked for. Called again, also by another worker at once, it does nothing unless whoever was at
 * it has stopped: then it begins anew. Only a whole archive that its record names counts.
 */
export async function makeBackup(home: Home, id: string): Promise<void> {
  const found = await findBackup(home.ports.records, id);
  if (!found || !isUnfinished(found)) return;
  const now = home.clock();
  if (found.status === "running" && (found.lease_until ?? 0) > now) return;
  await dropArchives(home, found);
  if (found.attempts >= MAX_ATTEMPTS) return giveUp(home, found, found.error ?? "It stopped without an error.");
  const begun = await begin(home, found);
  if (!begun) return;
  try {
    const archive = await writeArchive(home, begun);
    await complete(home, begun, archive);
  } catch (error) {
    home.logger.error("BACKUP_FAILED", { backup: id, attempt: begun.attempts, error });
    await afterFailure(home, begun, error);
  }
}

/** What attempts left that stopped before they told of it. */
async function dropArchives({ ports }: Home, backup: Backup): Promise<void> {
  for (let attempt = 1; attempt <= backup.attempts; attempt++) await ports.blobs.delete(archiveKey(backup, attempt));
}

/** Undefined where another worker began it first. */
async function begin({ ports, clock }: Home, found: Backup): Promise<Backup | undefined> {
  const { backup, write } = replaceBackup(found, {
    status: "running",
    attempts: found.attempts + 1,
    started_at: timestamp(clock()),
    lease_until: clock() + LEASE_MS,
    progress: { records: 0, blobs: 0, bytes: 0 },
  });
  try {
    await ports.records.write(write);
    return backup;
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}

async function writeArchive(home: Home, backup: Backup): Promise<BackupArchive> {
  const { ports, clock } = home;
  const { id, components, include_logs, created_at, compression_enabled } = backup;
  const secret = await findBackupKey(home);
  const { keys, sealing } = secret === undefined ? {} : await ArchiveKeys.make(secret, id);
  const { consistency, pages } = ports.inventory.snapshot();
  const counts = { records: 0, blobs: 0, left_out: 0 };
  let manifest: ArchiveManifest | undefined;
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
    entries: collectEntries({ home, backup, pages, keys, counts }),
    counts,
    keys,
    now: () => timestamp(clock()),
    onManifest: (made) => {
      manifest = made;
    },
  });
  let told = clock();
  const measured = new Measured(async (bytes) => {
    if (clock() - told < BEAT_MS) return;
    told = clock();
    await ports.records.write(renewLease(backup, told + LEASE_MS, { ...progressOf(counts), bytes }));
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
  await ports.blobs.delete(archiveKey(begun, begun.attempts));
  if (begun.attempts >= MAX_ATTEMPTS) return giveUp(home, begun, reason);
  const { backup, write } = replaceBackup(begun, {
    status: "queued",
    lease_until: undefined,
    error: reason,
    queued_at: timestamp(clock()),
  });
  if (await written(home, write)) await announceBackup(home, backup.id, RETRY_SECONDS);
}

async function giveUp(home: Home, backup: Backup, error: string): Promise<void> {
  const now = home.clock();
  const finished_at = timestamp(now);
  const expires_at = timestamp(now + backup.retention_days * DAY_MS);
  const { write } = replaceBackup(backup, { status: "failed", finished_at, expires_at, lease_until: undefined, error });
  await written(home, write);
}

/** False where the backup is not as it was read any more. */
async function written({ ports }: Home, write: Parameters<Home["ports"]["records"]["write"]>[0]): Promise<boolean> {
  try {
    await ports.records.write(write);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
