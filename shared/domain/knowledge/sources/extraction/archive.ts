import { buffer } from "node:stream/consumers";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { UnreadableError } from "./unreadable.ts";

/** Maximum unpacked content of one archive. */
const MAX_ENTRIES = 20_000;
const MAX_ENTRY_BYTES = 32 * 1024 * 1024;
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
/** Maximum compression ratio; small files may exceed it. */
const MAX_RATIO = 200;
const MIN_CHECKED_BYTES = 1024 * 1024;

/** The files of a ZIP archive, each unpacked when read, within limits. Nested archives are not opened. */
export class Archive {
  readonly #zip: ZipFile;
  readonly #entries: Map<string, Entry>;
  #unpacked = 0;

  private constructor(zip: ZipFile, entries: Map<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /** Reads the directory of an archive. Throws UnreadableError for a broken one or too many files. */
  static async open(bytes: Uint8Array): Promise<Archive> {
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const zip = await orBroken(fromBufferPromise(content));
    if (zip.entryCount > MAX_ENTRIES) throw new UnreadableError(`its archive has more than ${MAX_ENTRIES} files`);
    return new Archive(zip, await orBroken(entriesOf(zip)));
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** A file by name; undefined if it does not exist. Throws UnreadableError for a broken or too long one. */
  async read(name: string): Promise<Uint8Array | undefined> {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    const { compressedSize, uncompressedSize } = entry;
    this.#unpacked += uncompressedSize;
    const isBomb = uncompressedSize > MIN_CHECKED_BYTES && uncompressedSize > compressedSize * MAX_RATIO;
    if (isBomb || uncompressedSize > MAX_ENTRY_BYTES || this.#unpacked > MAX_TOTAL_BYTES) {
      throw new UnreadableError("its archive unpacks to too much");
    }
    if (entry.isEncrypted()) throw new UnreadableError("its archive requires a password");
    const stream = await orBroken(this.#zip.openReadStreamPromise(entry));
    // A file longer than its directory entry is an error of the stream.
    return orBroken(buffer(stream));
  }

  /** Throws UnreadableError also for a missing file. */
  async require(name: string): Promise<Uint8Array> {
    const bytes = await this.read(name);
    if (!bytes) throw broken();
    return bytes;
  }
}

async function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  return entries;
}

/** Errors of the library mean an invalid archive. */
async function orBroken<Value>(result: Promise<Value>): Promise<Value> {
  try {
    return await result;
  } catch {
    throw broken();
  }
}

function broken(): UnreadableError {
  return new UnreadableError("its archive is broken");
}
