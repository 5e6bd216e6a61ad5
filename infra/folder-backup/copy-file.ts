import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, mkdir, open, readdir } from "node:fs/promises";
import path from "node:path";
import { flushFolder } from "../../shared/platform/local/atomic-file.ts";
import { isAbsent } from "../../shared/platform/local/blobs.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../../shared/platform/local/private-files.ts";

const PART_BYTES = 1024 * 1024;

/** What a file's bytes come to. */
export interface Sum {
  size: number;
  sha256: string;
}

/** Writes a new file that only its owner reads, its folders included, and flushes it to the disk. */
export async function writeNew(target: string, parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Sum> {
  await mkdir(path.dirname(target), { recursive: true, mode: PRIVATE_FOLDER });
  const handle = await open(target, "wx", PRIVATE_FILE);
  const sum = { size: 0, hash: createHash("sha256") };
  try {
    for await (const part of parts) {
      sum.size += part.byteLength;
      sum.hash.update(part);
      await handle.writeFile(part);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { size: sum.size, sha256: sum.hash.digest("hex") };
}

/** Copies a file, which may be deleted at any time, into a new one. */
export async function copyNew(source: string, target: string): Promise<Sum> {
  const handle = await open(source);
  try {
    return await writeNew(target, handle.createReadStream({ highWaterMark: PART_BYTES, autoClose: false }));
  } finally {
    await handle.close();
  }
}

/** Reads a whole file; undefined where it is not there. */
export async function sumOf(file: string): Promise<Sum | undefined> {
  const hash = createHash("sha256");
  let size = 0;
  try {
    for await (const part of createReadStream(file, { highWaterMark: PART_BYTES })) {
      size += part.byteLength;
      hash.update(part);
    }
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
  return { size, sha256: hash.digest("hex") };
}

/** Gives a file that something else wrote the rights of our own, and flushes it to the disk. */
export async function secureFile(file: string): Promise<void> {
  await chmod(file, PRIVATE_FILE);
  const handle = await open(file, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes sure that every file of a folder is found again after a power cut; those in it are flushed by themselves. */
export async function flushFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await flushFolders(path.join(folder, entry.name));
  }
  await flushFolder(folder);
}
