import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, mkdir, open, readdir } from "node:fs/promises";
import path from "node:path";
import { isAbsent } from "../../shared/adapters/local/blobs.ts";
import { flush } from "../../shared/adapters/local/storage/atomic-file.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../../shared/adapters/local/storage/private-files.ts";

const PART_BYTES = 1024 * 1024;

/** Size in bytes and hash of a file. */
export interface Sum {
  size: number;
  sha256: string;
}

/** Writes a new file that only its owner can read, creates its folders, and flushes it to disk. Throws if it exists. */
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

/** Copies a file into a new one; the source may be deleted while it is copied. */
export async function copyNew(source: string, target: string): Promise<Sum> {
  const handle = await open(source);
  try {
    return await writeNew(target, handle.createReadStream({ highWaterMark: PART_BYTES, autoClose: false }));
  } finally {
    await handle.close();
  }
}

/** Returns the size and the hash of a file; undefined if it does not exist. */
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

/** Makes a file that a library wrote accessible only to its owner, and flushes it to disk. */
export async function secureFile(file: string): Promise<void> {
  await chmod(file, PRIVATE_FILE);
  await flush(file);
}

/** Flushes the entries of a folder and its subfolders, so that they survive a power loss; it does not flush files. */
export async function flushFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await flushFolders(path.join(folder, entry.name));
  }
  await flush(folder);
}
