import { createHash, type Hash } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { sha256 } from "../../../kernel/digest.ts";
import { isWholeLine, splitLines } from "../../../kernel/lines.ts";
import { parseJsonIfValid } from "../../../kernel/objects.ts";
import {
  ARCHIVE_FORMAT,
  ARCHIVE_MARK,
  ArchiveEntry,
  ArchiveHeader,
  type ArchiveManifest,
  type BlobEntry,
  ClosingLine,
  InvalidArchiveError,
  MAX_LINE_BYTES,
} from "./format.ts";
import { ArchiveKeys } from "./keys.ts";
import { addLine, type Summaries } from "./write-archive.ts";

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** Opens an archive at its start; called for each pass over it. */
export type OpenArchive = () => AsyncIterable<Uint8Array>;

export interface ReadArchiveOptions {
  /** Version of this service; archives of later versions are refused. */
  service: string;
  /** The operator's key. */
  key?: string;
}

/** A complete and unchanged archive. */
export interface VerifiedArchive {
  header: ArchiveHeader;
  manifest: ArchiveManifest;
  /** Decrypts secrets; absent if the archive has none or no key was given. */
  keys?: ArchiveKeys;
  /** SHA-256 of its first line, which identifies it. */
  mark: string;
}

/** Checks a whole archive: versions, lines, checksums, decryption and blobs. Throws InvalidArchiveError. */
export async function verifyArchive(open: OpenArchive, options: ReadArchiveOptions): Promise<VerifiedArchive> {
  const lines = linesOf(open())[Symbol.asyncIterator]();
  try {
    const first = await lines.next();
    if (first.done) throw new InvalidArchiveError("The archive is empty.");
    const header = readHeader(first.value, options);
    const keys = await ArchiveKeys.of(options.key, header.id, header.sealing);
    const check = new ArchiveCheck(header, keys);
    let last = await lines.next();
    for (let next = await lines.next(); !last.done && !next.done; next = await lines.next()) {
      check.checkLine(last.value);
      last = next;
    }
    if (last.done) throw truncated();
    const mark = sha256(first.value);
    return { header, keys, mark, manifest: check.close(last.value, mark) };
  } finally {
    await lines.return?.(undefined);
  }
}

/** Yields the entries of a verified archive in order. */
export async function* archiveEntries(open: OpenArchive): AsyncGenerator<ArchiveEntry> {
  let index = 0;
  let pending: Buffer | undefined;
  for await (const line of linesOf(open())) {
    if (pending !== undefined) yield readEntry(pending);
    if (index++ > 0) pending = line;
  }
}

/** Counts an archive's content line by line and compares it with the manifest at the end. */
class ArchiveCheck {
  readonly #header: ArchiveHeader;
  readonly #keys: ArchiveKeys | undefined;
  readonly #summaries: Summaries = new Map();
  #blob: { key: string; size: number; hash: Hash } | undefined;

  constructor(header: ArchiveHeader, keys: ArchiveKeys | undefined) {
    this.#header = header;
    this.#keys = keys;
  }

