import type { MemoryClient } from "./client.ts";
import { asDataBlock } from "./prompt.ts";

/** Versions of the AI SDK's middleware: of the package `ai` 5, 6 and 7. */
type Version = "v2" | "v3" | "v4";

/** What all of these versions have in common of a message. */
interface Message {
  role: string;
  content: string | { type: string; text?: string }[];
}

interface CallOptions {
  prompt: Message[];
}

/** The middleware of each version is of this type, with types of its own for the call and its result. */
interface MemoryMiddleware<Specification extends Version> {
  specificationVersion: Specification;
  transformParams<Params extends CallOptions>(call: { params: Params }): Promise<Params>;
  wrapGenerate<Result>(call: { doGenerate: () => PromiseLike<Result>; params: CallOptions }): Promise<Result>;
  wrapStream<Result>(call: { doStream: () => PromiseLike<Result>; params: CallOptions }): Promise<Result>;
}

export interface MemoryMiddlewareOptions<Specification extends Version = "v4"> {
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
  /** Of the package `ai`: "v2" for its version 5, "v3" for 6, "v4" for 7, which is the default. */
  specificationVersion?: Specification;
}

const MAX_TOKENS = 500;
/** The service rejects longer queries. The end of a message is kept because it usually contains the question. */
const MAX_QUERY_LENGTH = 1_000;

/**
 * Middleware for `wrapLanguageModel` of the AI SDK. Before a call, it adds what is known for the user's last message to
 * the prompt, and stores that message in parallel with the call. The recalled context is marked as data.
 */
export function memoryMiddleware<Specification extends Version = "v4">(
  options: MemoryMiddlewareOptions<Specification>,
): MemoryMiddleware<Specification> {
  const { client, userId, maxTokens = MAX_TOKENS, remembers = true, waitUntil, onError } = options;

  async function withMemory<Params extends CallOptions>(params: Params): Promise<Params> {
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

  function remember(params: CallOptions): void {
    const content = remembers ? lastWords(params.prompt)?.trim() : undefined;
    if (content === undefined || content === "") return;
    const stored = client
      .remember({ content, user_id: userId, metadata: { role: "user" } })
      .catch((error: unknown) => onError?.(error));
    waitUntil?.(stored);
  }

  return {
    specificationVersion: versionOf(options),
    transformParams: ({ params }) => withMemory(params),
    wrapGenerate: async ({ doGenerate, params }) => {
      remember(params);
      return doGenerate();
    },
    wrapStream: async ({ doStream, params }) => {
      remember(params);
      return doStream();
    },
  };
}

/** The caller's version; without one, its type is that of the default. */
function versionOf<Specification extends Version>({
  specificationVersion = "v4" as Specification,
}: MemoryMiddlewareOptions<Specification>): Specification {
  return specificationVersion;
}

/**
 * Returns the text of the last message if it is the user's, otherwise undefined: a call after a tool's answer repeats
 * earlier messages.
 */
function lastWords(prompt: Message[]): string | undefined {
  const last = prompt.at(-1);
  if (last?.role !== "user") return undefined;
  if (typeof last.content === "string") return last.content;
  return last.content.flatMap(({ type, text }) => (type === "text" && text !== undefined ? [text] : [])).join("\n");
}

/** Inserts the context after the system messages at the beginning. */
function withContext(prompt: Message[], context: string): Message[] {
  const first = prompt.findIndex(({ role }) => role !== "system");
  const content = `What is known of the user from earlier conversations:\n${asDataBlock(context)}`;
  return [...prompt.slice(0, first), { role: "system", content }, ...prompt.slice(first)];
}
