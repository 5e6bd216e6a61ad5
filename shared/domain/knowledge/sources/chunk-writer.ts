import { WriteBatch } from "../../../ports/write-batch.ts";
import type { JobReached, JobTurn } from "../../../runtime/jobs/handler.ts";
import type { Memory } from "../../memory/memory.ts";
import { insertMemory } from "../../memory/records.ts";
import type { IngestionCheckpoint } from "./source.ts";

/**
 * Stores chunks in as few transactions as possible, each with the progress of reading. Each chunk is stored only once,
 * even if several workers write it repeatedly, and no chunk is stored after the end.
 */
export class ChunkWriter {
  readonly #turn: JobTurn<"ingest_source">;
  readonly #batch = new WriteBatch();
  #checkpoint: IngestionCheckpoint;

  constructor(turn: JobTurn<"ingest_source">) {
    this.#turn = turn;
    this.#checkpoint = turn.job.checkpoint;
  }

  /** Adds a chunk; `progress` holds once it is stored. Throws StaleJobError. */
  async add(chunk: Memory, progress: Omit<IngestionCheckpoint, "reading">): Promise<void> {
    const writes = insertMemory(chunk, { content: chunk.content });
    const bytes = bytesOf(chunk);
    if (!this.#batch.hasRoomFor(writes, bytes)) await this.flush();
    this.#batch.add(writes, bytes);
    this.#checkpoint = { ...this.#checkpoint, ...progress };
  }

  /** The progress that is not stored yet. */
  get pending(): JobReached<"ingest_source"> {
    return { checkpoint: this.#checkpoint, writes: [...this.#batch.writes] };
  }

  /** Stores the pending chunks. Throws StaleJobError. */
  async flush(): Promise<void> {
    if (this.#batch.writes.length === 0) return;
    await this.#turn.save(this.pending);
    this.#batch.clear();
  }
}

/** Size of the long values of a chunk's records: content and metadata, in the memory and in its first version. */
function bytesOf({ content, metadata }: Memory): number {
  return 2 * (Buffer.byteLength(content) + Buffer.byteLength(JSON.stringify(metadata)));
}
