import { headersWithSecrets, type OutgoingSecret } from "./secret-destinations.ts";

/** A request to an address of the operator's settings. */
export interface ConfiguredRequest extends Omit<RequestInit, "headers" | "redirect"> {
  headers?: Record<string, string>;
  /** All secrets of the request: those in the body, and those whose `headers` are added. */
  secrets?: readonly OutgoingSecret[];
}

/**
 * Requests an address of the operator's settings, which may be private. Redirects are returned, not followed. Throws
 * URL_NOT_ALLOWED for a URL that may not receive one of the secrets.
 */
export async function fetchConfigured(
  url: string,
  { headers = {}, secrets = [], ...request }: ConfiguredRequest,
): Promise<Response> {
  return fetch(url, { ...request, headers: headersWithSecrets(url, headers, secrets), redirect: "manual" });
}
