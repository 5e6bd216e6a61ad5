import type { Write } from "../../../ports/record-store.ts";
import { MAX_WRITES, WriteBatch } from "../../../ports/write-batch.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import type { JobTurn } from "../../../runtime/jobs/handler.ts";
import { enqueueJob } from "../../../runtime/jobs/queue.ts";
import { insertJob } from "../../../runtime/jobs/records.ts";
import { countActivity } from "../../identity/activity.ts";
import type { StoredContent } from "../../memory/content.ts";
import type { LeftOut } from "../../memory/conversation.ts";
import { splitWrites } from "../../memory/facts/records.ts";
import type { MemoryJob } from "../../memory/jobs.ts";
import type { Memory } from "../../memory/memory.ts";
import { insertMemory } from "../../memory/records.ts";
import { advanced } from "../compat/event-jobs.ts";
import { type CompatEvent, putEvent } from "../compat/events.ts";
import { addLeftOut } from "../compat/results.ts";
import { MAX_LISTED_SKIPPED, putFailure, putSkipped } from "./records.ts";
import { type FailedRow, type ImportProgress, importProgress, type SkippedRow } from "./transfer.ts";

/** The result of a row. */
export type RowOutcome =
  | { memory: Memory; stored: StoredContent; job: MemoryJob | undefined }
  /** A message whose new memories are already stored; it is skipped if there are none. */
  | { leftOut: LeftOut[]; skipped?: SkippedRow }
  | { failed: FailedRow }
  | { skipped: SkippedRow };

/**
 * Stores rows in as few transactions as possible, each with the import's progress. Each row is stored only once, even
 * if several workers store it repeatedly, and no row is stored after the import's end.
 */
export class RowWriter {
  readonly #runtime: OrgRuntime;
  readonly #turn: JobTurn<"import">;
  #event: CompatEvent;
  readonly #batch = new WriteBatch();
  #progress: ImportProgress;
  #jobs: MemoryJob[] = [];
  /** Memories of the batch. */
  #created = 0;

  constructor(runtime: OrgRuntime, turn: JobTurn<"import">, event: CompatEvent) {
    this.#runtime = runtime;
    this.#turn = turn;
    this.#event = event;
    this.#progress = turn.job.checkpoint;
  }

  /** The event with what the rows so far left out. */
  get event(): CompatEvent {
    return this.#event;
  }

  /** Adds the next row's result. Throws StaleJobError, or ConditionFailedError if a memory's id was taken meanwhile. */
  async add(outcome: RowOutcome): Promise<void> {
    const { early, transaction: writes } = splitWrites(this.#writesOf(outcome), MAX_WRITES);
    if (early.length > 0) await this.#runtime.ports.records.write(...early);
    const bytes = writes.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(writes));
    if (!this.#batch.hasRoomFor(writes, bytes)) await this.flush();
    this.#batch.add(writes, bytes);
    const isMemory = "memory" in outcome;
    if (isMemory && outcome.job) this.#jobs.push(outcome.job);
    if (isMemory) this.#created += 1;
    if ("leftOut" in outcome) this.#event = addLeftOut(this.#event, outcome.leftOut);
    const isFailed = "failed" in outcome;
    const isSkipped = "skipped" in outcome;
    const { position, imported, skipped, failed } = this.#progress;
    this.#progress = {
      ...this.#progress,
      position: position + 1,
      imported: imported + (isFailed || isSkipped ? 0 : 1),
      skipped: skipped + (isSkipped ? 1 : 0),
      failed: failed + (isFailed ? 1 : 0),
    };
  }

  #writesOf(outcome: RowOutcome): Write[] {
    if ("failed" in outcome) return [putFailure(this.#turn.job, outcome.failed, this.#runtime.clock())];
    if ("skipped" in outcome && outcome.skipped) {
      const isListed = this.#progress.skipped < MAX_LISTED_SKIPPED;
      return isListed ? [putSkipped(this.#turn.job, outcome.skipped, this.#runtime.clock())] : [];
    }
    if (!("memory" in outcome)) return [];
    const { memory, stored, job } = outcome;
    return [...insertMemory(memory, stored), ...(job ? [insertJob(job)] : [])];
  }

  /** Stores the batch. Throws as `add` does. */
  async flush(): Promise<void> {
    const { org, input, checkpoint: before } = this.#turn.job;
    const checkpoint = this.#progress;
    if (checkpoint.position === before.position) return;
    const event = advanced(this.#event, this.#runtime.clock(), importProgress(input, checkpoint));
    await this.#turn.save({ checkpoint, writes: [putEvent(event), ...this.#batch.writes] });
    const principal = { org, owner: input.owner };
    countActivity({ ...this.#runtime, principal }, "memories_created", this.#created);
    for (const job of this.#jobs) await enqueueJob(this.#runtime, job);
    this.#batch.clear();
    this.#jobs = [];
    this.#created = 0;
  }
}
