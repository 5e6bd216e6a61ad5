import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "./private-files.ts";

/** The content of a file: complete, or in chunks that are written as they arrive. */
export type FileContent = Uint8Array | string | AsyncIterable<Uint8Array>;

/**
 * Writes a file atomically, readable only by its owner: it contains either all of `content` or its former content.
 * Creates its folder. Unfinished files of a crash stay in `scratch`, a folder of the same file system that may be
 * emptied at any start.
 */
export async function writeAtomically(file: string, content: FileContent, scratch: string): Promise<void> {
  await Promise.all(
    [path.dirname(file), scratch].map((folder) => mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })),
  );
  const unfinished = path.join(scratch, randomUUID());
  try {
    await writeDurably(unfinished, content);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await flush(path.dirname(file));
}

/** The same synchronously, for use under a lock. */
export function writePrivately(file: string, content: string): void {
  const unfinished = `${file}.unfinished`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, content, { mode: PRIVATE_FILE, flag: "wx", flush: true });
  renameSync(unfinished, file);
  const folder = openSync(path.dirname(file), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

async function writeDurably(file: string, content: FileContent): Promise<void> {
  const handle = await open(file, "wx", PRIVATE_FILE);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Flushes a file or the entries of a folder: a renamed file is durable only after its folder is flushed. */
export async function flush(target: string): Promise<void> {
  const handle = await open(target, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
