import { ConnectionError, errorOf, MemoryError, RateLimitError } from "./errors.ts";

export interface ClientOptions {
  /** Address of the service, such as `http://127.0.0.1:3000`. */
  baseUrl: string;
  /** An API key, or an access token of a person. */
  apiKey?: string;
  accessToken?: string;
  /** Milliseconds that one attempt may take; 30,000 by default. */
  timeoutMs?: number;
  /** Attempts after the first one; 2 by default. */
  maxRetries?: number;
  /** For tests and runtimes with a fetch of their own. */
  fetch?: typeof fetch;
}

export interface RequestOptions {
  /** Ends the request and its retries. */
  signal?: AbortSignal;
  /** The same key and body again, within 24 hours, answer what the first request did. One is made up where none is given. */
  idempotencyKey?: string;
  /** The version that is changed; any other is refused with a ConflictError. */
  ifVersion?: number;
}

export interface Call {
  method: string;
  /** With its parameters filled in. */
  path: string;
  query?: object | undefined;
  body?: object | undefined;
}

const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 2;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;
/** Statuses after which the same request may succeed. */
const PASSING = new Set([429, 502, 503, 504]);

/** Sends requests, and sends them again where that is safe: a POST carries the same idempotency key each time. */
export class Transport {
  readonly #options: ClientOptions;
  readonly #base: string;

  constructor(options: ClientOptions) {
    if (options.apiKey === undefined && options.accessToken === undefined) {
      throw new TypeError("Give the client an apiKey or an accessToken.");
    }
    this.#options = options;
    this.#base = new URL(options.baseUrl).href.replace(/\/$/, "");
  }

  /** What the service answers, without its envelope. Throws a MemoryError. */
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

  #request({ method, path, query, body }: Call, { idempotencyKey, ifVersion }: RequestOptions): Request {
    const url = new URL(this.#base + path);
    for (const [name, value] of Object.entries(query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const { apiKey, accessToken } = this.#options;
    const headers = new Headers({ accept: "application/json" });
    if (apiKey !== undefined) headers.set("x-api-key", apiKey);
    else headers.set("authorization", `Bearer ${accessToken}`);
    if (body !== undefined) headers.set("content-type", "application/json");
    if (method === "POST") headers.set("idempotency-key", idempotencyKey ?? crypto.randomUUID());
    if (ifVersion !== undefined) headers.set("if-match", `"${ifVersion}"`);
    return new Request(url, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
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
    const answer = parsed(text);
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

/** Milliseconds to wait before another attempt; undefined where another one would not help, or might do something twice. */
function delayBefore(error: unknown, attempt: number, { method }: Call): number | undefined {
  if (!(error instanceof MemoryError)) return undefined;
  const isUnanswered = error instanceof ConnectionError && method !== "PUT" && method !== "PATCH";
  if (!PASSING.has(error.status) && !isUnanswered) return undefined;
  const asked = error instanceof RateLimitError ? error.retryAfterMs : undefined;
  if (asked !== undefined) return asked <= LONGEST_DELAY_MS ? asked : undefined;
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt) * (0.5 + Math.random() / 2);
}
