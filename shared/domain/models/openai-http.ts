import * as z from "zod";
import type { Clock } from "../../kernel/clock.ts";
import { parseJsonIfValid } from "../../kernel/objects.ts";
import { trimmedEnd } from "../../kernel/strings.ts";
import { fetchConfigured } from "../../runtime/fetching/fetch-configured.ts";
import { carry } from "../../runtime/fetching/secret-destinations.ts";
import { ModelProviderError, retryAfterMs } from "./remote-model.ts";

/** Address of an OpenAI-compatible provider. */
export interface OpenAiAddress {
  /** Without the endpoint's own path, e.g. https://api.openai.com/v1 or http://localhost:11434/v1. */
  baseUrl: string;
  /** Local servers need none. */
  apiKey?: string | undefined;
}

/** The provider rejected one parameter of a request. */
export class UnsupportedParameterError extends ModelProviderError {
  readonly parameter: string;

  constructor(status: number, parameter: string) {
    super(`status ${status}`, false);
    this.parameter = parameter;
  }
}

/** Posts a body and returns the JSON of the reply, undefined if it is not JSON. Throws ModelProviderError. */
export type OpenAiCaller = (body: object, signal: AbortSignal) => Promise<unknown>;

/** Creates a caller for one endpoint, e.g. "embeddings". A reply longer than `maxBytes` fails; its rest is not read. */
export function openAiCaller(
  { baseUrl, apiKey }: OpenAiAddress,
  endpoint: string,
  maxBytes: number,
  clock: Clock,
): OpenAiCaller {
  const url = `${trimmedEnd(baseUrl, /\//)}/${endpoint}`;
  const headers = { "content-type": "application/json" };
  const authorization: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const secrets = [carry("model_key", { OPENAI_BASE_URL: baseUrl }, authorization)];
  return async (body, signal) => {
    try {
      const request = { method: "POST", headers, body: JSON.stringify(body), signal, secrets };
      const response = await fetchConfigured(url, request);
      const reply = parseJsonIfValid(await textOf(response, maxBytes));
      if (!response.ok) throw failureOf(response, reply, clock());
      return reply;
    } catch (error) {
      if (error instanceof ModelProviderError) throw error;
      throw new ModelProviderError(
        signal.aborted ? "no reply in time" : "no connection",
        !signal.aborted,
        undefined,
        error,
      );
    }
  };
}

/** Returns the text of a reply. Throws ModelProviderError if it is too long. */
async function textOf({ body }: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new ModelProviderError("a reply that is too long", false);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

const TRANSIENT_STATUSES = new Set([408, 409, 429]);

const ErrorBody = z.object({ error: z.object({ param: z.string() }) });

function failureOf({ status, headers }: Response, body: unknown, now: number): ModelProviderError {
  const rejection = status === 400 ? ErrorBody.safeParse(body) : undefined;
  if (rejection?.success) return new UnsupportedParameterError(status, rejection.data.error.param);
  const transient = TRANSIENT_STATUSES.has(status) || status >= 500;
  return new ModelProviderError(`status ${status}`, transient, retryAfterMs(headers.get("retry-after"), now));
}
