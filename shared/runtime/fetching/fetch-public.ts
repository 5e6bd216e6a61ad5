import type { IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Config } from "../../kernel/config.ts";
import { ServiceError } from "../../kernel/errors.ts";
import { headersWithSecrets, type OutgoingSecret } from "./secret-destinations.ts";
import { type Address, checkUrl, type Resolve, resolveTarget } from "./targets.ts";

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_MAX_BYTES = 5 * 1024 * 1024;
const DEFAULT_MAX_REDIRECTS = 3;
const MAX_HEADER_BYTES = 16 * 1024;
const USER_AGENT = "memory-service/0.1";

/** Supported content codings; a chain of codings is refused as a decompression bomb. */
const DECODERS = new Map<string, () => NodeJS.ReadWriteStream & Readable>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/** The only headers that are kept when a request is redirected to another origin. */
const SAFE_FOR_OTHERS = new Set(["accept", "accept-language", "user-agent"]);

export interface FetchOptions {
  /** The default is GET. */
  method?: string;
  /** Headers except accept-encoding, which is always set. A redirect to another origin keeps only SAFE_FOR_OTHERS. */
  headers?: Record<string, string>;
  /** Never sent to another origin after a redirect. */
  body?: string | Uint8Array;
  /** All secrets of the request: those in the body, and those whose `headers` are added. */
  secrets?: readonly OutgoingSecret[];
  /** Maximum size of the decompressed body; the default is 5 MB. */
  maxBytes?: number;
  /** Time limit from the DNS lookup to the last byte of the body, including redirects; the default is 10 s. */
  timeoutMs?: number;
  /** The default is 3. With 0, redirects are returned. */
  maxRedirects?: number;
  /** Aborts the request earlier. */
  signal?: AbortSignal;
  /** The default is DNS. */
  resolve?: Resolve;
}

interface Outgoing {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
}

/**
 * Requests a URL that a client or a document named, and connects only to the addresses that were checked, for each
 * redirect. `url` of the response is the last URL; the body is streamed and decompressed; error statuses are returned.
 * Throws FETCH_FAILED, also while reading a body that is too long or too slow, and URL_NOT_ALLOWED for a target that is
 * not public or may not receive a secret.
 */
export async function fetchPublic(
  { config }: { config: Pick<Config, "ALLOW_PRIVATE_TARGETS"> },
  given: string | URL,
  options: FetchOptions = {},
): Promise<Response> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, maxRedirects = DEFAULT_MAX_REDIRECTS, signal: outer } = options;
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = outer ? AbortSignal.any([deadline, outer]) : deadline;
  let outgoing = firstRequest(checkUrl(given, config), options);
  for (let redirects = 0; ; redirects++) {
    const { url } = outgoing;
    try {
      const addresses = await orAborted(resolveTarget(url, config, options.resolve), signal);
      const message = await send(outgoing, addresses, signal);
      const location = maxRedirects > 0 ? redirectOf(message) : undefined;
      if (location === undefined) return toResponse(url, message, options.maxBytes ?? DEFAULT_MAX_BYTES, signal);
      message.destroy();
      if (redirects === maxRedirects) throw failed(url, `it redirects more than ${maxRedirects} times`);
      outgoing = redirected(outgoing, checkUrl(URL.parse(location, url.href) ?? location, config), message.statusCode);
    } catch (error) {
      throw toFailure(url, error, signal);
    }
  }
}

function firstRequest(url: URL, { method = "GET", headers = {}, body, secrets = [] }: FetchOptions): Outgoing {
  return { url, method, headers: { "user-agent": USER_AGENT, ...headersWithSecrets(url, headers, secrets) }, body };
}

/** Rejects when the signal is aborted: a DNS lookup cannot be cancelled, but the caller need not wait for it. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const rejectAborted = () => reject(signal.reason);
  signal.addEventListener("abort", rejectAborted, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", rejectAborted));
}

async function send({ url, method, headers, body }: Outgoing, addresses: Address[], signal: AbortSignal) {
  // Loaded at first use: `node:http` loads all of `fetch`, which adds tens of milliseconds to a cold start.
  const { request } = await (url.protocol === "https:" ? import("node:https") : import("node:http"));
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const outgoing = request(url, {
    method,
    headers: { ...headers, ...length, "accept-encoding": "gzip, deflate, br" },
    lookup: pinnedTo(addresses),
    agent: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
  });
  outgoing.on("response", resolve).on("error", reject);
  outgoing.end(body);
  return promise;
}

/** Returns a lookup function that returns the checked addresses, whatever the name resolves to now. */
function pinnedTo(addresses: Address[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, addresses);
    else if (first) callback(null, first.address, first.family);
  };
}

