import type { IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Config } from "../kernel/config.ts";
import { ServiceError } from "../kernel/errors.ts";
import { type CarriedSecret, headersWithSecrets } from "./secret-destinations.ts";
import { type Address, checkUrl, type Resolve, resolveTarget } from "./targets.ts";

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_MAX_BYTES = 5 * 1024 * 1024;
const DEFAULT_MAX_REDIRECTS = 3;
const MAX_HEADER_BYTES = 16 * 1024;
const USER_AGENT = "memory-service/0.1";

/** Content codings that are taken off; one after the other would be a bomb's, not a server's. */
const DECODERS: Readonly<Record<string, (() => NodeJS.ReadWriteStream & Readable) | undefined>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** What a request says to the host it was meant for and to no other one it is redirected to. */
const SAFE_FOR_OTHERS = new Set(["accept", "accept-language", "user-agent"]);

export interface FetchOptions {
  /** GET unless told. */
  method?: string;
  /** Besides accept-encoding, which is the fetcher's own. Only accept and user-agent follow a redirect to another origin. */
  headers?: Record<string, string>;
  /** Never follows a redirect to another origin. */
  body?: string | Uint8Array;
  /** Secrets in the body, and secrets whose headers are added to the request. */
  secrets?: readonly CarriedSecret[];
  /** Longest body, after decompression; 5 MB unless told. */
  maxBytes?: number;
  /** From the first look-up of the name to the last byte of the body, redirects included; 10 s unless told. */
  timeoutMs?: number;
  /** 3 unless told. With 0 a redirect is an answer like any other. */
  maxRedirects?: number;
  /** Gives up sooner. */
  signal?: AbortSignal;
  /** DNS unless told. */
  resolve?: Resolve;
}

interface Outgoing {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
}

/**
 * Requests a URL that a client or a document named, connecting at each redirect to the addresses that were checked. `url`
 * of the answer is the last one; its body is streamed and decompressed; an error status is an answer. Throws FETCH_FAILED,
 * as does reading a body that is too long or too slow, and URL_NOT_ALLOWED for what is not public or may not see a secret.
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
      outgoing = redirected(outgoing, checkUrl(absolute(location, url), config), message.statusCode);
    } catch (error) {
      throw toFailure(url, error, signal);
    }
  }
}

function firstRequest(url: URL, { method = "GET", headers = {}, body, secrets = [] }: FetchOptions): Outgoing {
  return { url, method, headers: { "user-agent": USER_AGENT, ...headersWithSecrets(url, headers, secrets) }, body };
}

/** A name's look-up cannot be called off, but need not be waited for. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const give = () => reject(signal.reason);
  signal.addEventListener("abort", give, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", give));
}

async function send({ url, method, headers, body }: Outgoing, addresses: Address[], signal: AbortSignal) {
  // Each is loaded at its first use: importing `node:http` loads all of `fetch`, which costs a cold start tens of ms.
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

/** Answers what was checked, whatever the name stands for by now. */
function pinnedTo(addresses: Address[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, addresses);
    else if (first) callback(null, first.address, first.family);
  };
}

function redirectOf({ statusCode = 0, headers: { location } }: IncomingMessage): string | undefined {
  return [301, 302, 303, 307, 308].includes(statusCode) ? location : undefined;
}

function absolute(location: string, base: URL): URL | string {
  return URL.parse(location, base.href) ?? location;
}

/** Throws URL_NOT_ALLOWED where it asks to send a body to another origin. */
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
  for (let place = 0; place + 1 < rawHeaders.length; place += 2) {
    headers.append(rawHeaders[place] ?? "", rawHeaders[place + 1] ?? "");
  }
  const isEmpty = [204, 205, 304].includes(status);
  if (isEmpty) message.destroy();
  const body = isEmpty ? null : streamOf(bounded(url, message, maxBytes, signal), message);
  const response = new Response(body, { status, statusText: latin(statusText), headers });
  // A Response that was not made by `fetch` has no address, and takes none.
  return Object.defineProperty(response, "url", { value: url.href });
}

/** Whoever cancels the body, be it unread, lets go of the connection. */
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

/** A status line may hold bytes that a Response does not take. */
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
  const decoder = DECODERS[coding]?.();
  if (!decoder) throw failed(url, "its Content-Encoding is not gzip, deflate or br");
  return pipeline(message, decoder, () => {
    // Whoever reads the decoder is told of the error by it.
  }) as typeof decoder;
}

function failed(url: URL, reason: string): ServiceError {
  return new ServiceError("FETCH_FAILED", `${url.host} could not be read: ${reason}.`, { host: url.host, reason });
}

function toFailure(url: URL, error: unknown, signal: AbortSignal): unknown {
  if (error instanceof ServiceError) return error;
  if (signal.aborted) return failed(url, "it took too long");
  return failed(url, REASONS[codeOf(error)] ?? "the connection failed or broke off");
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
