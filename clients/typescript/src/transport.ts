import { ConnectionError, errorOf, MemoryError, RateLimitError } from "./errors.ts";

export interface ClientOptions {
  /** Address of the service, such as `http://127.0.0.1:3000`. */
  baseUrl: string;
  /** An API key. Alternatively, set `accessToken` to a user's access token. */
  apiKey?: string;
  accessToken?: string;
  /** Timeout of one attempt in milliseconds; 30,000 by default. */
  timeoutMs?: number;
  /** Maximum number of retries; 2 by default. */
  maxRetries?: number;
  /** For tests and for runtimes with their own fetch. */
  fetch?: typeof fetch;
}

export interface RequestOptions {
  /** Aborts the request and its retries. */
  signal?: AbortSignal;
  /** A request with the same key and body within 24 hours returns the result of the first one. Generated if omitted. */
  idempotencyKey?: string;
  /** The expected version; if the resource has another one, the service rejects the change with a ConflictError. */
  ifVersion?: number;
}

export interface Call {
  method: string;
  /** The path with its parameters filled in. */
  path: string;
  query?: object | undefined;
  /** Sent as JSON; a FormData is sent unchanged. */
  body?: object | undefined;
  headers?: Record<string, string> | undefined;
}

const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 2;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 10_000;
/** Statuses after which a retry may succeed. */
const PASSING = new Set([429, 502, 503, 504]);

const REDACTED = "[REDACTED]";
/** What a credential may contain: fetch names the whole value if it is invalid in a header. */
const CREDENTIAL = /^[\x21-\x7e]+$/;

/** Throws a TypeError, which does not contain the credential, if a header cannot carry it. */
export function requireCredential(name: string, value: string): string {
  if (CREDENTIAL.test(value)) return value;
  throw new TypeError(`The ${name} has characters that no key has, such as blanks or line breaks.`);
}

/** Returns the address without a trailing slash. Throws a TypeError if it contains a user or a password. */
export function baseOf(address: string): string {
  const { href, username, password } = new URL(address);
  if (username !== "" || password !== "")
    throw new TypeError("The address of the service contains a user or password.");
  return href.replace(/\/$/, "");
}

/** Sends requests and retries them if that is safe: each attempt of a POST has the same idempotency key. */
export class Transport {
  readonly #options: ClientOptions;
  readonly #base: string;
  readonly #credential: string;

  constructor(options: ClientOptions) {
    const { baseUrl, apiKey, accessToken } = options;
    const credential = apiKey ?? accessToken;
    if (credential === undefined) throw new TypeError("Give the client an apiKey or an accessToken.");
    this.#options = options;
    this.#base = baseOf(baseUrl);
    this.#credential = requireCredential(apiKey === undefined ? "accessToken" : "apiKey", credential);
  }

  /** Returns the service's answer without its envelope. Throws a MemoryError if the request fails. */
  async send<Answer>(call: Call, options: RequestOptions = {}): Promise<Answer> {
    const { maxRetries = MAX_RETRIES } = this.#options;
    const request = this.#request(call, options);
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt<Answer>(request, call, options.signal);
      } catch (error) {
        const delay = attempt < maxRetries ? delayBefore(error, attempt, call) : undefined;
        if (delay === undefined || options.signal?.aborted) throw error;
        await new Promise((resolve) => setTimeout(resolve, delay));
      }
    }
  }

  #request({ method, path, query, body, headers: own }: Call, { idempotencyKey, ifVersion }: RequestOptions): Request {
    const url = new URL(this.#base + path);
    for (const [name, value] of Object.entries(query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const headers = new Headers({ accept: "application/json", ...own });
    if (this.#options.apiKey === undefined) headers.set("authorization", `Bearer ${this.#credential}`);
    else headers.set("x-api-key", this.#credential);
    const isForm = body instanceof FormData;
    if (body !== undefined && !isForm) headers.set("content-type", "application/json");
    if (method === "POST") headers.set("idempotency-key", idempotencyKey ?? crypto.randomUUID());
    if (ifVersion !== undefined) headers.set("if-match", `"${ifVersion}"`);
    // A redirect would send the credential and the body to another address.
    const redirect = "error";
    return new Request(url, { method, headers, redirect, body: isForm ? body : body && JSON.stringify(body) });
  }

  async #attempt<Answer>(request: Request, call: Call, signal: AbortSignal | undefined): Promise<Answer> {
    const { timeoutMs = TIMEOUT_MS, fetch: send = fetch } = this.#options;
    const timeout = AbortSignal.timeout(timeoutMs);
    const either = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
    let response: Response;
    let text: string;
    try {
      response = await send(request.clone(), { signal: either });
      text = await response.text();
    } catch (cause) {
      if (signal?.aborted) throw cause;
      const isLate = timeout.aborted;
      const problem = isLate ? `no answer within ${timeoutMs} ms` : "the connection failed";
      const code = isLate ? "TIMEOUT" : "CONNECTION_FAILED";
      throw new ConnectionError(`${call.method} ${call.path}: ${problem}`, { code, status: 0, cause });
    }
    // An answer of another server may repeat the request's headers.
    const answer = parsed(response.ok ? text : text.replaceAll(this.#credential, REDACTED));
    if (response.ok) return (answer && "data" in answer ? answer.data : answer) as Answer;
    throw refusal(call, response, answer);
  }
}

interface Envelope {
  data?: unknown;
  error?: { code: string; message: string; details?: Record<string, unknown> };
  meta?: { request_id?: string };
}

function parsed(text: string): Envelope | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusal({ method, path }: Call, response: Response, answer: Envelope | undefined): MemoryError {
  const { code = `HTTP_${response.status}`, message = response.statusText, details } = answer?.error ?? {};
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return errorOf(`${method} ${path}: ${message}`, {
    code,
    status: response.status,
    details,
    requestId: answer?.meta?.request_id ?? response.headers.get("x-request-id") ?? undefined,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : undefined,
  });
}

/**
 * Returns the milliseconds to wait before a retry, or undefined if a retry would not help or might apply a change
 * twice.
 */
function delayBefore(error: unknown, attempt: number, { method }: Call): number | undefined {
  if (!(error instanceof MemoryError)) return undefined;
  const isUnanswered = error instanceof ConnectionError && method !== "PUT" && method !== "PATCH";
  if (!PASSING.has(error.status) && !isUnanswered) return undefined;
  const asked = error instanceof RateLimitError ? error.retryAfterMs : undefined;
  if (asked !== undefined) return asked <= MAX_DELAY_MS ? asked : undefined;
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt) * (0.5 + Math.random() / 2);
}
