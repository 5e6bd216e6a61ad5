import { setTimeout as wait } from "node:timers/promises";
import { type FetchOptions, fetchPublic } from "../../fetching/fetch-public.ts";
import type { CarriedSecret } from "../../fetching/secret-destinations.ts";
import { ServiceError } from "../../kernel/errors.ts";
import type { Home } from "../../platform/context.ts";
import { CredentialsRefused, Postponed, ProviderFailed } from "./faults.ts";

/** A request as client libraries make it of a `fetch`. */
export interface ProviderRequest {
  method?: string | undefined;
  headers?: Record<string, string> | undefined;
  body?: unknown;
  /** Secrets of this request, besides those that every one carries. */
  secrets?: readonly CarriedSecret[] | undefined;
}

/**
 * A `fetch` that keeps to the provider's limits: a 429, a 5xx or a broken connection is tried again, after as long as the
 * provider says or ever longer, as long as the run may take. Any other answer is the caller's. Throws CredentialsRefused
 * (401), Postponed, ProviderFailed.
 */
export type ProviderFetch = (url: string | URL, request?: ProviderRequest) => Promise<Response>;

const MOST_TRIES = 5;
const FIRST_WAIT_MS = 500;
/** A longer one is for another turn. */
const LONGEST_WAIT_MS = 20_000;
/** Where a provider says that it is too much, and not for how long. */
const UNTOLD_WAIT_MS = 30_000;
const SECOND = 1000;

type ProviderFetchOptions = Pick<FetchOptions, "secrets">;

export type Turn = Pick<Home, "config" | "clock"> & {
  /** Epoch milliseconds from which on nothing is waited for. */
  deadline: number;
};

/** `secrets`: what every request carries. */
export function createProviderFetch(turn: Turn, options: ProviderFetchOptions = {}): ProviderFetch {
  return async (url, request = {}) => {
    for (let tries = 1; ; tries++) {
      const response = await send(turn, url, request, options);
      if (response instanceof Response && !isRefusedForNow(response)) {
        if (response.status !== 401) return response;
        await discard(response);
        throw new CredentialsRefused();
      }
      if (tries === MOST_TRIES) throw await inVain(turn, response);
      const told = response instanceof Response ? toldWait(response, turn.clock()) : undefined;
      if (response instanceof Response) await discard(response);
      await pauseUntil(turn, turn.clock() + (told ?? jittered(FIRST_WAIT_MS * 2 ** (tries - 1))));
    }
  };
}

/** Waits, or throws Postponed where that is too long for this turn. */
export async function pauseUntil({ clock, deadline }: Omit<Turn, "config">, until: number): Promise<void> {
  const milliseconds = until - clock();
  if (milliseconds <= 0) return;
  if (milliseconds > LONGEST_WAIT_MS || until > deadline) throw new Postponed(until);
  await wait(milliseconds);
}

async function send(
  { config }: Pick<Turn, "config">,
  url: string | URL,
  { method, headers, body, secrets = [] }: ProviderRequest,
  { secrets: usual = [] }: ProviderFetchOptions,
): Promise<Response | ServiceError> {
  try {
    return await fetchPublic({ config }, url, {
      secrets: [...usual, ...secrets],
      ...(method !== undefined && { method }),
      ...(headers !== undefined && { headers }),
      ...(body !== undefined && body !== null && { body: body instanceof Uint8Array ? body : String(body) }),
    });
  } catch (error) {
    if (error instanceof ServiceError && error.code === "FETCH_FAILED") return error;
    // A token of the deployment's client, at an address of the connection's own: it needs another one.
    if (error instanceof ServiceError && error.details.secret === "connection_token") throw new CredentialsRefused();
    if (error instanceof ServiceError) throw new ProviderFailed(error.message);
    throw error;
  }
}

const NEVER_IMPLEMENTED = 501;

/** Too many requests, in any provider's way of saying it, or out of order for now. */
function isRefusedForNow({ status, headers }: Response): boolean {
  if (status === 429 || (status >= 500 && status !== NEVER_IMPLEMENTED)) return true;
  return status === 403 && (headers.get("x-ratelimit-remaining") === "0" || headers.has("retry-after"));
}

/** How long the provider asks to wait: Retry-After in seconds or as a date, or GitHub's time of the next allowance. */
function toldWait({ status, headers }: Response, now: number): number | undefined {
  const retryAfter = headers.get("retry-after");
  if (retryAfter !== null) {
    const seconds = Number(retryAfter);
    return Math.max(0, Number.isFinite(seconds) ? seconds * SECOND : Date.parse(retryAfter) - now) || 0;
  }
  const reset = Number(headers.get("x-ratelimit-reset") ?? Number.NaN);
  if (headers.get("x-ratelimit-remaining") === "0" && Number.isFinite(reset)) return Math.max(0, reset * SECOND - now);
  return status === 403 ? UNTOLD_WAIT_MS : undefined;
}

function jittered(milliseconds: number): number {
  return milliseconds * (0.5 + Math.random() / 2);
}

async function inVain({ clock }: Turn, last: Response | ServiceError): Promise<Error> {
  if (last instanceof ServiceError) return new ProviderFailed(last.message);
  await discard(last);
  if (last.status < 500) return new Postponed(clock() + (toldWait(last, clock()) ?? UNTOLD_WAIT_MS));
  return new ProviderFailed(`The provider answers with the status ${last.status} again and again.`);
}

export async function discard(response: Response): Promise<void> {
  await response.body?.cancel();
}

/** The JSON of an answer that must be a success. Throws ProviderFailed. */
export async function jsonOf(response: Response): Promise<unknown> {
  if (!response.ok) {
    await discard(response);
    throw new ProviderFailed(`The provider answers with the status ${response.status}.`);
  }
  try {
    return await response.json();
  } catch (error) {
    if (error instanceof SyntaxError) throw new ProviderFailed("The provider's answer is not JSON.");
    throw error;
  }
}

/** What client libraries take for a `fetch`: they send texts alone, and look at no more of it than there is. */
export function asFetch(fetch: ProviderFetch): typeof globalThis.fetch {
  return fetch as unknown as typeof globalThis.fetch;
}
