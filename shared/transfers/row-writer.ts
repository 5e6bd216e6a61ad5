import { countActivity } from "../identity/activity.ts";
import { enqueueJob } from "../jobs/queue.ts";
import { insertJob } from "../jobs/records.ts";
import type { StoredContent } from "../memory/content.ts";
import type { MemoryJob } from "../memory/jobs.ts";
import type { Memory } from "../memory/memory.ts";
import { insertMemory } from "../memory/records.ts";
import type { OrgHome } from "../platform/context.ts";
import { ConditionFailed, Superseded } from "../platform/errors.ts";
import type { Write } from "../platform/ports.ts";
import { WriteBatch } from "../platform/write-batch.ts";
import { advanceImport, putFailure } from "./records.ts";
import type { FailedRow, Import, ImportProgress } from "./transfer.ts";

/** What became of a row. */
export type RowOutcome =
  | { memory: Memory; stored: StoredContent; job: MemoryJob | undefined }
  | { failed: FailedRow }
  | "skipped";

/**
 * Stores rows in as few transactions as they fit into, each together with how far the import has come by it: a row is stored
 * once whoever stores it and however often they begin, and none once the import is over.
 */
export class RowWriter {
  readonly #home: OrgHome;
  readonly #batch = new WriteBatch();
  #transfer: Import;
  #progress: ImportProgress;
  #jobs: MemoryJob[] = [];

  constructor(home: OrgHome, transfer: Import) {
    this.#home = home;
    this.#transfer = transfer;
    this.#progress = progressOf(transfer);
  }

  /** The import with what is stored so far. */
  get transfer(): Import {
    return this.#transfer;
  }

  /** Takes what became of the next row. Throws Superseded; ConditionFailed where the id of a memory was taken since. */
  async add(outcome: RowOutcome): Promise<void> {
    const writes = this.#writesOf(outcome);
    const bytes = writes.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(writes));
    if (!this.#batch.hasRoomFor(writes, bytes)) await this.flush();
    this.#batch.add(writes, bytes);
    if (typeof outcome === "object" && "job" in outcome && outcome.job) this.#jobs.push(outcome.job);
    const { position, imported, skipped, failed } = this.#progress;
    this.#progress = {
      position: position + 1,
      imported: imported + (typeof outcome === "object" && "memory" in outcome ? 1 : 0),
      skipped: skipped + (outcome === "skipped" ? 1 : 0),
      failed: failed + (typeof outcome === "object" && "failed" in outcome ? 1 : 0),
    };
  }

  #writesOf(outcome: RowOutcome): Write[] {
    if (outcome === "skipped") return [];
    if ("failed" in outcome) return [putFailure(this.#transfer, outcome.failed, this.#home.clock())];
    const { memory, stored, job } = outcome;
    return [...insertMemory(memory, stored), ...(job ? [insertJob(job)] : [])];
  }

  /** Stores what was taken. Throws as `add` does. */
  async flush(): Promise<void> {
    if (this.#progress.position === this.#transfer.position) return;
    try {
      await this.#home.ports.records.write(advanceImport(this.#transfer, this.#progress), ...this.#batch.writes);
    } catch (error) {
      if (error instanceof ConditionFailed && error.index === 0) throw new Superseded();
      throw error;
    }
    const { org, owner } = this.#transfer;
    const imported = this.#progress.imported - this.#transfer.imported;
    countActivity({ ...this.#home, principal: { org, owner } }, "memories_created", imported);
    for (const job of this.#jobs) await enqueueJob(this.#home, job);
    this.#transfer = { ...this.#transfer, ...this.#progress, attempts: 0 };
    this.#batch.clear();
    this.#jobs = [];
  }
}

function progressOf({ position, imported, skipped, failed }: Import): ImportProgress {
  return { position, imported, skipped, failed };
}
