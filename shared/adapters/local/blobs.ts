import { createHmac, timingSafeEqual } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, constants, open, readdir, readFile, rm, stat, statfs } from "node:fs/promises";
import path from "node:path";
import type { Clock } from "../../kernel/clock.ts";
import { isOutOfSpace } from "../../ports/backend-faults.ts";
import type { Blob, BlobEntry, BlobListing, BlobStore, BlobStream, DiskSpace } from "../../ports/blob-store.ts";
import { requireBlobKey, requireQueryLimit } from "../../ports/preconditions.ts";
import { writeAtomically } from "./storage/atomic-file.ts";
import { makePrivateFolder } from "./storage/private-files.ts";

export interface LocalBlobStoreOptions {
  /** Created if missing. */
  folder: string;
  /** Folder in which blobs are written before they are renamed; on the same file system. */
  scratch: string;
  clock: Clock;
  /** The server's base URL, e.g. `http://127.0.0.1:3000`; read for each link because the port may be known late. */
  baseUrl: () => string;
  /** Signs links; unique to each installation. */
  signingKey: string;
  /** Maximum upload size of a link. */
  maxUploadBytes?: number;
}

type LinkVerb = "get" | "put";

/** First path segment of links; the local server passes requests below it to `LocalBlobStore.respond`. */
export const BLOB_LINK_PREFIX = "/blobs/";

const MAX_UPLOAD_BYTES = 512 * 1024 * 1024;
/** In bytes including the line feed; only so much of a file is read for its first line. */
const MAX_FIRST_LINE_LENGTH = 1024;
const DEFAULT_CONTENT_TYPE = "application/octet-stream";
const METHOD_VERBS: Readonly<Record<string, LinkVerb | undefined>> = { GET: "get", PUT: "put" };

/** A stored blob that a browser opens on the service's own origin must not run anything. */
const INERT_HEADERS = { "content-security-policy": "sandbox", "x-content-type-options": "nosniff" };

/** `BlobStore` in a folder: one file per blob with its content type in the first line. */
export class LocalBlobStore implements BlobStore {
  readonly #options: LocalBlobStoreOptions;

  constructor(options: LocalBlobStoreOptions) {
    this.#options = options;
  }

