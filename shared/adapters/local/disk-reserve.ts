import { existsSync, rmSync, statfsSync, statSync } from "node:fs";
import path from "node:path";
import { isOutOfSpace } from "../../ports/backend-faults.ts";
import { appendPrivately } from "./storage/private-files.ts";

const RESERVE_FILE = "reserve";
/** The maximum size of the write-ahead logs of the records and an index before reuse, and of their shared memory. */
const RESERVE_BYTES = 12 * 1024 * 1024;
/** With less free space a database cannot be opened. */
const OPENING_BYTES = 512 * 1024;
const BLOCK = Buffer.alloc(OPENING_BYTES);
const RETRY_MS = 1_000;

/**
 * Disk space that a file reserves: a start on a full disk deletes the file, so that databases open and deletions have
 * space for their log. Until the file exists again, nothing that needs space may start.
 */
export class DiskReserve {
  readonly #folder: string;
  #isReleased = false;
  #triedAt = Number.NEGATIVE_INFINITY;

  /** Reserves the space, or releases the reserve if the disk is full. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#isReleased = !(this.#isHeld() ? this.#hasRoomToOpen() : this.#tryReserve());
    if (this.#isReleased) rmSync(this.#file, { force: true });
  }

  /** Whether the reserve is released; tries to reserve it again at most once per second. */
  get isReleased(): boolean {
    const now = performance.now();
    if (!this.#isReleased || now - this.#triedAt < RETRY_MS) return this.#isReleased;
    this.#triedAt = now;
    const { bavail, bsize } = statfsSync(this.#folder);
    this.#isReleased = bavail * bsize < RESERVE_BYTES + OPENING_BYTES || !this.#tryReserve();
    return this.#isReleased;
  }

  get #file(): string {
    return path.join(this.#folder, RESERVE_FILE);
  }

  #isHeld(): boolean {
    return existsSync(this.#file) && statSync(this.#file).size >= RESERVE_BYTES;
  }

  #tryReserve(): boolean {
    rmSync(this.#file, { force: true });
    if (this.#tryWrite(this.#file, RESERVE_BYTES)) return true;
    rmSync(this.#file, { force: true });
    return false;
  }

  /** Checked with a file, because free disk space does not show quotas. */
  #hasRoomToOpen(): boolean {
    const probe = `${this.#file}.probe`;
    try {
      return this.#tryWrite(probe, OPENING_BYTES);
    } finally {
      rmSync(probe, { force: true });
    }
  }

  #tryWrite(file: string, bytes: number): boolean {
    try {
      for (let written = 0; written < bytes; written += BLOCK.length) appendPrivately(file, BLOCK);
      return true;
    } catch (error) {
      if (isOutOfSpace(error)) return false;
      throw error;
    }
  }
}
