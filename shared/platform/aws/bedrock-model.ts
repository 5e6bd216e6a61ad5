import {
  BedrockRuntimeClient,
  BedrockRuntimeServiceException,
  ConverseCommand,
  type ConverseCommandOutput,
} from "@aws-sdk/client-bedrock-runtime";
import {
  type AskingOptions,
  createAskedModel,
  type ModelProvider,
  ProviderFailure,
  type Question,
  type Reply,
  retryAfterMs,
  withDefaults,
} from "../../models/asked-model.ts";
import type { LanguageModel } from "../ports.ts";

/** Room for the largest extraction: 60 facts and 40 entities. */
const MAX_ANSWER_TOKENS = 8_000;

/** A chat model on Bedrock by the Converse API. The answer is asked for as the input of a tool, which fixes its shape. */
export function createBedrockModel(
  modelId: string,
  options: Partial<AskingOptions> = {},
  client = new BedrockRuntimeClient({ maxAttempts: 1 }),
): LanguageModel {
  const asking = withDefaults(options);
  const provider: ModelProvider = {
    provider: "bedrock",
    model: modelId,
    async ask(question, signal) {
      try {
        return replyOf(await client.send(converse(modelId, question), { abortSignal: signal }));
      } catch (error) {
        if (error instanceof ProviderFailure) throw error;
        throw failureOf(error, signal, asking.clock());
      }
    },
  };
  return createAskedModel(provider, asking);
}

/** Of the models there. */
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
      tools: [{ toolSpec: { name, description: "Takes the answer.", inputSchema: { json: schema } } }],
      toolChoice: { tool: { name } },
    },
  });
}

/** A model that answers in words instead of calling the tool may still have written the JSON. */
function replyOf({ output, usage }: ConverseCommandOutput): Reply {
  const content = output?.message?.content;
  if (content === undefined) throw new ProviderFailure("a reply without a message", false);
  const call = content.find(({ toolUse }) => toolUse !== undefined)?.toolUse;
  return {
    text: call === undefined ? content.map(({ text }) => text ?? "").join("") : JSON.stringify(call.input),
    usage: { inputTokens: usage?.inputTokens ?? 0, outputTokens: usage?.outputTokens ?? 0 },
  };
}

function failureOf(error: unknown, signal: AbortSignal, now: number): ProviderFailure {
  if (signal.aborted) return new ProviderFailure("no reply in time", false, undefined, error);
  if (!(error instanceof BedrockRuntimeServiceException)) {
    return new ProviderFailure("no connection", true, undefined, error);
  }
  const status = error.$metadata.httpStatusCode ?? 0;
  const passing = error.$retryable !== undefined || status === 429 || status >= 500;
  const wait = retryAfterMs(error.$response?.headers["retry-after"], now);
  return new ProviderFailure(`${error.name} (${status})`, passing, wait, error);
}