  async put(key: string, { bytes, contentType }: Blob): Promise<void> {
    await writeAtomically(this.#fileOf(key), Buffer.concat([firstLine(contentType), bytes]), this.#options.scratch);
  }

  async write(key: string, { parts, contentType }: Omit<BlobStream, "size">): Promise<void> {
    await writeAtomically(this.#fileOf(key), fileOf(contentType, parts), this.#options.scratch);
  }

  async get(key: string): Promise<Blob | undefined> {
    const content = await unlessAbsent(readFile(this.#fileOf(key)));
    if (content === undefined) return undefined;
    const lineEnd = content.indexOf("\n");
    return { contentType: content.toString("utf8", 0, lineEnd), bytes: content.subarray(lineEnd + 1) };
  }

  async open(key: string): Promise<BlobStream | undefined> {
    const file = this.#fileOf(key);
    const head = await headOf(file);
    if (head === undefined) return undefined;
    const lineEnd = head.bytes.indexOf("\n");
    const start = lineEnd + 1;
    return {
      contentType: head.bytes.toString("utf8", 0, lineEnd),
      size: head.size - start,
      parts: partsOf(file, start),
    };
  }

  async delete(key: string): Promise<void> {
    await rm(this.#fileOf(key), { force: true });
  }

  async list(request: { prefix?: string; limit: number; after?: string }): Promise<BlobListing> {
    requireQueryLimit(request);
    const { prefix = "", limit, after = "" } = request;
    const blobs: BlobEntry[] = [];
    for await (const key of keysIn(this.#options.folder, "", prefix, after)) {
      const last = blobs.at(-1);
      if (blobs.length === limit && last) return { blobs, cursor: last.key };
      blobs.push(...(await this.#describe(key)));
    }
    return { blobs };
  }

  async presign(key: string, verb: LinkVerb, expiresInSeconds: number): Promise<string> {
    requireBlobKey(key);
    const expires = String(Math.floor(this.#options.clock() / 1000) + expiresInSeconds);
    const link = new URL(BLOB_LINK_PREFIX + key, this.#options.baseUrl());
    link.search = new URLSearchParams({ verb, expires, signature: this.#sign(key, verb, expires) }).toString();
    return link.href;
  }

  /** Counts space reserved for the system as used, because the service cannot use it. */
  async space(): Promise<DiskSpace> {
    await this.ping();
    const { bsize, blocks, bavail } = await statfs(this.#options.folder);
    return { used: (blocks - bavail) * bsize, total: blocks * bsize };
  }

  async ping(): Promise<void> {
    makePrivateFolder(this.#options.folder);
    await access(this.#options.folder, constants.W_OK);
  }

  /** The key that a signed link allows a request to read or write; undefined if the link is invalid. */
  verifyLink(method: string, link: string): string | undefined {
    const { pathname, searchParams } = new URL(link);
    const key = pathname.slice(BLOB_LINK_PREFIX.length);
    const verb = METHOD_VERBS[method];
    const expires = searchParams.get("expires") ?? "";
    if (!pathname.startsWith(BLOB_LINK_PREFIX) || verb === undefined) return undefined;
    if (!isSame(searchParams.get("signature") ?? "", this.#sign(key, verb, expires))) return undefined;
    return Number(expires) * 1000 > this.#options.clock() ? key : undefined;
  }

  /**
   * Serves a presigned link: 200, 400 for an invalid content type, 403 for an invalid link, 404 for a missing blob, 413
   * for a blob that is too large, 503 on a full disk.
   */
  async respond(request: Request): Promise<Response> {
    const key = this.verifyLink(request.method, request.url);
    if (key === undefined) return new Response("This link is not valid or has expired.", { status: 403 });
    return request.method === "PUT" ? this.#receive(key, request) : this.#serve(key);
  }

  async #serve(key: string): Promise<Response> {
    const blob = await this.open(key);
    if (blob === undefined) return new Response("There is nothing here.", { status: 404 });
    const headers = { ...INERT_HEADERS, "content-type": blob.contentType, "content-length": String(blob.size) };
    return new Response(ReadableStream.from(blob.parts), { headers });
  }

  async #receive(key: string, request: Request): Promise<Response> {
    const { maxUploadBytes = MAX_UPLOAD_BYTES, scratch } = this.#options;
    const contentType = request.headers.get("content-type") ?? DEFAULT_CONTENT_TYPE;
    try {
      await writeAtomically(this.#fileOf(key), fileOf(contentType, request.body, maxUploadBytes), scratch);
    } catch (error) {
      if (error instanceof UnsupportedContentTypeError) return new Response(error.message, { status: 400 });
      if (error instanceof BodyTooLargeError) return new Response(`At most ${maxUploadBytes} bytes.`, { status: 413 });
      if (isOutOfSpace(error)) return new Response("There is no room left to store this.", { status: 503 });
      throw error;
    }
    return new Response(null, { status: 200 });
  }

  /** The blob's entry of a listing; empty if the blob was deleted meanwhile. */
  async #describe(key: string): Promise<BlobEntry[]> {
    const file = this.#fileOf(key);
    const [head, found] = await Promise.all([headOf(file), unlessAbsent(stat(file))]);
    if (head === undefined || found === undefined) return [];
    return [{ key, size: head.size - head.bytes.indexOf("\n") - 1, modifiedAt: Math.floor(found.mtimeMs) }];
  }

  #fileOf(key: string): string {
    requireBlobKey(key);
    return path.join(this.#options.folder, blobPathOf(key));
  }

  #sign(key: string, verb: LinkVerb, expires: string): string {
    return createHmac("sha256", this.#options.signingKey).update(`${verb}\n${expires}\n${key}`).digest("hex");
  }
}

/** The path of a blob in its store's folder. A key may be a prefix of another: folders end in `~`, which no key has. */
export function blobPathOf(key: string): string {
  const parts = key.split("/");
  return [...parts.slice(0, -1).map((part) => `${part}~`), parts.at(-1)].join("/");
}

/** Keys below a folder with the key prefix `base`, in order: those that start with `prefix` and sort after `after`. */
async function* keysIn(folder: string, base: string, prefix: string, after: string): AsyncGenerator<string> {
  const entries = (await unlessAbsent(readdir(folder, { withFileTypes: true }))) ?? [];
  // Keys are ASCII, so code unit order is byte order; a folder sorts at the position of its keys.
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name.slice(0, -1)}/` : entry.name)).sort();
  for (const name of names) {
    const key = base + name;
    const begins = key.startsWith(prefix);
    if (!name.endsWith("/")) {
      if (begins && key > after) yield key;
      continue;
    }
    const mayContainLaterKeys = key > after || after.startsWith(key);
    if (mayContainLaterKeys && (begins || prefix.startsWith(key))) {
      yield* keysIn(path.join(folder, `${name.slice(0, -1)}~`), key, prefix, after);
    }
  }
}

export async function unlessAbsent<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** Whether an error means that a file does not exist. */
export function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

class UnsupportedContentTypeError extends Error {}

function firstLine(contentType: string): Buffer {
  const line = Buffer.from(`${contentType}\n`);
  if (/[\r\n]/.test(contentType) || line.length > MAX_FIRST_LINE_LENGTH) {
    throw new UnsupportedContentTypeError(`A content type is one line of less than ${MAX_FIRST_LINE_LENGTH} bytes.`);
  }
  return line;
}

/** The start of a file including its first line, and its size. */
async function headOf(file: string): Promise<{ bytes: Buffer; size: number } | undefined> {
  const handle = await unlessAbsent(open(file));
  if (!handle) return undefined;
  try {
    const bytes = Buffer.alloc(MAX_FIRST_LINE_LENGTH);
    const [{ bytesRead }, { size }] = await Promise.all([handle.read(bytes, 0, bytes.length, 0), handle.stat()]);
    return { bytes: bytes.subarray(0, bytesRead), size };
  } finally {
    await handle.close();
  }
}

async function* partsOf(file: string, start: number): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file, { start });
}

class BodyTooLargeError extends Error {}

async function* fileOf(
  contentType: string,
  body: AsyncIterable<Uint8Array> | null,
  maxBytes = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  yield firstLine(contentType);
  let length = 0;
  for await (const part of body ?? []) {
    length += part.byteLength;
    if (length > maxBytes) throw new BodyTooLargeError();
    yield part;
  }
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
