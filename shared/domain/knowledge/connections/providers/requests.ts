import { setTimeout as wait } from "node:timers/promises";
import type * as z from "zod";
import { SECOND_MS } from "../../../../kernel/durations.ts";
import { ServiceError } from "../../../../kernel/errors.ts";
import { CredentialsRefusedError, ProviderError, RetryLaterError } from "../../../../ports/provider-faults.ts";
import type { Runtime } from "../../../../runtime/context.ts";
import { type FetchOptions, fetchPublic } from "../../../../runtime/fetching/fetch-public.ts";
import type { OutgoingSecret } from "../../../../runtime/fetching/secret-destinations.ts";
import type { ReadDocument } from "./provider.ts";

/** A request as client libraries pass it to `fetch`. */
export interface ProviderRequest {
  method?: string | undefined;
  headers?: Record<string, string> | undefined;
  body?: unknown;
  /** Secrets of this request in addition to those of every request. */
  secrets?: readonly OutgoingSecret[] | undefined;
}

/**
 * A `fetch` that respects the provider's limits: 429, 5xx and broken connections are retried after the requested time
 * or with growing waits, within the turn. Other responses are returned. Throws CredentialsRefusedError (401),
 * RetryLaterError, ProviderError.
 */
export type ProviderFetch = (url: string | URL, request?: ProviderRequest) => Promise<Response>;

const MAX_TRIES = 5;
const FIRST_WAIT_MS = 500;
/** A longer wait postpones the turn. */
const MAX_WAIT_MS = 20_000;
/** The wait if a provider limits requests without naming a time. */
const DEFAULT_WAIT_MS = 30_000;

type ProviderFetchOptions = Pick<FetchOptions, "secrets">;

/** The time limit of a turn, with what its requests need. */
export type Turn = Pick<Runtime, "config" | "clock"> & {
  /** Epoch milliseconds after which the turn no longer waits. */
  deadline: number;
};

/** A `ProviderFetch` for a turn; `secrets` are those of every request. */
export function createProviderFetch(turn: Turn, options: ProviderFetchOptions = {}): ProviderFetch {
  return async (url, request = {}) => {
    for (let tries = 1; ; tries++) {
      const response = await send(turn, url, request, options);
      if (response instanceof Response && !isRetryable(response)) {
        if (response.status !== 401) return response;
        await discard(response);
        throw new CredentialsRefusedError();
      }
      if (tries === MAX_TRIES) throw await finalError(turn, response);
      const requested = response instanceof Response ? requestedWait(response, turn.clock()) : undefined;
      if (response instanceof Response) await discard(response);
      const backoff = FIRST_WAIT_MS * 2 ** (tries - 1) * (0.5 + Math.random() / 2);
      await pauseUntil(turn, turn.clock() + (requested ?? backoff));
    }
  };
}

/** Waits, or throws RetryLaterError if that exceeds the turn. */
export async function pauseUntil({ clock, deadline }: Omit<Turn, "config">, until: number): Promise<void> {
  const milliseconds = until - clock();
  if (milliseconds <= 0) return;
  if (milliseconds > MAX_WAIT_MS || until > deadline) throw new RetryLaterError(until);
  await wait(milliseconds);
}

async function send(
  { config }: Pick<Turn, "config">,
  url: string | URL,
  { method, headers, body, secrets = [] }: ProviderRequest,
  { secrets: common = [] }: ProviderFetchOptions,
): Promise<Response | ServiceError> {
  try {
    return await fetchPublic({ config }, url, {
      secrets: [...common, ...secrets],
      ...(method !== undefined && { method }),
      ...(headers !== undefined && { headers }),
      ...(body !== undefined && body !== null && { body: body instanceof Uint8Array ? body : String(body) }),
    });
  } catch (error) {
    if (error instanceof ServiceError && error.code === "FETCH_FAILED") return error;
    // The token comes from the deployment's client and must not be sent to the connection's own address, so the
    // connection needs another one.
    if (error instanceof ServiceError && error.details.secret === "connection_token")
      throw new CredentialsRefusedError();
    if (error instanceof ServiceError) throw new ProviderError(error.message);
    throw error;
  }
}

const NOT_IMPLEMENTED = 501;

/** Whether the response means too many requests, in any provider's form, or a temporary failure. */
function isRetryable({ status, headers }: Response): boolean {
  if (status === 429 || (status >= 500 && status !== NOT_IMPLEMENTED)) return true;
  return status === 403 && (headers.get("x-ratelimit-remaining") === "0" || headers.has("retry-after"));
}

/** The requested wait in milliseconds: from Retry-After (seconds or a date), or from GitHub's rate limit reset. */
function requestedWait({ status, headers }: Response, now: number): number | undefined {
  const retryAfter = headers.get("retry-after");
  if (retryAfter !== null) {
    const seconds = Number(retryAfter);
    return Math.max(0, Number.isFinite(seconds) ? seconds * SECOND_MS : Date.parse(retryAfter) - now) || 0;
  }
  const reset = Number(headers.get("x-ratelimit-reset") ?? Number.NaN);
  if (headers.get("x-ratelimit-remaining") === "0" && Number.isFinite(reset))
    return Math.max(0, reset * SECOND_MS - now);
  return status === 403 ? DEFAULT_WAIT_MS : undefined;
}

async function finalError({ clock }: Turn, last: Response | ServiceError): Promise<Error> {
  if (last instanceof ServiceError) return new ProviderError(last.message);
  await discard(last);
  if (last.status < 500) return new RetryLaterError(clock() + (requestedWait(last, clock()) ?? DEFAULT_WAIT_MS));
  return new ProviderError(`The provider keeps answering with status ${last.status}.`);
}

/** Drops the rest of a response, so that its connection is released. */
export async function discard(response: Response): Promise<void> {
  await response.body?.cancel();
}

/** The response parsed by its schema. Throws ProviderError for another shape. */
export function parsed<T>(schema: z.ZodType<T>, response: unknown, sender: string): T {
  const result = schema.safeParse(response);
  if (!result.success) throw new ProviderError(`The response of ${sender} does not have its documented form.`);
  return result.data;
}

/** Whether the requested resource does not exist; the response is discarded then. */
export async function isAbsent(response: Response): Promise<boolean> {
  if (response.status !== 404 && response.status !== 410) return false;
  await discard(response);
  return true;
}

/** Discards a response that is not successful. Throws ProviderError. */
export async function requireSuccess(response: Response, sender: string): Promise<void> {
  if (response.ok) return;
  await discard(response);
  throw new ProviderError(`${sender} answers with the status ${response.status}.`);
}

/** The JSON of a response that must be successful. Throws ProviderError. */
export async function jsonOf(response: Response): Promise<unknown> {
  await requireSuccess(response, "The provider");
  try {
    return await response.json();
  } catch (error) {
    if (error instanceof SyntaxError) throw new ProviderError("The provider's response is not JSON.");
    throw error;
  }
}

/** A `fetch` for client libraries, which send only text. */
export function asFetch(fetch: ProviderFetch): typeof globalThis.fetch {
  return fetch as unknown as typeof globalThis.fetch;
}

/** The file of a response for a source. Throws ProviderError. */
export async function fileOf(
  response: Response,
  { name, content_type }: { name: string; content_type?: string | undefined },
  sender = "The file's link",
): Promise<ReadDocument["content"] | "gone"> {
  if (await isAbsent(response)) return "gone";
  await requireSuccess(response, sender);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const type = content_type ?? response.headers.get("content-type") ?? undefined;
  return { file: { bytes, name, ...(type !== undefined && { content_type: type }) } };
}
