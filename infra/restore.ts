import { createReadStream, existsSync, readdirSync, rmdirSync, statSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";
import { createIndexer } from "../functions/workers/index-memories/indexer.ts";
import { worker as indexing } from "../functions/workers/index-memories/worker.ts";
import packageJson from "../package.json" with { type: "json" };
import { ArchiveRefused } from "../shared/backups/format.ts";
import { type RestoreReport, restoreArchive } from "../shared/backups/restore.ts";
import type { Config } from "../shared/kernel/config.ts";
import { silentLogger } from "../shared/kernel/logger.ts";
import { isOutOfSpace } from "../shared/platform/backend-faults.ts";
import type { Home } from "../shared/platform/context.ts";
import { assembleHome, layFoundation, openFunctionHome } from "../shared/platform/home.ts";
import { flushFolder } from "../shared/platform/local/atomic-file.ts";
import { acquireLock } from "../shared/platform/local/lock.ts";
import { DataDirInUse, ownerLockOf } from "../shared/platform/local/platform.ts";
import { openLocalPorts } from "../shared/platform/local/ports.ts";
import { makePrivateFolder } from "../shared/platform/local/private-files.ts";
import type { Capability } from "../shared/platform/ports.ts";
import { FolderBackupError, HEADER_FILE } from "./folder-backup/format.ts";
import { type FolderRestoreReport, restoreFolder } from "./folder-backup/restore.ts";
import { isFolderBackup } from "./folder-backup/verify.ts";

/** What restoring uses of a home on AWS; whoever runs it must be allowed as much. */
const CAPABILITIES: Capability[] = [
  "records",
  "inventory",
  "search",
  "blobs",
  "embedder",
  "secrets:bootstrap",
  "secrets:sealing",
  "secrets:providers",
];

/** What the folder that a home is restored in has in its name besides that of the data folder. */
const BESIDE = ".restoring-";

export interface RestoreRequest {
  /** Path of an archive or of a folder backup. */
  file: string;
  withoutSecrets: boolean;
}

/** What was restored: an archive, or the files of a folder backup. */
export type Restored = RestoreReport | FolderRestoreReport;

/**
 * Restores an archive or a folder backup into the home that the configuration names. Throws ArchiveRefused,
 * FolderBackupError or DataDirInUse; nothing is changed then.
 */
export async function restoreBackup(config: Config, request: RestoreRequest): Promise<Restored> {
  const { file } = request;
  if (!statSync(file, { throwIfNoEntry: false })?.isDirectory()) return restoreFile(config, request);
  if (!isFolderBackup(file)) throw new FolderBackupError(`${file} is no backup: it has no ${HEADER_FILE}.`);
  if (config.PLATFORM === "aws") throw new FolderBackupError("A folder backup is restored on one machine only.");
  return intoEmptyFolder(config, (folder) => restoreFolder(folder, request, config.BACKUP_KEY));
}

/** Restores an archive into the home that the configuration names. Throws ArchiveRefused; nothing is changed then. */
export async function restoreFile(config: Config, request: RestoreRequest): Promise<RestoreReport> {
  if (!existsSync(request.file)) throw new ArchiveRefused(`There is no file ${request.file}.`);
  if (config.PLATFORM === "aws") return restoreInto(await openFunctionHome(config, CAPABILITIES), request);
  return intoEmptyFolder(config, (folder) => restoreArchiveInto({ ...config, DATA_DIR: folder }, request));
}

/** Restores an archive into a home that is open. */
export function restoreInto(home: Home, { file, withoutSecrets }: RestoreRequest): Promise<RestoreReport> {
  if (!("stream" in indexing.source)) throw new Error("what indexes is no reader of the change feed");
  return restoreArchive(home, () => createReadStream(file), {
    service: packageJson.version,
    key: home.config.BACKUP_KEY,
    withoutSecrets,
    indexing: { kinds: indexing.source.stream.kinds, consume: createIndexer(home) },
  });
}

/** Fills a folder beside the data folder, which takes its place once all of it is there. */
async function intoEmptyFolder<T>({ DATA_DIR }: Config, fill: (folder: string) => Promise<T>): Promise<T> {
  const target = path.resolve(DATA_DIR);
  requireEmpty(target);
  makePrivateFolder(path.dirname(target));
  await removeAbandoned(target + BESIDE);
  const folder = await mkdtemp(target + BESIDE);
  try {
    const report = await fill(folder);
    if (existsSync(target)) rmdirSync(target);
    await rename(folder, target);
    await flushFolder(path.dirname(target));
    return report;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (isOutOfSpace(error)) throw new ArchiveRefused(`There is no room left beside ${target}.`);
    throw error;
  }
}

function requireEmpty(target: string): void {
  if (!existsSync(target) || readdirSync(target).length === 0) return;
  const lock = ownerLockOf(target);
  const release = existsSync(lock) ? acquireLock(lock, 0) : () => {};
  if (!release) throw new DataDirInUse(target);
  release();
  throw new ArchiveRefused(`The folder ${target} is not empty. Restore into a new one: --to or DATA_DIR.`);
}

/** Folders of restorations that were killed; those of one that is at work are locked. */
async function removeAbandoned(prefix: string): Promise<void> {
  const parent = path.dirname(prefix);
  for (const name of readdirSync(parent).filter((each) => each.startsWith(path.basename(prefix)))) {
    const folder = path.join(parent, name);
    const release = existsSync(ownerLockOf(folder)) ? acquireLock(ownerLockOf(folder), 0) : undefined;
    if (!release) continue;
    release();
    await rm(folder, { recursive: true, force: true });
  }
}

async function restoreArchiveInto(config: Config, request: RestoreRequest): Promise<RestoreReport> {
  const foundation = layFoundation(config, undefined, silentLogger);
  const { ports, close } = await openLocalPorts(foundation, { streams: [], queues: [], baseUrl: () => "" });
  try {
    return await restoreInto(assembleHome(foundation, ports), request);
  } finally {
    close();
  }
}
