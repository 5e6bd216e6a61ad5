import * as z from "zod";
import { fetchConfigured, type Send } from "../fetching/fetch-configured.ts";
import { carry } from "../fetching/secret-destinations.ts";
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

/** A request of which the provider refuses one parameter. */
export class ParameterRefused extends ProviderFailure {
  readonly parameter: string;

  constructor(status: number, parameter: string) {
    super(`status ${status}`, false);
    this.parameter = parameter;
  }
}

/** Posts one body and answers the JSON of the reply, undefined where it is none. Throws ProviderFailure. */
export type OpenAiCaller = (body: object, signal: AbortSignal) => Promise<unknown>;

/** A caller of one endpoint, e.g. "embeddings". A reply of more than `maxBytes` is a failure; no more of it is read. */
export function openAiCaller(
  { baseUrl, apiKey }: OpenAiAddress,
  endpoint: string,
  maxBytes: number,
  request: Send | undefined,
  clock: Clock,
): OpenAiCaller {
  const url = `${trimmedEnd(baseUrl, /\//)}/${endpoint}`;
  const headers = { "content-type": "application/json" };
  const proof: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const secrets = [carry("model_key", { OPENAI_BASE_URL: baseUrl }, proof)];
  return async (body, signal) => {
    try {
      const sent = { method: "POST", headers, body: JSON.stringify(body), signal, secrets };
      const response = await fetchConfigured(url, sent, request);
      const reply = parsed(await textOf(response, maxBytes));
      if (!response.ok) throw failureOf(response, reply, clock());
      return reply;
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

/** Throws ProviderFailure for a reply that is too long. */
async function textOf({ body }: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new ProviderFailure("a reply that is too long", false);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const PASSING_STATUSES = new Set([408, 409, 429]);

const ErrorBody = z.object({ error: z.object({ param: z.string() }) });

function failureOf({ status, headers }: Response, body: unknown, now: number): ProviderFailure {
  const refused = status === 400 ? ErrorBody.safeParse(body) : undefined;
  if (refused?.success) return new ParameterRefused(status, refused.data.error.param);
  const passing = PASSING_STATUSES.has(status) || status >= 500;
  return new ProviderFailure(`status ${status}`, passing, retryAfterMs(headers.get("retry-after"), now));
}
