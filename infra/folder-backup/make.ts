import { randomUUID } from "node:crypto";
import { existsSync, realpathSync, statSync } from "node:fs";
import { rm, stat, statfs } from "node:fs/promises";
import path from "node:path";
import { backup as copyDatabase, DatabaseSync } from "node:sqlite";
import packageJson from "../../package.json" with { type: "json" };
import { blobPathOf, isAbsent } from "../../shared/adapters/local/blobs.ts";
import { ownerLockOf } from "../../shared/adapters/local/platform.ts";
import { BLOBS_FOLDER, RECORDS_FILE, SECRETS_FILE } from "../../shared/adapters/local/storage/data-files.ts";
import { makePrivateFile, makePrivateFolder } from "../../shared/adapters/local/storage/private-files.ts";
import { ArchiveKeys } from "../../shared/domain/operations/backups/keys.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { inBatches, inParallel } from "../../shared/kernel/parallel.ts";
import { copyNew, flushFolders, secureFile, sumOf, writeNew } from "./copy-file.ts";
import { filesOf } from "./data-files.ts";
import { blobsNamedIn, readDatabase, statsOf } from "./databases.ts";
import {
  DATA_FOLDER,
  type FileEntry,
  FOLDER_FORMAT,
  FOLDER_MARK,
  FolderBackupError,
  type FolderHeader,
  HEADER_FILE,
  LIST_FILE,
  macText,
  SEALED_FILE,
  SECRETS_PART,
} from "./format.ts";
import { fillNewFolder, withOwnerLock } from "./new-folder.ts";
import { type Snapshot, takeSnapshot } from "./snapshot.ts";
import { verifyFolderBackup } from "./verify.ts";

/** Name part of an unfinished folder. */
const UNFINISHED_MARK = ".backing-up-";
const PAGES_PER_STEP = 1_000;
const CONCURRENCY = 4;
const BATCH_SIZE = 1_000;
/** Maximum number of snapshots if blobs are deleted before they are copied. */
const MAX_SNAPSHOTS = 5;

export interface FolderBackupRequest {
  dataDir: string;
  target: string;
  /** Encrypts the secrets; without it they are stored in plain text. */
  key: string | undefined;
}

export interface FolderBackupReport {
  header: FolderHeader;
  /** How long writers of records waited, over all snapshots. */
  pausedMs: number;
}

/** A copy of a data folder in progress. */
interface Copy {
  source: string;
  folder: string;
  /** Copied files by relative path. */
  files: Map<string, FileEntry & { version?: string }>;
}

/**
 * Backs up a data folder, also while a service uses it, into a new folder, and verifies the result. Throws
 * FolderBackupError and then leaves nothing behind.
 */
export async function makeFolderBackup(request: FolderBackupRequest): Promise<FolderBackupReport> {
  const source = requireSource(request);
  return fillNewFolder(path.resolve(request.target), UNFINISHED_MARK, async (folder) => {
    const report = await withOwnerLock(folder, async () => {
      await requireFreeSpace(source, folder);
      const filled = await fill(source, folder, request.key);
      await verifyFolderBackup(folder, { key: request.key, service: packageJson.version });
      return filled;
    });
    await rm(ownerLockOf(folder));
    return report;
  });
}

async function fill(source: string, folder: string, key: string | undefined): Promise<FolderBackupReport> {
  const id = `bak_${randomUUID()}`;
  const { keys, sealing } = key === undefined ? {} : await ArchiveKeys.make(key, id);
  const copy: Copy = { source, folder: path.join(folder, DATA_FOLDER), files: new Map() };
  makePrivateFolder(copy.folder);
  // The first copy may take long; the one before the snapshot is then short.
  await copyWriteOnce(copy);
  const { snapshot, missing, pausedMs } = await copySnapshot(copy);
  const secrets = snapshot.state.get(SECRETS_FILE);
  if (secrets && keys) snapshot.state.delete(SECRETS_FILE);
  for (const [file, bytes] of snapshot.state) await addFile(copy, file, writeNew(inside(copy, file), [bytes]));
  const sealed = secrets && keys && Buffer.from(keys.seal(SECRETS_PART, secrets.toString()));
  const sealedSum = sealed && (await writeNew(path.join(folder, SEALED_FILE), [sealed]));
  const entries = [...copy.files.values()].map(({ version: _, ...entry }) => entry);
  const list = await writeNew(path.join(folder, LIST_FILE), linesOf(entries));
  const header: FolderHeader = {
    backup: FOLDER_MARK,
    format: FOLDER_FORMAT,
    service: packageJson.version,
    id,
    created_at: timestamp(snapshot.at),
    secrets: secretsState(secrets, keys),
    ...(sealing && { sealing }),
    ...(sealedSum && { sealed_sha256: sealedSum.sha256 }),
    files: entries.length,
    bytes: entries.reduce((sum, { size }) => sum + size, 0),
    files_sha256: list.sha256,
    missing_blobs: missing,
  };
  const authenticated = { ...header, ...(keys && { mac: keys.mac(macText(header)) }) };
  await writeNew(path.join(folder, HEADER_FILE), [Buffer.from(`${JSON.stringify(authenticated, undefined, 2)}\n`)]);
  await flushFolders(folder);
  return { header: authenticated, pausedMs };
}

function secretsState(secrets: Buffer | undefined, keys: ArchiveKeys | undefined): FolderHeader["secrets"] {
  if (secrets === undefined) return "none";
  return keys ? "sealed" : "plain";
}

