import { existsSync, rmSync, statfsSync, statSync } from "node:fs";
import path from "node:path";
import { isOutOfSpace } from "../backend-faults.ts";
import { appendPrivately } from "./private-files.ts";

const RESERVE_FILE = "reserve";
/** What write-ahead logs of the records and of an index grow to before they are reused, and their shared memory. */
const RESERVE_BYTES = 12 * 1024 * 1024;
/** Less than this left, and a database cannot even be opened. */
const OPENING_BYTES = 512 * 1024;
const RETRY_MS = 1_000;

/**
 * Room on the disk that a file holds until it is needed: a start on a full disk deletes the file, so that databases open
 * and deletions have room for their log. Until the file can be made again, nothing that needs room is to be begun.
 */
export class DiskReserve {
  readonly #folder: string;
  #isReleased = false;
  #triedAt = Number.NEGATIVE_INFINITY;

  /** Takes the room, or gives back what there is of it where the disk is full. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#isReleased = !(this.#isHeld() ? this.#hasRoomToOpen() : this.#take());
    if (this.#isReleased) rmSync(this.#file, { force: true });
  }

  /** Whether the room is given up; tries to take it again once a second at most. */
  get isReleased(): boolean {
    const now = performance.now();
    if (!this.#isReleased || now - this.#triedAt < RETRY_MS) return this.#isReleased;
    this.#triedAt = now;
    const { bavail, bsize } = statfsSync(this.#folder);
    this.#isReleased = bavail * bsize < RESERVE_BYTES + OPENING_BYTES || !this.#take();
    return this.#isReleased;
  }

  get #file(): string {
    return path.join(this.#folder, RESERVE_FILE);
  }

  #isHeld(): boolean {
    return existsSync(this.#file) && statSync(this.#file).size >= RESERVE_BYTES;
  }

  #take(): boolean {
    rmSync(this.#file, { force: true });
    if (this.#tryWrite(this.#file, RESERVE_BYTES)) return true;
    rmSync(this.#file, { force: true });
    return false;
  }

  /** Asked by a file, as a quota does not show in what the disk has left. */
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
      appendPrivately(file, "\0".repeat(bytes));
      return true;
    } catch (error) {
      if (isOutOfSpace(error)) return false;
      throw error;
    }
  }
}
