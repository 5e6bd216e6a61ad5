import * as z from "zod";
import type { Clock } from "../kernel/clock.ts";
import type { LanguageModel } from "../platform/ports.ts";
import {
  type AskingOptions,
  createAskedModel,
  type ModelProvider,
  ProviderFailure,
  type Question,
  type Reply,
  retryAfterMs,
  withDefaults,
} from "./asked-model.ts";

export interface OpenAiSettings {
  /** Up to and without "/chat/completions", e.g. https://api.openai.com/v1 or http://localhost:11434/v1. */
  baseUrl: string;
  /** Local servers want none. */
  apiKey?: string | undefined;
  model: string;
}

export type OpenAiOptions = Partial<AskingOptions> & { fetch?: typeof fetch };

/** A chat model behind any OpenAI-compatible address: OpenAI, Ollama, vLLM and the like. */
export function createOpenAiModel(settings: OpenAiSettings, options: OpenAiOptions = {}): LanguageModel {
  const { fetch: request = fetch, ...given } = options;
  const asking = withDefaults(given);
  return createAskedModel(openAiProvider(settings, request, asking.clock), asking);
}

const Completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
});

function openAiProvider(
  { baseUrl, apiKey, model }: OpenAiSettings,
  request: typeof fetch,
  clock: Clock,
): ModelProvider {
  const url = `${baseUrl.replace(/\/+$/, "")}/chat/completions`;
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (apiKey !== undefined) headers.authorization = `Bearer ${apiKey}`;
  return {
    provider: "openai",
    model,
    async ask(question, signal) {
      try {
        const body = JSON.stringify(requestOf(model, question));
        const response = await request(url, { method: "POST", headers, body, signal });
        return replyOf(response, await response.text(), clock());
      } catch (error) {
        if (error instanceof ProviderFailure) throw error;
        throw new ProviderFailure(
          signal.aborted ? "no reply in time" : "no connection",
          !signal.aborted,
          undefined,
          error,
        );
      }
    },
  };
}

function requestOf(model: string, { name, system, messages, schema }: Question) {
  return {
    model,
    messages: [{ role: "system", content: system }, ...messages],
    response_format: { type: "json_schema", json_schema: { name, schema } },
  };
}

function replyOf(response: Response, body: string, now: number): Reply {
  if (!response.ok) throw failureOf(response, now);
  const completion = Completion.safeParse(parsed(body));
  if (!completion.success) throw new ProviderFailure("a reply that is no chat completion", false);
  const { choices, usage } = completion.data;
  return {
    text: choices[0]?.message.content ?? "",
    usage: { inputTokens: usage?.prompt_tokens ?? 0, outputTokens: usage?.completion_tokens ?? 0 },
  };
}

/** Undefined for what is no JSON, so that both kinds of broken reply end in one place. */
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