/**
 * Takes a snapshot and copies its databases and newer blobs. A blob is deleted after its record, so one that the
 * snapshot's records name and nobody copied was written and deleted meanwhile: a later snapshot no longer names it. One
 * that a later snapshot still names was missing before. Write-once files are also copied right before each snapshot, to
 * keep that window short.
 */
async function copySnapshot(copy: Copy): Promise<{ snapshot: Snapshot; missing: string[]; pausedMs: number }> {
  let pausedMs = 0;
  let before: string[] | undefined;
  for (let taken = 1; ; taken++) {
    await copyWriteOnce(copy);
    const snapshot = withLockError(() => takeSnapshot(copy.source));
    pausedMs += snapshot.pausedMs;
    try {
      await copyWriteOnce(copy);
      for (const [file, connection] of snapshot.databases) await copyDatabaseFile(copy, file, connection);
    } finally {
      snapshot.close();
    }
    const missing = missingBlobs(copy);
    if (missing.every((key) => before?.includes(key))) return { snapshot, missing, pausedMs };
    if (taken === MAX_SNAPSHOTS) {
      throw new FolderBackupError("Blobs were repeatedly deleted before they could be copied. Try again later.");
    }
    before = missing;
    for (const file of snapshot.databases.keys()) {
      copy.files.delete(file);
      await rm(inside(copy, file));
    }
  }
}

/** Throws FolderBackupError if another process keeps the records locked. */
function withLockError<T>(take: () => T): T {
  try {
    return take();
  } catch (error) {
    if (!(error instanceof Error && /database is locked/.test(error.message))) throw error;
    throw new FolderBackupError("The records stayed locked by another process for five seconds. Try again.");
  }
}

/** Copies one database as its connection sees it, into a standalone file. */
async function copyDatabaseFile(copy: Copy, file: string, connection: DatabaseSync): Promise<void> {
  const target = inside(copy, file);
  makePrivateFolder(path.dirname(target));
  makePrivateFile(target);
  const database = statsOf(connection);
  await copyDatabase(connection, target, { rate: PAGES_PER_STEP });
  connection.close();
  // A copy in WAL mode could not be read without creating files beside it.
  const written = new DatabaseSync(target);
  try {
    written.exec("PRAGMA journal_mode = DELETE");
  } finally {
    written.close();
  }
  await secureFile(target);
  await addFile(copy, file, sumOf(target), { database });
}

/** Copies write-once files that are not copied yet. */
async function copyWriteOnce(copy: Copy): Promise<void> {
  const files = [...filesOf(copy.source, ["write-once"])].map((file) => file.path);
  for (const batch of inBatches(files, BATCH_SIZE))
    await inParallel(batch, CONCURRENCY, (file) => copyChanged(copy, file));
}

async function copyChanged(copy: Copy, file: string): Promise<void> {
  const [source, target] = [path.join(copy.source, file), inside(copy, file)];
  try {
    const { ino, size, mtimeMs } = await stat(source);
    const version = `${ino}/${size}/${mtimeMs}`;
    const copied = copy.files.get(file);
    if (copied?.version === version) return;
    if (copied) await rm(target);
    await addFile(copy, file, copyNew(source, target), { version });
  } catch (error) {
    // It was deleted meanwhile; whether a record still names it is checked at the end.
    if (!isAbsent(error)) throw error;
    if (!copy.files.has(file)) await rm(target, { force: true });
  }
}

async function addFile(
  { files }: Copy,
  file: string,
  written: Promise<{ size: number; sha256: string } | undefined>,
  details: { database?: FileEntry["database"]; version?: string } = {},
): Promise<void> {
  const sum = await written;
  if (sum === undefined) throw new Error(`the copy of ${file} is missing`);
  files.set(file, { path: file, ...sum, ...details });
}

function missingBlobs(copy: Copy): string[] {
  const named = readDatabase(inside(copy, RECORDS_FILE), (connection) => new Set(blobsNamedIn(connection)));
  return [...named].filter((key) => !copy.files.has(`${BLOBS_FOLDER}/${blobPathOf(key)}`)).sort();
}

const inside = ({ folder }: Copy, file: string): string => path.join(folder, ...file.split("/"));

function* linesOf(entries: FileEntry[]): Generator<Buffer> {
  for (const entry of entries) yield Buffer.from(`${JSON.stringify(entry)}\n`);
}

/** The real path of the data folder; throws if it is not one, or if the target is inside of it. */
function requireSource({ dataDir, target }: FolderBackupRequest): string {
  if (!existsSync(path.join(dataDir, RECORDS_FILE))) {
    throw new FolderBackupError(
      `The folder ${path.resolve(dataDir)} has no ${RECORDS_FILE}. Set DATA_DIR to a data folder.`,
    );
  }
  const source = realpathSync(dataDir);
  const parent = nearestParent(path.resolve(target));
  if (parent === source || parent.startsWith(source + path.sep)) {
    throw new FolderBackupError(`${target} is inside the data folder. Choose a folder outside of it.`);
  }
  return source;
}

/** The real path of the nearest existing folder, including the path itself. */
function nearestParent(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : nearestParent(path.dirname(folder));
}

async function requireFreeSpace(source: string, target: string): Promise<void> {
  let needed = 0;
  for (const { path: file } of filesOf(source, ["database", "state", "write-once"])) {
    needed += statSync(path.join(source, file), { throwIfNoEntry: false })?.size ?? 0;
  }
  const { bsize, bavail } = await statfs(target);
  const free = bsize * bavail;
  if (needed <= free) return;
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MB`;
  throw new FolderBackupError(
    `Not enough disk space for the backup: it needs ${megabytes(needed)}, and the target's disk has ${megabytes(free)}.`,
  );
}
