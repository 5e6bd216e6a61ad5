import {
  BedrockRuntimeClient,
  BedrockRuntimeServiceException,
  ConverseCommand,
  type ConverseCommandOutput,
} from "@aws-sdk/client-bedrock-runtime";
import {
  createRemoteModel,
  type ModelProvider,
  ModelProviderError,
  type Question,
  type RemoteModelOptions,
  type Reply,
  retryAfterMs,
  withDefaults,
} from "../../domain/models/remote-model.ts";
import type { LanguageModel } from "../../ports/language-model.ts";

/** Enough for the largest extraction: 60 facts and 40 entities. */
export const MAX_ANSWER_TOKENS = 8_000;

/** A chat model on Bedrock through the Converse API. The answer is the input of a tool, which fixes its shape. */
export function createBedrockModel(
  modelId: string,
  options: Partial<RemoteModelOptions> = {},
  client = new BedrockRuntimeClient({ maxAttempts: 1 }),
): LanguageModel {
  const modelOptions = withDefaults(options);
  const provider: ModelProvider = {
    provider: "bedrock",
    model: modelId,
    async ask(question, signal) {
      try {
        return replyOf(await client.send(converse(modelId, question), { abortSignal: signal }));
      } catch (error) {
        if (error instanceof ModelProviderError) throw error;
        throw failureOf(error, signal, modelOptions.clock());
      }
    },
  };
  return createRemoteModel(provider, modelOptions);
}

/** The highest temperature that Bedrock's models accept. */
const MAX_TEMPERATURE = 1;

function converse(
  modelId: string,
  { name, system, messages, schema, maxTokens = MAX_ANSWER_TOKENS, temperature = 0 }: Question,
): ConverseCommand {
  return new ConverseCommand({
    modelId,
    system: [{ text: system }],
    messages: messages.map(({ role, content }) => ({ role, content: [{ text: content }] })),
    inferenceConfig: {
      temperature: Math.min(temperature, MAX_TEMPERATURE),
      maxTokens: Math.min(maxTokens, MAX_ANSWER_TOKENS),
    },
    toolConfig: {
      tools: [{ toolSpec: { name, description: "Receives the response.", inputSchema: { json: schema } } }],
      toolChoice: { tool: { name } },
    },
  });
}

/** A model that answers in text instead of calling the tool may still have written the JSON. */
function replyOf({ output, usage }: ConverseCommandOutput): Reply {
  const content = output?.message?.content;
  if (content === undefined) throw new ModelProviderError("a reply without a message", false);
  const call = content.find(({ toolUse }) => toolUse !== undefined)?.toolUse;
  return {
    text: call === undefined ? content.map(({ text }) => text ?? "").join("") : JSON.stringify(call.input),
    usage: { inputTokens: usage?.inputTokens ?? 0, outputTokens: usage?.outputTokens ?? 0 },
  };
}

function failureOf(error: unknown, signal: AbortSignal, now: number): ModelProviderError {
  if (signal.aborted) return new ModelProviderError("no reply in time", false, undefined, error);
  if (!(error instanceof BedrockRuntimeServiceException)) {
    return new ModelProviderError("no connection", true, undefined, error);
  }
  const status = error.$metadata.httpStatusCode ?? 0;
  const transient = error.$retryable !== undefined || status === 429 || status >= 500;
  const wait = retryAfterMs(error.$response?.headers["retry-after"], now);
  return new ModelProviderError(`${error.name} (${status})`, transient, wait, error);
}
