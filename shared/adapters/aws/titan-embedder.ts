import { BedrockRuntimeClient, InvokeModelCommand } from "@aws-sdk/client-bedrock-runtime";
import * as z from "zod";
import { addScaled, normalize } from "../../domain/models/vectors.ts";
import { inParallel } from "../../kernel/parallel.ts";
import type { Embedder, EmbeddingOptions } from "../../ports/embedder.ts";
import type { TitanModel } from "./titan-model.ts";

/** Titan accepts 8,192 tokens per text, and a token is at least one byte. */
const MAX_PIECE_BYTES = 8_192;
/** Bedrock embeds one text per request, so several requests run in parallel. */
const CONCURRENCY = 8;

const Answer = z.object({ embedding: z.array(z.number()) });

/** Embedder on Bedrock's Titan Text Embeddings v2. A longer text gets the mean vector of its pieces. */
export class TitanEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions: number;
  readonly background = { mean: 0.1, deviation: 0.1 };
  readonly #client: BedrockRuntimeClient;
  readonly #modelId: string;

  constructor(model: TitanModel, client = new BedrockRuntimeClient()) {
    this.id = model.id;
    this.dimensions = model.dimensions;
    this.#modelId = model.modelId;
    this.#client = client;
  }

  embed(texts: string[], { signal }: EmbeddingOptions): Promise<Float32Array[]> {
    return inParallel(texts, CONCURRENCY, (text) => this.#embedOne(text, signal));
  }

  async #embedOne(text: string, signal: AbortSignal | undefined): Promise<Float32Array> {
    const sum = new Float32Array(this.dimensions);
    for (const piece of piecesOf(text)) {
      addScaled(sum, await this.#invoke(piece, signal), piece.length);
    }
    return normalize(sum);
  }

  async #invoke(inputText: string, signal: AbortSignal | undefined): Promise<number[]> {
    const { body } = await this.#client.send(
      new InvokeModelCommand({
        modelId: this.#modelId,
        contentType: "application/json",
        accept: "application/json",
        body: JSON.stringify({ inputText, dimensions: this.dimensions, normalize: true }),
      }),
      { abortSignal: signal },
    );
    const { embedding } = Answer.parse(JSON.parse(new TextDecoder().decode(body)));
    if (embedding.length !== this.dimensions) {
      throw new Error(`${this.#modelId} answered ${embedding.length} dimensions, not ${this.dimensions}`);
    }
    return embedding;
  }
}

/** The pieces of a text; none for a blank text, which Titan refuses. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let piece = "";
  let bytes = 0;
  for (const character of text) {
    const size = Buffer.byteLength(character);
    if (bytes + size > MAX_PIECE_BYTES) {
      pieces.push(piece);
      [piece, bytes] = ["", 0];
    }
    piece += character;
    bytes += size;
  }
  return [...pieces, piece].filter((part) => part.trim() !== "");
}
