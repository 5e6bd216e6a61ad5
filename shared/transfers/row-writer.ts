import { advanced } from "../compat/event-jobs.ts";
import { type CompatEvent, putEvent } from "../compat/events.ts";
import { splitWrites } from "../facts/records.ts";
import { countActivity } from "../identity/activity.ts";
import type { JobTurn } from "../jobs/handler.ts";
import { enqueueJob } from "../jobs/queue.ts";
import { insertJob } from "../jobs/records.ts";
import type { StoredContent } from "../memory/content.ts";
import type { MemoryJob } from "../memory/jobs.ts";
import type { Memory } from "../memory/memory.ts";
import { insertMemory } from "../memory/records.ts";
import type { OrgHome } from "../platform/context.ts";
import type { Write } from "../platform/ports.ts";
import { MAX_WRITES, WriteBatch } from "../platform/write-batch.ts";
import { putFailure } from "./records.ts";
import { type FailedRow, type ImportProgress, importProgress } from "./transfer.ts";

/** What became of a row. */
export type RowOutcome =
  | { memory: Memory; stored: StoredContent; job: MemoryJob | undefined }
  /** A message whose memories are stored already. */
  | "remembered"
  | { failed: FailedRow }
  | "skipped";

/**
 * Stores rows in as few transactions as they fit into, each together with how far the import has come by it: a row is stored
 * once whoever stores it and however often they begin, and none once the import is over.
 */
export class RowWriter {
  readonly #home: OrgHome;
  readonly #turn: JobTurn<"import">;
  readonly #event: CompatEvent;
  readonly #batch = new WriteBatch();
  #progress: ImportProgress;
  #jobs: MemoryJob[] = [];
  /** Memories of the batch. */
  #created = 0;

  constructor(home: OrgHome, turn: JobTurn<"import">, event: CompatEvent) {
    this.#home = home;
    this.#turn = turn;
    this.#event = event;
    this.#progress = turn.job.checkpoint;
  }

  /** Takes what became of the next row. Throws Superseded; ConditionFailed where the id of a memory was taken since. */
  async add(outcome: RowOutcome): Promise<void> {
    const { ahead, together: writes } = splitWrites(this.#writesOf(outcome), MAX_WRITES);
    if (ahead.length > 0) await this.#home.ports.records.write(...ahead);
    const bytes = writes.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(writes));
    if (!this.#batch.hasRoomFor(writes, bytes)) await this.flush();
    this.#batch.add(writes, bytes);
    const isMemory = typeof outcome === "object" && "memory" in outcome;
    if (isMemory && outcome.job) this.#jobs.push(outcome.job);
    if (isMemory) this.#created += 1;
    const { position, imported, skipped, failed } = this.#progress;
    this.#progress = {
      ...this.#progress,
      position: position + 1,
      imported: imported + (isMemory || outcome === "remembered" ? 1 : 0),
      skipped: skipped + (outcome === "skipped" ? 1 : 0),
      failed: failed + (typeof outcome === "object" && "failed" in outcome ? 1 : 0),
    };
  }

  #writesOf(outcome: RowOutcome): Write[] {
    if (typeof outcome === "string") return [];
    if ("failed" in outcome) return [putFailure(this.#turn.job, outcome.failed, this.#home.clock())];
    const { memory, stored, job } = outcome;
    return [...insertMemory(memory, stored), ...(job ? [insertJob(job)] : [])];
  }

  /** Stores what was taken. Throws as `add` does. */
  async flush(): Promise<void> {
    const { org, input, checkpoint: before } = this.#turn.job;
    const checkpoint = this.#progress;
    if (checkpoint.position === before.position) return;
    const event = advanced(this.#event, this.#home.clock(), importProgress(input, checkpoint));
    await this.#turn.save({ checkpoint, writes: [putEvent(event), ...this.#batch.writes] });
    const principal = { org, owner: input.owner };
    countActivity({ ...this.#home, principal }, "memories_created", this.#created);
    for (const job of this.#jobs) await enqueueJob(this.#home, job);
    this.#batch.clear();
    this.#jobs = [];
    this.#created = 0;
  }
}
