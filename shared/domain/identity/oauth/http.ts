import type { Config } from "../../../kernel/config.ts";
import { ServiceError } from "../../../kernel/errors.ts";
import type { Logger } from "../../../kernel/logger.ts";
import { type ConfiguredRequest, fetchConfigured } from "../../../runtime/fetching/fetch-configured.ts";
import { carry } from "../../../runtime/fetching/secret-destinations.ts";
import type { ProviderName } from "./provider.ts";

/** A sign-in makes up to four requests and must respond within API Gateway's 29 seconds. */
export const TIMEOUT_SECONDS = 5;
/** Far above the size of any discovery document, key set or list of addresses. */
const MAX_ANSWER_BYTES = 256 * 1024;

/** The subset of `fetch` that openid-client uses. */
export type Fetch = (url: string, options: RequestInit) => Promise<Response>;

/** A bounded `fetch` for a provider; the secrets of openid-client's requests go only to their allowed destinations. */
export function createFetch(provider: ProviderName, config: Config): Fetch {
  return (url, { headers, ...options }) => {
    const { authorization, ...others } = Object.fromEntries(new Headers(headers));
    const client = provider === "google" ? carry("google_client", config) : carry("github_client", config);
    // A body contains the client secret and the code; a token is in a header.
    const secrets = options.body === undefined || options.body === null ? [] : [client];
    if (authorization !== undefined) secrets.push(carry("github_sign_in_token", config, { authorization }));
    return fetchBounded(url, { ...options, headers: others, secrets });
  };
}

/** Reads a response up to the size limit; the caller's signal limits the time. */
async function fetchBounded(url: string, request: ConfiguredRequest): Promise<Response> {
  const response = await fetchConfigured(url, request);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new Error(`the provider's response exceeds ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  const { status, headers } = response;
  return new Response(size === 0 ? null : Buffer.concat(chunks), { status, headers });
}

/** Error codes of openid-client for a valid response that does not belong to this sign-in or this provider. */
const NOT_OURS = new Set([
  "OAUTH_INVALID_RESPONSE",
  "OAUTH_JWT_CLAIM_COMPARISON_FAILED",
  "OAUTH_JWT_TIMESTAMP_CHECK_FAILED",
  "OAUTH_KEY_SELECTION_FAILED",
]);

/** The error of a sign-in that the provider refused or answered with an invalid response. */
export function signInRefused(provider: ProviderName, reason: string): ServiceError {
  return new ServiceError("OAUTH_REFUSED", `The sign-in at ${provider} did not succeed. Start again.`, {
    provider,
    reason,
  });
}

/** The provider and the logger for error reports. */
export interface ErrorReporting {
  provider: ProviderName;
  logger: Logger;
}

/**
 * The error for a provider that is unreachable, violates the protocol or does not know this client. Errors of
 * openid-client contain the response with its tokens, so only their code and message are logged.
 */
export function providerUnavailable(error: unknown, { provider, logger }: ErrorReporting): ServiceError {
  const isOwn = error instanceof Error && error.cause instanceof ServiceError;
  const cause = isOwn ? error.cause : error;
  const { code, message }: { code?: unknown; message: string } =
    cause instanceof Error ? cause : new Error(String(cause));
  logger.error("PROVIDER_OUT_OF_ORDER", { provider, code, reason: message });
  return new ServiceError("SERVICE_UNAVAILABLE", `${provider} is not reachable. Try again later.`, { provider });
}

/** The error that a failed exchange shows to the user. */
export async function toSignInError(error: unknown, { provider, logger }: ErrorReporting): Promise<ServiceError> {
  if (error instanceof ServiceError) return error;
  const { ClientError, ResponseBodyError } = await import("openid-client");
  if (error instanceof ResponseBodyError && error.error === "invalid_grant")
    return signInRefused(provider, error.error);
  if (!(error instanceof ClientError && NOT_OURS.has(error.code ?? "")))
    return providerUnavailable(error, { provider, logger });
  const { code, message } = error;
  logger.warn("PROVIDER_ANSWER_REFUSED", { provider, code, reason: message });
  return signInRefused(provider, "invalid_answer");
}
