import type { StoredRecord } from "./ports.ts";

/** A write whose condition did not hold. `index` is its place in the call; `existing` the live item it met, if any. */
export class ConditionFailed extends Error {
  readonly index: number;
  readonly #existing: StoredRecord | undefined;

  constructor(index: number, existing: StoredRecord | undefined) {
    super(`condition of write ${index} failed`);
    this.name = "ConditionFailed";
    this.index = index;
    this.#existing = existing;
  }

  /** Private, so that whoever prints an error that nobody caught does not print the record. */
  get existing(): StoredRecord | undefined {
    return this.#existing;
  }
}

/** The work is not where this process left it: another one goes on with it, or it is over. */
export class Superseded extends Error {
  constructor() {
    super("the work went on or ended elsewhere");
    this.name = "Superseded";
  }
}

/** An item larger than the store takes (400 KB on either home). */
export class RecordTooLarge extends Error {
  constructor() {
    super("record exceeds 400 KB");
    this.name = "RecordTooLarge";
  }
}

/** There is too little room to begin anything but reading and deleting. */
export class OutOfSpaceError extends Error {
  readonly code = "ENOSPC";

  constructor() {
    super("there is too little room on the disk to store anything");
    this.name = "OutOfSpaceError";
  }
}

/** A backend that could not do what it was asked, however often, and will be able to again. */
export class BackendBusy extends Error {
  readonly passing = true;

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "BackendBusy";
  }
}
