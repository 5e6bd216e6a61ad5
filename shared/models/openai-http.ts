import type { Clock } from "../kernel/clock.ts";
import { trimmedEnd } from "../kernel/trimmed.ts";
import { ProviderFailure, retryAfterMs } from "./asked-model.ts";

/** Where an OpenAI-compatible provider is. */
export interface OpenAiAddress {
  /** Without the endpoint's own path, e.g. https://api.openai.com/v1 or http://localhost:11434/v1. */
  baseUrl: string;
  /** Local servers want none. */
  apiKey?: string | undefined;
}

/** Posts one body and answers the JSON of the reply, undefined where it is none. Throws ProviderFailure. */
export type OpenAiCaller = (body: object, signal: AbortSignal) => Promise<unknown>;

/** A caller of one endpoint, e.g. "embeddings". */
export function openAiCaller(
  { baseUrl, apiKey }: OpenAiAddress,
  endpoint: string,
  request: typeof fetch,
  clock: Clock,
): OpenAiCaller {
  const url = `${trimmedEnd(baseUrl, /\//)}/${endpoint}`;
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (apiKey !== undefined) headers.authorization = `Bearer ${apiKey}`;
  return async (body, signal) => {
    try {
      const response = await request(url, { method: "POST", headers, body: JSON.stringify(body), signal });
      const text = await response.text();
      if (!response.ok) throw failureOf(response, clock());
      return parsed(text);
    } catch (error) {
      if (error instanceof ProviderFailure) throw error;
      throw new ProviderFailure(
        signal.aborted ? "no reply in time" : "no connection",
        !signal.aborted,
        undefined,
        error,
      );
    }
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const PASSING_STATUSES = new Set([408, 409, 429]);

function failureOf({ status, headers }: Response, now: number): ProviderFailure {
  const passing = PASSING_STATUSES.has(status) || status >= 500;
  return new ProviderFailure(`status ${status}`, passing, retryAfterMs(headers.get("retry-after"), now));
}
