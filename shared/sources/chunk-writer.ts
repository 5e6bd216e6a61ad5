import type { JobReached, JobTurn } from "../jobs/handler.ts";
import type { Memory } from "../memory/memory.ts";
import { insertMemory } from "../memory/records.ts";
import { WriteBatch } from "../platform/write-batch.ts";
import type { IngestionCheckpoint } from "./source.ts";

/**
 * Stores chunks in as few transactions as they fit into, each together with how far the reading has come by it: a chunk is
 * written once whoever writes and however often they begin, and none once the reading is over.
 */
export class ChunkWriter {
  readonly #turn: JobTurn<"ingest_source">;
  readonly #batch = new WriteBatch();
  #checkpoint: IngestionCheckpoint;

  constructor(turn: JobTurn<"ingest_source">) {
    this.#turn = turn;
    this.#checkpoint = turn.job.checkpoint;
  }

  /** Takes a chunk; `progress` is what holds once it is stored. Throws Superseded. */
  async add(chunk: Memory, progress: Omit<IngestionCheckpoint, "reading">): Promise<void> {
    const writes = insertMemory(chunk, { content: chunk.content });
    const bytes = bytesOf(chunk);
    if (!this.#batch.hasRoomFor(writes, bytes)) await this.flush();
    this.#batch.add(writes, bytes);
    this.#checkpoint = { ...this.#checkpoint, ...progress };
  }

  /** What is to be stored of what was taken. */
  get pending(): JobReached<"ingest_source"> {
    return { checkpoint: this.#checkpoint, writes: [...this.#batch.writes] };
  }

  /** Stores what was taken. Throws Superseded. */
  async flush(): Promise<void> {
    if (this.#batch.writes.length === 0) return;
    await this.#turn.save(this.pending);
    this.#batch.clear();
  }
}

/** What is long in the records of a chunk: its content and metadata, in the memory and in its first version. */
function bytesOf({ content, metadata }: Memory): number {
  return 2 * (Buffer.byteLength(content) + Buffer.byteLength(JSON.stringify(metadata)));
}
