import { type ConfiguredRequest, fetchConfigured } from "../../fetching/fetch-configured.ts";
import { carry } from "../../fetching/secret-destinations.ts";
import type { Config } from "../../kernel/config.ts";
import { ServiceError } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { ProviderName } from "./provider.ts";

/** A sign-in asks up to four times, and is answered within the 29 seconds that API Gateway waits. */
export const TIMEOUT_SECONDS = 5;
/** Far above any discovery document, key set or list of addresses. */
const MAX_ANSWER_BYTES = 256 * 1024;

/** What openid-client asks of a `fetch`. */
export type Fetch = (url: string, options: RequestInit) => Promise<Response>;

class AnswerTooLong extends Error {
  constructor() {
    super(`the answer exceeds ${MAX_ANSWER_BYTES} bytes`);
    this.name = "AnswerTooLong";
  }
}

/** A `fetch` of a provider, bounded; the secrets that openid-client put into a request go to their destinations alone. */
export function createFetch(provider: ProviderName, config: Config): Fetch {
  return (url, { headers, ...options }) => {
    const { authorization, ...others } = Object.fromEntries(new Headers(headers));
    const client = provider === "google" ? carry("google_client", config) : carry("github_client", config);
    // A body holds the client and the code; a token is in a header.
    const secrets = options.body === undefined || options.body === null ? [] : [client];
    if (authorization !== undefined) secrets.push(carry("github_sign_in_token", config, { authorization }));
    return fetchBounded(url, { ...options, headers: others, secrets });
  };
}

/** Reads no more of an answer than any provider has to say; the caller's signal ends it in time. */
async function fetchBounded(url: string, request: ConfiguredRequest): Promise<Response> {
  const response = await fetchConfigured(url, request);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new AnswerTooLong();
    chunks.push(chunk);
  }
  const { status, headers } = response;
  return new Response(size === 0 ? null : Buffer.concat(chunks), { status, headers });
}

/** Codes of openid-client for an answer that is in order as such, but not one to this sign-in, or not the provider's. */
const NOT_OURS = new Set([
  "OAUTH_INVALID_RESPONSE",
  "OAUTH_JWT_CLAIM_COMPARISON_FAILED",
  "OAUTH_JWT_TIMESTAMP_CHECK_FAILED",
  "OAUTH_KEY_SELECTION_FAILED",
]);

/** The sign-in cannot go on: the provider, or what it answered, says no. */
export function refused(provider: ProviderName, reason: string): ServiceError {
  return new ServiceError("OAUTH_REFUSED", `The sign-in at ${provider} did not succeed. Start again.`, {
    provider,
    reason,
  });
}

/** Where to tell what went wrong with whom. */
export interface Blame {
  provider: ProviderName;
  logger: Logger;
}

/**
 * The provider is out of reach, does not speak the protocol, or does not know us. An error of openid-client carries what
 * was answered, tokens included, so no more than its code and message is logged.
 */
export function outOfOrder(error: unknown, { provider, logger }: Blame): ServiceError {
  const isOwn = error instanceof Error && error.cause instanceof ServiceError;
  const told = isOwn ? error.cause : error;
  const { code, message }: { code?: unknown; message: string } = told instanceof Error ? told : new Error(String(told));
  logger.error("PROVIDER_OUT_OF_ORDER", { provider, code, reason: message });
  return new ServiceError("SERVICE_UNAVAILABLE", `${provider} cannot be asked now. Try again later.`, { provider });
}

/** What a failed exchange means for whoever signs in. */
export async function explain(error: unknown, { provider, logger }: Blame): Promise<ServiceError> {
  if (error instanceof ServiceError) return error;
  const { ClientError, ResponseBodyError } = await import("openid-client");
  if (error instanceof ResponseBodyError && error.error === "invalid_grant") return refused(provider, error.error);
  if (!(error instanceof ClientError && NOT_OURS.has(error.code ?? ""))) return outOfOrder(error, { provider, logger });
  const { code, message } = error;
  logger.warn("PROVIDER_ANSWER_REFUSED", { provider, code, reason: message });
  return refused(provider, "invalid_answer");
}
