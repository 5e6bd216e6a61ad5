import type { StoredRecord } from "./record-store.ts";

/** The condition of a write failed. `index` is the write's index in the call; `existing` is the live item, if any. */
export class ConditionFailedError extends Error {
  readonly index: number;
  readonly #existing: StoredRecord | undefined;

  constructor(index: number, existing: StoredRecord | undefined) {
    super(`condition of write ${index} failed`);
    this.name = "ConditionFailedError";
    this.index = index;
    this.#existing = existing;
  }

  /** Private, so that printing an uncaught error does not print the record. */
  get existing(): StoredRecord | undefined {
    return this.#existing;
  }
}

/** The job changed since this process read it: another worker continues it, or it is over. */
export class StaleJobError extends Error {
  constructor() {
    super("the job was continued or ended by another worker");
    this.name = "StaleJobError";
  }
}

/** An item exceeds the store's limit (400 KB on both platforms). */
export class RecordTooLargeError extends Error {
  constructor() {
    super("record exceeds 400 KB");
    this.name = "RecordTooLargeError";
  }
}

/** The disk is too full for anything but reading and deleting. */
export class OutOfSpaceError extends Error {
  readonly code = "ENOSPC";

  constructor() {
    super("the disk is too full to store anything");
    this.name = "OutOfSpaceError";
  }
}

/** A backend failed after all retries; it is expected to be available again later. */
export class BackendBusyError extends Error {
  readonly transient = true;

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "BackendBusyError";
  }
}
