import { existsSync, readdirSync, rmdirSync, statSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";
import { acquireLock } from "../../shared/adapters/local/lock.ts";
import { DataDirInUseError, ownerLockOf } from "../../shared/adapters/local/platform.ts";
import { flush } from "../../shared/adapters/local/storage/atomic-file.ts";
import { makePrivateFolder } from "../../shared/adapters/local/storage/private-files.ts";
import { isOutOfSpace } from "../../shared/ports/backend-faults.ts";
import { FolderBackupError } from "./format.ts";

/**
 * Fills a new folder next to the target and then renames it to the target. `fill` holds the folder's owner lock, which
 * distinguishes it from folders of killed processes. `mark` is part of their names. Throws FolderBackupError or
 * DataDirInUseError if the target is not free, and leaves nothing on failure.
 */
export async function fillNewFolder<T>(target: string, mark: string, fill: (folder: string) => Promise<T>): Promise<T> {
  requireFree(target);
  makePrivateFolder(path.dirname(target));
  await removeAbandoned(path.dirname(target), mark);
  const folder = await mkdtemp(target + mark);
  try {
    const result = await fill(folder);
    if (existsSync(target)) rmdirSync(target);
    await rename(folder, target);
    await flush(path.dirname(target));
    return result;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (isOutOfSpace(error)) throw new FolderBackupError(`No disk space is left beside ${target}.`);
    throw error;
  }
}

/** Runs `work` under a folder's owner lock. */
export async function withOwnerLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const release = acquireLock(ownerLockOf(folder), 0);
  if (!release) throw new DataDirInUseError(folder);
  try {
    return await work();
  } finally {
    release();
  }
}

function requireFree(target: string): void {
  const found = statSync(target, { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isDirectory()) throw new FolderBackupError(`${target} is a file. Choose a new folder.`);
  if (found.dev !== statSync(path.dirname(target)).dev) {
    throw new FolderBackupError(`${target} is a mount point, which no folder can replace. Choose a new folder in it.`);
  }
  if (readdirSync(target).length === 0) return;
  const lock = ownerLockOf(target);
  const release = existsSync(lock) ? acquireLock(lock, 0) : () => {};
  if (!release) throw new DataDirInUseError(target);
  release();
  throw new FolderBackupError(`The folder ${target} is not empty. Choose a new one.`);
}

/** Removes folders of killed processes; those of running processes are locked. */
async function removeAbandoned(parent: string, mark: string): Promise<void> {
  for (const name of readdirSync(parent).filter((entry) => entry.includes(mark))) {
    const folder = path.join(parent, name);
    const release = existsSync(ownerLockOf(folder)) ? acquireLock(ownerLockOf(folder), 0) : undefined;
    if (!release) continue;
    release();
    await rm(folder, { recursive: true, force: true });
  }
}
