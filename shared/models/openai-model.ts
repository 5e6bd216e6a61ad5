import * as z from "zod";
import type { Send } from "../fetching/fetch-configured.ts";
import type { Clock } from "../kernel/clock.ts";
import type { LanguageModel } from "../platform/ports.ts";
import {
  type AskingOptions,
  createAskedModel,
  type ModelProvider,
  ProviderFailure,
  type Question,
  type Reply,
  withDefaults,
} from "./asked-model.ts";
import { type OpenAiAddress, openAiCaller, ParameterRefused } from "./openai-http.ts";

export interface OpenAiSettings extends OpenAiAddress {
  model: string;
}

export type OpenAiOptions = Partial<AskingOptions> & { fetch?: Send };

/** A chat model behind any OpenAI-compatible address: OpenAI, Ollama, vLLM and the like. */
export function createOpenAiModel(settings: OpenAiSettings, options: OpenAiOptions = {}): LanguageModel {
  const { fetch: request, ...given } = options;
  const asking = withDefaults(given);
  return createAskedModel(openAiProvider(settings, request, asking.clock), asking);
}

const Completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
});

/** More than the longest answer that a task asks for. */
const MAX_REPLY_BYTES = 2 * 1024 * 1024;

/** Models that reason take no temperature but their own; one that has refused it is not sent it again. */
function openAiProvider(settings: OpenAiSettings, request: Send | undefined, clock: Clock): ModelProvider {
  const post = openAiCaller(settings, "chat/completions", MAX_REPLY_BYTES, request, clock);
  let hasTemperature = true;
  return {
    provider: "openai",
    model: settings.model,
    async ask(question, signal) {
      const body = requestOf(settings.model, question);
      const fixed = { temperature: question.temperature ?? 0 };
      try {
        return replyOf(await post(hasTemperature ? { ...body, ...fixed } : body, signal));
      } catch (error) {
        if (!hasTemperature || !(error instanceof ParameterRefused) || !(error.parameter in fixed)) throw error;
        hasTemperature = false;
        return replyOf(await post(body, signal));
      }
    },
  };
}

/** `max_tokens` and not its successor, which servers other than OpenAI's do not know. */
function requestOf(model: string, { name, system, messages, schema, maxTokens }: Question) {
  return {
    model,
    max_tokens: maxTokens,
    messages: [{ role: "system", content: system }, ...messages],
    response_format: { type: "json_schema", json_schema: { name, schema } },
  };
}

function replyOf(body: unknown): Reply {
  const completion = Completion.safeParse(body);
  if (!completion.success) throw new ProviderFailure("a reply that is no chat completion", false);
  const { choices, usage } = completion.data;
  return {
    text: choices[0]?.message.content ?? "",
    usage: { inputTokens: usage?.prompt_tokens ?? 0, outputTokens: usage?.completion_tokens ?? 0 },
  };
}
