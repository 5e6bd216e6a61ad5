import * as z from "zod";
import type { LanguageModel } from "../../ports/language-model.ts";
import { type OpenAiAddress, openAiCaller, UnsupportedParameterError } from "./openai-http.ts";
import {
  createRemoteModel,
  type ModelProvider,
  ModelProviderError,
  type Question,
  type RemoteModelOptions,
  type Reply,
  withDefaults,
} from "./remote-model.ts";

export interface OpenAiSettings extends OpenAiAddress {
  model: string;
}

/** Creates a chat model behind any OpenAI-compatible address: OpenAI, Ollama, vLLM and similar servers. */
export function createOpenAiModel(settings: OpenAiSettings, given: Partial<RemoteModelOptions> = {}): LanguageModel {
  const options = withDefaults(given);
  return createRemoteModel(openAiProvider(settings, options), options);
}

const Completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
});

/** Maximum size of a reply: more than the longest answer that a task asks for. */
const MAX_REPLY_BYTES = 2 * 1024 * 1024;

/** Reasoning models accept only their own temperature; a model that has rejected the parameter is not sent it again. */
function openAiProvider(settings: OpenAiSettings, { clock }: RemoteModelOptions): ModelProvider {
  const post = openAiCaller(settings, "chat/completions", MAX_REPLY_BYTES, clock);
  let hasTemperature = true;
  return {
    provider: "openai",
    model: settings.model,
    async ask(question, signal) {
      const body = requestOf(settings.model, question);
      const sampling = { temperature: question.temperature ?? 0 };
      try {
        return replyOf(await post(hasTemperature ? { ...body, ...sampling } : body, signal));
      } catch (error) {
        if (!hasTemperature || !(error instanceof UnsupportedParameterError) || !(error.parameter in sampling))
          throw error;
        hasTemperature = false;
        return replyOf(await post(body, signal));
      }
    },
  };
}

/** Uses `max_tokens`, because servers other than OpenAI's do not support its successor. */
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
  if (!completion.success) throw new ModelProviderError("a reply that is no chat completion", false);
  const { choices, usage } = completion.data;
  return {
    text: choices[0]?.message.content ?? "",
    usage: { inputTokens: usage?.prompt_tokens ?? 0, outputTokens: usage?.completion_tokens ?? 0 },
  };
}
