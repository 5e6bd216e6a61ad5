import type { Memory } from "../memory/memory.ts";
import { insertMemory } from "../memory/records.ts";
import { ConditionFailed, Superseded } from "../platform/errors.ts";
import type { RecordStore } from "../platform/ports.ts";
import { WriteBatch } from "../platform/write-batch.ts";
import { advanceIngestion, type Progress } from "./records.ts";
import type { Ingestion } from "./source.ts";

/**
 * Stores chunks in as few transactions as they fit into, each together with how far the ingestion has come by it: a chunk is
 * written once whoever writes and however often they begin, and none once the ingestion is over.
 */
export class ChunkWriter {
  readonly #records: RecordStore;
  readonly #batch = new WriteBatch();
  #ingestion: Ingestion;
  #progress: Progress;

  constructor(records: RecordStore, ingestion: Ingestion) {
    this.#records = records;
    this.#ingestion = ingestion;
    this.#progress = ingestion;
  }

  /** The ingestion with what is stored so far. */
  get ingestion(): Ingestion {
    return this.#ingestion;
  }

  /** Takes a chunk; `progress` is what holds once it is stored. Throws Superseded. */
  async add(chunk: Memory, progress: Progress): Promise<void> {
    const writes = insertMemory(chunk, { content: chunk.content });
    const bytes = bytesOf(chunk);
    if (!this.#batch.hasRoomFor(writes, bytes)) await this.flush();
    this.#batch.add(writes, bytes);
    this.#progress = progress;
  }

  /** Stores what was taken. Throws Superseded. */
  async flush(): Promise<void> {
    const { writes } = this.#batch;
    if (writes.length === 0) return;
    try {
      await this.#records.write(advanceIngestion(this.#ingestion, this.#progress), ...writes);
    } catch (error) {
      if (error instanceof ConditionFailed) throw new Superseded();
      throw error;
    }
    this.#ingestion = { ...this.#ingestion, ...this.#progress };
    this.#batch.clear();
  }
}

/** What is long in the records of a chunk: its content and metadata, in the memory and in its first version. */
function bytesOf({ content, metadata }: Memory): number {
  return 2 * (Buffer.byteLength(content) + Buffer.byteLength(JSON.stringify(metadata)));
}
