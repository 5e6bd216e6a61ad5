import { existsSync, readdirSync, rmdirSync, statSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";
import { isOutOfSpace } from "../../shared/platform/backend-faults.ts";
import { flushFolder } from "../../shared/platform/local/atomic-file.ts";
import { acquireLock } from "../../shared/platform/local/lock.ts";
import { DataDirInUse, ownerLockOf } from "../../shared/platform/local/platform.ts";
import { makePrivateFolder } from "../../shared/platform/local/private-files.ts";
import { FolderBackupError } from "./format.ts";

/**
 * Fills a folder beside the target, which it becomes once it is whole. `fill` holds the owner's lock of the folder
 * while it works; by it folders that a killed process left are told from others. `mark` is in their names.
 * Throws FolderBackupError or DataDirInUse where the target is not free, and leaves nothing when it fails.
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
    await flushFolder(path.dirname(target));
    return result;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (isOutOfSpace(error)) throw new FolderBackupError(`There is no room left beside ${target}.`);
    throw error;
  }
}

/** Runs `work` under the owner's lock of a folder. */
export async function withOwnerLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const release = acquireLock(ownerLockOf(folder), 0);
  if (!release) throw new DataDirInUse(folder);
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
  if (!release) throw new DataDirInUse(target);
  release();
  throw new FolderBackupError(`The folder ${target} is not empty. Choose a new one.`);
}

/** Folders of processes that were killed; those of one that is at work are locked. */
async function removeAbandoned(parent: string, mark: string): Promise<void> {
  for (const name of readdirSync(parent).filter((each) => each.includes(mark))) {
    const folder = path.join(parent, name);
    const release = existsSync(ownerLockOf(folder)) ? acquireLock(ownerLockOf(folder), 0) : undefined;
    if (!release) continue;
    release();
    await rm(folder, { recursive: true, force: true });
  }
}
