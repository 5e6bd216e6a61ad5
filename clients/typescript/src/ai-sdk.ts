import type { LanguageModelV4CallOptions, LanguageModelV4Message, LanguageModelV4Middleware } from "@ai-sdk/provider";
import type { MemoryClient } from "./client.ts";
import { asDataBlock } from "./prompt.ts";

export interface MemoryMiddlewareOptions {
  client: Pick<MemoryClient, "recall" | "remember">;
  /** The person who talks to the model. */
  userId: string;
  /** Maximum tokens of the recalled context; 500 by default. */
  maxTokens?: number;
  /** Store what the user says; true by default. */
  remembers?: boolean;
  /** The serverless platform's function that keeps the process alive until a promise settles. */
  waitUntil?: (promise: Promise<unknown>) => void;
  /** Called if a recall or a write fails. The model is called anyway. */
  onError?: (error: unknown) => void;
}

const MAX_TOKENS = 500;
/** The service rejects longer queries. The end of a message is kept because it usually contains the question. */
const MAX_QUERY_LENGTH = 1_000;

/**
 * Middleware for `wrapLanguageModel` of the AI SDK. Before a call, it adds what is known for the user's last message to
 * the prompt, and stores that message in parallel with the call. The recalled context is marked as data.
 */
export function memoryMiddleware(options: MemoryMiddlewareOptions): LanguageModelV4Middleware {
  const { client, userId, maxTokens = MAX_TOKENS, remembers = true, waitUntil, onError } = options;

  async function withMemory(params: LanguageModelV4CallOptions): Promise<LanguageModelV4CallOptions> {
    const query = lastWords(params.prompt)?.trim().slice(-MAX_QUERY_LENGTH);
    if (query === undefined || query === "") return params;
    try {
      const { context, confident } = await client.recall(query, { user_id: userId, max_tokens: maxTokens });
      return confident ? { ...params, prompt: withContext(params.prompt, context) } : params;
    } catch (error) {
      onError?.(error);
      return params;
    }
  }

  function remember(params: LanguageModelV4CallOptions): void {
    const content = remembers ? lastWords(params.prompt)?.trim() : undefined;
    if (content === undefined || content === "") return;
    const stored = client
      .remember({ content, user_id: userId, metadata: { role: "user" } })
      .catch((error: unknown) => onError?.(error));
    waitUntil?.(stored);
  }

  return {
    specificationVersion: "v4",
    transformParams: ({ params }) => withMemory(params),
    wrapGenerate: ({ doGenerate, params }) => {
      remember(params);
      return doGenerate();
    },
    wrapStream: ({ doStream, params }) => {
      remember(params);
      return doStream();
    },
  };
}

/**
 * Returns the text of the last message if it is the user's, otherwise undefined: a call after a tool's answer repeats
 * earlier messages.
 */
function lastWords(prompt: LanguageModelV4Message[]): string | undefined {
  const last = prompt.at(-1);
  if (last?.role !== "user") return undefined;
  return last.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** Inserts the context after the system messages at the beginning. */
function withContext(prompt: LanguageModelV4Message[], context: string): LanguageModelV4Message[] {
  const first = prompt.findIndex(({ role }) => role !== "system");
  const content = `What is known of the user from earlier conversations:\n${asDataBlock(context)}`;
  return [...prompt.slice(0, first), { role: "system", content }, ...prompt.slice(first)];
}
