import type { Memory } from "../memory/memory.ts";
import { insertMemory } from "../memory/records.ts";
import { ConditionFailed } from "../platform/errors.ts";
import type { RecordStore, Write } from "../platform/ports.ts";
import { advanceIngestion, type Progress } from "./records.ts";
import type { Ingestion } from "./source.ts";

/** A transaction takes 100 writes, of which one notes the progress, and 4 MB; the rest of that is for keys and names. */
const MAX_WRITES = 99;
const MAX_BYTES = 3_000_000;

/** The ingestion is not where this writer left it: another one goes on with it, or it was given up. */
export class Superseded extends Error {
  constructor() {
    super("the ingestion went on or ended elsewhere");
    this.name = "Superseded";
  }
}

/**
 * Stores chunks in as few transactions as they fit into, each together with how far the ingestion has come by it: a chunk is
 * written once whoever writes and however often they begin, and none once the ingestion is over.
 */
export class ChunkWriter {
  readonly #records: RecordStore;
  #ingestion: Ingestion;
  #writes: Write[] = [];
  #bytes = 0;
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
    if (this.#writes.length + writes.length > MAX_WRITES || this.#bytes + bytes > MAX_BYTES) await this.flush();
    this.#writes.push(...writes);
    this.#bytes += bytes;
    this.#progress = progress;
  }

  /** Stores what was taken. Throws Superseded. */
  async flush(): Promise<void> {
    if (this.#writes.length === 0) return;
    try {
      await this.#records.write(advanceIngestion(this.#ingestion, this.#progress), ...this.#writes);
    } catch (error) {
      if (error instanceof ConditionFailed) throw new Superseded();
      throw error;
    }
    this.#ingestion = { ...this.#ingestion, ...this.#progress };
    this.#writes = [];
    this.#bytes = 0;
  }
}

/** What is long in the records of a chunk: its content and metadata, in the memory and in its first version. */
function bytesOf({ content, metadata }: Memory): number {
  return 2 * (Buffer.byteLength(content) + Buffer.byteLength(JSON.stringify(metadata)));
}