/** Returns the Location of a redirect; undefined for other responses. */
function redirectOf({ statusCode = 0, headers: { location } }: IncomingMessage): string | undefined {
  return [301, 302, 303, 307, 308].includes(statusCode) ? location : undefined;
}

/** Returns the request that follows a redirect. Throws URL_NOT_ALLOWED if it would send a body to another origin. */
function redirected({ url: from, method, headers, body }: Outgoing, url: URL, status: number | undefined): Outgoing {
  const isSameOrigin = url.origin === from.origin;
  const kept = Object.entries(headers).filter(([name]) => isSameOrigin || SAFE_FOR_OTHERS.has(name));
  const keepsMethod = status === 307 || status === 308 || method === "GET" || method === "HEAD";
  if (keepsMethod && !isSameOrigin && body !== undefined) {
    const reason = "a request with a body is not redirected to another origin";
    throw new ServiceError("URL_NOT_ALLOWED", `This URL is not fetched: ${reason}.`, { reason });
  }
  const next = { url, headers: Object.fromEntries(kept) };
  return keepsMethod ? { ...next, method, body } : { ...next, method: "GET", body: undefined };
}

function toResponse(url: URL, message: IncomingMessage, maxBytes: number, signal: AbortSignal): Response {
  const { statusCode: status = 0, statusMessage: statusText, rawHeaders } = message;
  if (status < 200 || status > 599) throw failed(url, `it answers with the status ${status}`);
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  }
  const isEmpty = [204, 205, 304].includes(status);
  if (isEmpty) message.destroy();
  const body = isEmpty ? null : streamOf(bounded(url, message, maxBytes, signal), message);
  const response = new Response(body, { status, statusText: latin(statusText), headers });
  // `url` of a Response is read-only, so it is defined as an own property.
  return Object.defineProperty(response, "url", { value: url.href });
}

/** Returns the body as a stream. Cancelling it, even unread, releases the connection. */
function streamOf(parts: AsyncGenerator<Uint8Array>, message: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void message.destroy(),
  });
}

/** Replaces the bytes of a status line that a Response does not accept. */
function latin(text = ""): string {
  return text.replace(/[^\t\x20-\x7e]/g, "?");
}

async function* bounded(
  url: URL,
  message: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of decoded(url, message) as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > maxBytes) throw failed(url, `its content is longer than ${maxBytes} bytes`);
      yield chunk;
    }
  } catch (error) {
    throw toFailure(url, error, signal);
  } finally {
    message.destroy();
  }
}

function decoded(url: URL, message: IncomingMessage): Readable {
  const coding = message.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (coding === "identity" || coding === "") return message;
  const decoder = DECODERS.get(coding)?.();
  if (!decoder) throw failed(url, "its Content-Encoding is not gzip, deflate or br");
  return pipeline(message, decoder, () => {
    // The reader of the decoder receives the error.
  }) as typeof decoder;
}

function failed(url: URL, reason: string): ServiceError {
  return new ServiceError("FETCH_FAILED", `${url.host} could not be read: ${reason}.`, { host: url.host, reason });
}

function toFailure(url: URL, error: unknown, signal: AbortSignal): unknown {
  if (error instanceof ServiceError) return error;
  if (signal.aborted) return failed(url, "it took too long");
  return failed(url, REASONS[codeOf(error)] ?? "the connection failed or was interrupted");
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

const REASONS: Readonly<Record<string, string | undefined>> = {
  ENOTFOUND: "its name has no address",
  EAI_AGAIN: "its name cannot be looked up now",
  ECONNREFUSED: "nothing answers there",
  HPE_HEADER_OVERFLOW: `its headers are longer than ${MAX_HEADER_BYTES} bytes`,
  Z_DATA_ERROR: "its content is not what its Content-Encoding says",
  Z_BUF_ERROR: "its content ends too early",
};
