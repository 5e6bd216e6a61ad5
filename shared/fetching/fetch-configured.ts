import { type CarriedSecret, headersWithSecrets } from "./secret-destinations.ts";

/** What sends requests in the end; the global `fetch` but in tests. */
export type Send = typeof fetch;

/** What is sent to an address of the operator's settings. */
export interface ConfiguredRequest extends Omit<RequestInit, "headers" | "redirect"> {
  headers?: Record<string, string>;
  /** Secrets in the body, and secrets whose `headers` are added to the request. */
  secrets?: readonly CarriedSecret[];
}

/**
 * Requests an address that the operator's settings name, private ones too. A redirect is an answer like any other: nothing
 * is sent to where it leads. Throws URL_NOT_ALLOWED for a URL that may not see one of the secrets.
 */
export async function fetchConfigured(
  url: string,
  { headers = {}, secrets = [], ...request }: ConfiguredRequest,
  send: Send = fetch,
): Promise<Response> {
  return send(url, { ...request, headers: headersWithSecrets(url, headers, secrets), redirect: "manual" });
}
