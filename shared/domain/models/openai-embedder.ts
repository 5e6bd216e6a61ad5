import * as z from "zod";
import { inBatches } from "../../kernel/parallel.ts";
import type { Embedder } from "../../ports/embedder.ts";
import { type OpenAiAddress, openAiCaller } from "./openai-http.ts";
import { askWithRetries, ModelProviderError, type RemoteModelOptions, withDefaults } from "./remote-model.ts";
import { meanVector, normalize, piecesOf } from "./vectors.ts";

export interface OpenAiEmbedderSettings extends OpenAiAddress {
  model: string;
  /** Length of the model's vectors; another length in a reply is an error. */
  dimensions: number;
}

/** Values for OpenAI's third generation; they are close enough for ranking with other models behind the same API. */
const BACKGROUND = { mean: 0.2, deviation: 0.1 };

/** Texts per request: few enough for every known server, and enough to make round trips rare. */
const TEXTS_PER_REQUEST = 128;

/** Generous maximum for a number of a vector in JSON, and for the rest of the reply. */
const MAX_NUMBER_BYTES = 32;
const MAX_OTHER_BYTES = 1024 * 1024;
const maxReplyBytes = ({ dimensions }: OpenAiEmbedderSettings) =>
  TEXTS_PER_REQUEST * dimensions * MAX_NUMBER_BYTES + MAX_OTHER_BYTES;

const Embeddings = z.object({ data: z.array(z.object({ index: z.number().int(), embedding: z.array(z.number()) })) });

/**
 * An embedding model behind any OpenAI-compatible address. A text that is too long for models is embedded in pieces,
 * and the result is their mean. Throws ModelProviderError if there is no answer in time or the answer has the wrong
 * shape.
 */
export function createOpenAiEmbedder(
  settings: OpenAiEmbedderSettings,
  given: Partial<RemoteModelOptions> = {},
): Embedder {
  const options = withDefaults(given);
  const post = openAiCaller(settings, "embeddings", maxReplyBytes(settings), options.clock);
  const { model, dimensions } = settings;

  const embedBatch = async (input: string[], signal: AbortSignal | undefined): Promise<Float32Array[]> => {
    const deadline = options.clock() + options.timeoutMs;
    const ask = (timeUp: AbortSignal) => post({ model, input }, signal ? AbortSignal.any([timeUp, signal]) : timeUp);
    const body = await askWithRetries(ask, options, deadline);
    return vectorsOf(body, input.length, dimensions);
  };

  return {
    id: `openai:${model}:${dimensions}`,
    dimensions,
    background: BACKGROUND,
    async embed(texts, { signal }) {
      const pieces = texts.map(piecesOf);
      const queue = pieces.flat();
      const vectors: Float32Array[] = [];
      for (const batch of inBatches(queue, TEXTS_PER_REQUEST)) vectors.push(...(await embedBatch(batch, signal)));
      return pieces.map(({ length }) => meanVector(vectors.splice(0, length), dimensions));
    },
  };
}

/** Returns the reply's vectors in the order of the texts, at unit length. */
function vectorsOf(body: unknown, count: number, dimensions: number): Float32Array[] {
  const reply = Embeddings.safeParse(body);
  if (!reply.success) throw new ModelProviderError("a reply that holds no embeddings", false);
  const vectors = new Map(reply.data.data.map(({ index, embedding }) => [index, embedding]));
  return Array.from({ length: count }, (_, index) => {
    const vector = vectors.get(index);
    if (vector?.length !== dimensions) {
      const found = vector === undefined ? "no vector" : `a vector of ${vector.length} dimensions`;
      throw new ModelProviderError(`${found} for text ${index}, where ${dimensions} dimensions are configured`, false);
    }
    return normalize(Float32Array.from(vector));
  });
}
