import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const MEMORY_FOLDER = "/dev/shm";
const MIN_FREE_BYTES = 2 * 1024 ** 3;
/** Outlives a run, because Node writes to it when a process ends by itself, and many tests kill theirs. */
const COMPILE_CACHE = fileURLToPath(new URL("../../.cache/compiled", import.meta.url));

/**
 * Gives a run of tests one temporary folder and deletes it at the end. It is in memory where there is room, because a
 * disk flushes each of the tests' many thousand commits. Processes share what one of them compiled.
 */
export default function openRunFolder(): () => void {
  const folder = mkdtempSync(path.join(hasRoomInMemory() ? MEMORY_FOLDER : tmpdir(), "tests-"));
  process.env.TMPDIR = folder;
  process.env.NODE_COMPILE_CACHE = COMPILE_CACHE;
  return () => rmSync(folder, { recursive: true, force: true });
}

function hasRoomInMemory(): boolean {
  if (!existsSync(MEMORY_FOLDER)) return false;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  return bavail * bsize >= MIN_FREE_BYTES;
}
