import type { ChangeConsumer } from "../../../ports/changes.ts";
import { pagesOf } from "../../../ports/pages.ts";
import type { RecordKey, StoredRecord } from "../../../ports/record-store.ts";
import { currentSecretName, DATA_KEY } from "../../../ports/secret-names.ts";
import { OPERATOR_ORG } from "../../../runtime/access/operator.ts";
import type { HasPorts, Runtime } from "../../../runtime/context.ts";
import { ARCHIVE_PREFIX } from "./archives.ts";
import { type ArchiveEntry, type BlobEntry, InvalidArchiveError } from "./format.ts";
import {
  archiveEntries,
  type OpenArchive,
  type ReadArchiveOptions,
  type VerifiedArchive,
  verifyArchive,
} from "./read-archive.ts";
import type { KeptSecret } from "./secrets.ts";

const BATCH_SIZE = 500;
/** Minimum number of searchable records per indexing batch; a page may add more. */
const MIN_INDEX_BATCH = 100;

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
  await runtime.ports.records.write({ put: { ...RESTORATION, kind: "restoration", mark } });
  for (const { name, value } of secrets) await runtime.ports.secrets.putIfAbsent(name, value);
  const counts = await fillStores(runtime, verified, open);
  const documents = await rebuildIndex(runtime, indexing);
  await runtime.ports.records.write({ delete: RESTORATION });
  return { id: header.id, created_at: header.created_at, ...counts, secrets: secrets.length, documents };
}

async function fillStores(runtime: Runtime, verified: VerifiedArchive, open: OpenArchive) {
  try {
    return await new Restoration(runtime, verified).fill(archiveEntries(open));
  } catch (error) {
    if (!(error instanceof InvalidArchiveError)) throw error;
    throw new Error("the archive changed while it was restored: only a part of it is stored", { cause: error });
  }
}

/** Returns the secrets of an archive, which are its first entries. */
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
class Restoration {
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
      if (entry.component === "blobs") await this.#restoreBlob(entry, entries);
      else if (entry.component === "search_index") this.#counts.documents_named += 1;
      else if (entry.component !== "secrets") await this.#restoreRecord(entry);
    }
    await this.#writeBatch();
    return this.#counts;
  }

  async #restoreRecord(entry: Extract<ArchiveEntry, { record: unknown } | { sealed?: string }>): Promise<void> {
    const { keys } = this.#archive;
    const { component, sealed } = entry;
    const open = "record" in entry ? entry.record : undefined;
    const secret = sealed === undefined || !keys ? undefined : JSON.parse(keys.unseal(component, sealed));
    if (sealed !== undefined && secret === undefined) this.#counts.left_out += 1;
    if (open === undefined && secret === undefined) return;
    this.#counts.records += 1;
    this.#batch.push({ ...open, ...secret } as StoredRecord);
    if (this.#batch.length >= BATCH_SIZE) await this.#writeBatch();
  }

  async #writeBatch(): Promise<void> {
    await this.#runtime.ports.inventory.fill(this.#batch);
    this.#batch = [];
  }

  async #restoreBlob(first: BlobEntry, entries: AsyncGenerator<ArchiveEntry>): Promise<void> {
    const { key } = first;
    if (!("content_type" in first)) throw new Error(`the first entry of the blob ${key} is missing`);
    try {
      await this.#runtime.ports.blobs.write(key, { contentType: first.content_type, parts: piecesOf(key, entries) });
      this.#counts.blobs += 1;
    } catch (error) {
      if (!(error instanceof BlobMissingError)) throw error;
    }
  }
}

/** The blob was deleted while it was archived, so there is nothing to restore. */
class BlobMissingError extends Error {}