  checkLine(line: Buffer): void {
    const entry = readEntry(line);
    const { component } = entry;
    const isListed = component === "secrets" ? this.#header.sealing : this.#header.components.includes(component);
    if (!isListed) throw changed(`has ${component}, which its header does not list`);
    addLine(this.#summaries, component, line);
    if ("sealed" in entry && entry.sealed !== undefined) this.#checkSealed(component, entry.sealed);
    if (component === "blobs") this.#checkBlob(entry);
  }

  /** Parses the last line and compares the counts with it. */
  close(line: Buffer, mark: string): ArchiveManifest {
    const closing = ClosingLine.safeParse(parseJsonIfValid(line.toString("utf8")));
    if (!closing.success || this.#blob !== undefined) throw truncated();
    const { manifest, mac } = closing.data;
    if (this.#keys && (mac === undefined || !this.#keys.isMac(JSON.stringify(manifest), mac))) {
      throw changed("has a manifest that its key does not vouch for");
    }
    if (manifest.header_sha256 !== mark) throw changed("has a header that its manifest does not match");
    const names = new Set([...this.#summaries.keys(), ...Object.keys(manifest.components)]);
    for (const name of names) this.#checkSummary(name, manifest);
    return manifest;
  }

  #checkSummary(name: string, { components }: ArchiveManifest): void {
    const { lines, bytes, sha256: hash } = components[name as keyof ArchiveManifest["components"]] ?? {};
    const found = this.#summaries.get(name);
    const isSame = found?.lines === lines && found?.bytes === bytes && found?.hash.digest("hex") === hash;
    if (!isSame) throw changed(`has ${name} that its manifest does not match`);
  }

  #checkSealed(component: string, sealed: string): void {
    if (!this.#header.sealing) throw changed("has encrypted values but no parameters of their key");
    this.#keys?.unseal(component, sealed);
  }

  #checkBlob(entry: BlobEntry): void {
    if ("content_type" in entry) {
      if (this.#blob) throw changed(`does not complete the blob ${this.#blob.key}`);
      this.#blob = { key: entry.key, size: 0, hash: createHash("sha256") };
      return;
    }
    const blob = this.#blob;
    if (blob?.key !== entry.key) throw changed(`has a piece of ${entry.key} in the wrong place`);
    if ("piece" in entry) {
      const bytes = Buffer.from(entry.piece, "base64");
      blob.size += bytes.byteLength;
      blob.hash.update(bytes);
      return;
    }
    this.#blob = undefined;
    const isSame = "gone" in entry || (entry.size === blob.size && entry.sha256 === blob.hash.digest("hex"));
    if (!isSame) throw changed(`has a blob ${entry.key} that does not match its checksum`);
  }
}

function readHeader(line: Buffer, { service }: ReadArchiveOptions): ArchiveHeader {
  const found = parseJsonIfValid(line.toString("utf8")) as { archive?: unknown; format?: unknown } | undefined;
  if (found?.archive !== ARCHIVE_MARK) throw new InvalidArchiveError("The file is not an archive of this service.");
  if (typeof found.format === "number" && found.format > ARCHIVE_FORMAT) {
    throw new InvalidArchiveError(
      `The archive has format ${found.format}, and this version reads ${ARCHIVE_FORMAT}. Update the service first.`,
    );
  }
  const header = ArchiveHeader.safeParse(found);
  if (!header.success) throw changed("has a header that cannot be read");
  if (isLater(header.data.service, service)) {
    throw new InvalidArchiveError(
      `The archive was made by version ${header.data.service}, and this is ${service}. Update the service first.`,
    );
  }
  return header.data;
}

/** Whether a version number is later than another. */
export function isLater(version: string, other: string): boolean {
  const [a, b] = [version, other].map((each) => each.split(".").map((part) => Number.parseInt(part, 10) || 0));
  for (let index = 0; index < 3; index++) {
    const difference = (a?.[index] ?? 0) - (b?.[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

function readEntry(line: Buffer): ArchiveEntry {
  const entry = ArchiveEntry.safeParse(parseJsonIfValid(line.toString("utf8")));
  if (!entry.success) throw changed("has a line that is not an entry");
  return entry.data;
}

function changed(what: string): InvalidArchiveError {
  return new InvalidArchiveError(`The archive was changed or damaged: it ${what}.`);
}

function truncated(): InvalidArchiveError {
  return new InvalidArchiveError("The archive is incomplete: its end is missing.");
}

/** Yields the lines of an archive with their line ends; gzip is detected from its first bytes. */
async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const line of splitLines(decompress(bytes), MAX_LINE_BYTES)) {
    if (!isWholeLine(line)) throw line.length > MAX_LINE_BYTES ? changed("has a line that is too long") : truncated();
    yield line;
  }
}

async function* decompress(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const parts = bytes[Symbol.asyncIterator]();
  const first = await parts.next();
  if (first.done) return;
  const firstPart = Buffer.from(first.value);
  const all = withFirstPart(firstPart, parts);
  if (!firstPart.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) return yield* all;
  const gunzip = createGunzip();
  pipeline(Readable.from(all), gunzip, () => undefined);
  try {
    yield* gunzip;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "Z_BUF_ERROR") throw truncated();
    if (code.startsWith("Z_")) throw changed("cannot be unpacked");
    throw error;
  }
}

async function* withFirstPart(first: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield Buffer.from(next.value);
}
