import type { ChangeConsumer } from "../../../ports/changes.ts";
import { pagesOf } from "../../../ports/pages.ts";
import type { StoredRecord } from "../../../ports/ports.ts";
import { currentSecretName } from "../../../ports/secret-names.ts";
import type { Runtime } from "../../../runtime/context.ts";
import { beginRestoration, endRestoration, requireEmptyStores } from "./empty-stores.ts";
import { type ArchiveEntry, type BlobEntry, InvalidArchiveError } from "./format.ts";
import {
  archiveEntries,
  type OpenArchive,
  type ReadArchiveOptions,
  type VerifiedArchive,
  verifyArchive,
} from "./read-archive.ts";
import type { KeptSecret } from "./secrets.ts";

const BATCH = 500;
/** Minimum number of searchable records per indexing batch; a page may add more. */
const INDEXED_AT_ONCE = 100;

export interface RestoreOptions extends ReadArchiveOptions {
  /** Restores without secrets if the archive has some and there is no key. */
  withoutSecrets?: boolean;
  /** Kinds of searchable records, and the consumer that indexes them. */
  indexing: { kinds: string[]; consume: ChangeConsumer };
}

export interface RestoreReport {
  id: string;
  created_at: string;
  records: number;
  blobs: number;
  secrets: number;
  /** Secret records and attributes that were not restored. */
  left_out: number;
  /** Search documents that were rebuilt, and the number that the archive names. */
  documents: number;
  documents_named: number;
}

/**
 * Restores an archive into empty stores. Everything is verified before the first write; throws InvalidArchiveError for an
 * invalid archive or non-empty stores. After an interruption it can be repeated with the same archive.
 */
export async function restoreArchive(
  runtime: Runtime,
  open: OpenArchive,
  { withoutSecrets = false, indexing, ...reading }: RestoreOptions,
): Promise<RestoreReport> {
  const verified = await verifyArchive(open, reading);
  const { header, mark } = verified;
  if (header.sealing && !verified.keys && !withoutSecrets) {
    throw new InvalidArchiveError(
      "The archive has secrets. Give the key that it was made with as BACKUP_KEY, or restore --without-secrets.",
    );
  }
  const secrets = await readSecrets(open, verified);
  await requireEmptyStores(runtime, mark, secrets);
  await beginRestoration(runtime, mark);
  for (const { name, value } of secrets) await runtime.ports.secrets.putIfAbsent(name, value);
  const counts = await fillStores(runtime, verified, open);
  const documents = await rebuildIndex(runtime, indexing);
  await endRestoration(runtime);
  return { id: header.id, created_at: header.created_at, ...counts, secrets: secrets.length, documents };
}

async function fillStores(runtime: Runtime, verified: VerifiedArchive, open: OpenArchive) {
  try {
    return await new Filling(runtime, verified).fill(archiveEntries(open));
  } catch (error) {
    if (!(error instanceof InvalidArchiveError)) throw error;
    throw new Error("the archive changed while it was restored: only a part of it is stored", { cause: error });
  }
}

/** The secrets of an archive, which are its first entries. */
async function readSecrets(open: OpenArchive, { keys }: VerifiedArchive): Promise<KeptSecret[]> {
  const secrets: KeptSecret[] = [];
  if (!keys) return secrets;
  for await (const entry of archiveEntries(open)) {
    if (entry.component !== "secrets") break;
    const { name, value }: KeptSecret = JSON.parse(keys.unseal("secrets", entry.sealed));
    secrets.push({ name: currentSecretName(name), value });
  }
  return secrets;
}

/** Writes the entries of an archive into the stores, one batch of records or one piece of a blob at a time. */
class Filling {
  readonly #runtime: Runtime;
  readonly #archive: VerifiedArchive;
  #batch: StoredRecord[] = [];
  readonly #counts: Pick<RestoreReport, "records" | "blobs" | "left_out" | "documents_named">;

  constructor(runtime: Runtime, archive: VerifiedArchive) {
    this.#runtime = runtime;
    this.#archive = archive;
    this.#counts = { records: 0, blobs: 0, left_out: archive.manifest.left_out, documents_named: 0 };
  }

  async fill(entries: AsyncGenerator<ArchiveEntry>) {
    for (let next = await entries.next(); !next.done; next = await entries.next()) {
      const entry = next.value;
      if (entry.component === "blobs") await this.#takeBlob(entry, entries);
      else if (entry.component === "search_index") this.#counts.documents_named += 1;
      else if (entry.component !== "secrets") await this.#takeRecord(entry);
    }
    await this.#writeBatch();
    return this.#counts;
  }

  async #takeRecord(entry: Extract<ArchiveEntry, { record: unknown } | { sealed?: string }>): Promise<void> {
    const { keys } = this.#archive;
    const { component, sealed } = entry;
    const open = "record" in entry ? entry.record : undefined;
    const secret = sealed === undefined || !keys ? undefined : JSON.parse(keys.unseal(component, sealed));
    if (sealed !== undefined && secret === undefined) this.#counts.left_out += 1;
    if (open === undefined && secret === undefined) return;
    this.#counts.records += 1;
    this.#batch.push({ ...open, ...secret } as StoredRecord);
    if (this.#batch.length >= BATCH) await this.#writeBatch();
  }

  async #writeBatch(): Promise<void> {
    await this.#runtime.ports.inventory.fill(this.#batch);
    this.#batch = [];
  }

  async #takeBlob(begin: BlobEntry, entries: AsyncGenerator<ArchiveEntry>): Promise<void> {
    const { key } = begin;
    if (!("content_type" in begin)) throw new Error(`the blob ${key} does not begin where it should`);
    try {
      await this.#runtime.ports.blobs.write(key, { contentType: begin.content_type, parts: piecesOf(key, entries) });
      this.#counts.blobs += 1;
    } catch (error) {
      if (!(error instanceof BlobMissingError)) throw error;
    }
  }
}

/** The blob was deleted while it was archived, so there is nothing to restore. */
class BlobMissingError extends Error {}

/** The pieces of a blob up to its last entry. */
async function* piecesOf(key: string, entries: AsyncGenerator<ArchiveEntry>): AsyncGenerator<Uint8Array> {
  for (let next = await entries.next(); !next.done; next = await entries.next()) {
    const entry = next.value;
    if (entry.component !== "blobs" || entry.key !== key) break;
    if ("gone" in entry) throw new BlobMissingError();
    if ("sha256" in entry) return;
    if ("piece" in entry) yield Buffer.from(entry.piece, "base64");
  }
  throw new Error(`the blob ${key} does not end where it should`);
}

/** Builds the search index from the restored records; returns its number of documents. */
async function rebuildIndex(
  { ports, clock }: Runtime,
  { kinds, consume }: RestoreOptions["indexing"],
): Promise<number> {
  let waiting: StoredRecord[] = [];
  const index = async () => {
    if (waiting.length === 0) return;
    await consume(waiting.map((after, place) => ({ key: after, after, sequence: String(place), at: clock() })));
    waiting = [];
  };
  for await (const { items } of pagesOf((after) => ports.inventory.list({ kinds, limit: BATCH, after }))) {
    waiting.push(...items);
    if (waiting.length >= INDEXED_AT_ONCE) await index();
  }
  await index();
  return countDocuments(ports);
}

async function countDocuments({ search }: Runtime["ports"]): Promise<number> {
  let count = 0;
  for await (const { documents } of pagesOf((after) => search.list({ limit: BATCH, after }))) count += documents.length;
  return count;
}