/** Yields the pieces of a blob up to its last entry. */
async function* piecesOf(key: string, entries: AsyncGenerator<ArchiveEntry>): AsyncGenerator<Uint8Array> {
  for (let next = await entries.next(); !next.done; next = await entries.next()) {
    const entry = next.value;
    if (entry.component !== "blobs" || entry.key !== key) break;
    if ("gone" in entry) throw new BlobMissingError();
    if ("sha256" in entry) return;
    if ("piece" in entry) yield Buffer.from(entry.piece, "base64");
  }
  throw new Error(`the last entry of the blob ${key} is missing`);
}

/** Builds the search index from the restored records; returns its number of documents. */
async function rebuildIndex(
  { ports, clock }: Runtime,
  { kinds, consume }: RestoreOptions["indexing"],
): Promise<number> {
  let waiting: StoredRecord[] = [];
  const flush = async () => {
    if (waiting.length === 0) return;
    await consume(waiting.map((after, index) => ({ key: after, after, sequence: String(index), at: clock() })));
    waiting = [];
  };
  for await (const { items } of pagesOf((after) => ports.inventory.list({ kinds, limit: BATCH_SIZE, after }))) {
    waiting.push(...items);
    if (waiting.length >= MIN_INDEX_BATCH) await flush();
  }
  await flush();
  return countDocuments(ports);
}

async function countDocuments({ search }: Runtime["ports"]): Promise<number> {
  let count = 0;
  for await (const { documents } of pagesOf((after) => search.list({ limit: BATCH_SIZE, after })))
    count += documents.length;
  return count;
}

const PAGE_SIZE = 1000;

/** Exists while a restore is in progress and names its archive, so that the same archive may continue after a crash. */
const RESTORATION: RecordKey = { pk: "restoration", sk: "restoration" };

/** Kinds of records that a deployment writes before its first use. */
const KINDS_OF_FIRST_START = new Set([
  ...["rate_limits", "usage", "rollup", "tally", "active_user", "sweep", "sweep_run", "idempotency", "audit"],
  ...["maintenance_cleanup", "facts_backfill", "read_facts_job"],
]);

/** Whether the first start of a deployment creates the record, such as the operator's organization and first key. */
function isOfFirstStart({ kind, id, org, created_by }: StoredRecord): boolean {
  if (kind === "organization") return id === OPERATOR_ORG;
  if (kind === "api_key" || kind === "credential") return org === OPERATOR_ORG && created_by === OPERATOR_ORG;
  return KINDS_OF_FIRST_START.has(kind);
}

/** Throws InvalidArchiveError unless the stores hold nothing but an interrupted restore of the same archive. */
async function requireEmptyStores({ ports }: HasPorts, mark: string, secrets: KeptSecret[]): Promise<void> {
  const restoration = await ports.records.get(RESTORATION);
  if (restoration?.mark === mark) return;
  const found = restoration ? "the beginning of another restoration" : await findContent({ ports });
  if (found !== undefined)
    throw new InvalidArchiveError(`The target is not empty: it has ${found}. Restore into an empty one.`);
  const archivedKey = secrets.find(({ name }) => name === DATA_KEY);
  const existingKey = await ports.secrets.get(DATA_KEY);
  if (archivedKey && existingKey !== undefined && existingKey !== archivedKey.value) {
    throw new InvalidArchiveError("The target is not empty: it has its own data key. Restore into an empty one.");
  }
}

async function findContent({ ports }: HasPorts): Promise<string | undefined> {
  for await (const { items } of pagesOf((after) => ports.inventory.list({ limit: PAGE_SIZE, after }))) {
    const other = items.find((record) => !isOfFirstStart(record));
    if (other) return `a record of kind '${other.kind}'`;
  }
  for await (const { blobs } of pagesOf((after) => ports.blobs.list({ limit: PAGE_SIZE, after }))) {
    if (blobs.some(({ key }) => !key.startsWith(ARCHIVE_PREFIX))) return "blobs";
  }
  const { documents } = await ports.search.list({ limit: 1 });
  return documents.length > 0 ? "a search index" : undefined;
}
