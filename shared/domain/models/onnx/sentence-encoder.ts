import type { EmbeddingPurpose } from "../../../ports/ports.ts";
import { addScaled, normalize } from "../vectors.ts";
import { type ModelManifest, readModelFolder } from "./model-folder.ts";
import type { Network } from "./network.ts";
import { openModel, PROBE } from "./open-model.ts";
import type { TextTokens } from "./text-windows.ts";

/** One token before a window and one after it. */
const SPECIAL_TOKENS = 2;

/**
 * A sentence-transformers model: tokens, one pass through the network for each window of `max_tokens`, pooling over the
 * tokens, unit length. The vector of a text with several windows is their mean, weighted by their tokens.
 */
export class SentenceEncoder {
  readonly #manifest: ModelManifest;
  readonly #network: Network;
  readonly #tokens: TextTokens;

  /** Throws ModelFolderError if the folder holds no usable model. */
  static async open(folder: string): Promise<SentenceEncoder> {
    const manifest = readModelFolder(folder);
    return openModel(folder, manifest, async (network, tokens) => {
      const encoder = new SentenceEncoder(manifest, network, tokens);
      await encoder.encode(PROBE, "query");
      return encoder;
    });
  }

  private constructor(manifest: ModelManifest, network: Network, tokens: TextTokens) {
    this.#manifest = manifest;
    this.#network = network;
    this.#tokens = tokens;
  }

  /** Returns the unit vector of a text; for a blank text, the first axis. Calls `onWindow` after each window. */
  async encode(text: string, purpose: EmbeddingPurpose, onWindow = () => {}): Promise<Float32Array> {
    const sum = new Float32Array(this.#manifest.dimensions);
    if (text.trim() === "") return normalize(sum);
    const { prefixes, max_tokens } = this.#manifest;
    for (const window of this.#tokens.windows(prefixes[purpose] + text, max_tokens - SPECIAL_TOKENS)) {
      addScaled(sum, await this.#encodeWindow(window), window.length);
      onWindow();
    }
    return normalize(sum);
  }

  async #encodeWindow(window: number[]): Promise<Float32Array> {
    const ids = [this.#tokens.start, ...window, this.#tokens.end];
    const hidden = await this.#network.run(ids, [1, ids.length, this.#manifest.dimensions]);
    return this.#pool(hidden, ids.length);
  }

  #pool(hidden: Float32Array, tokens: number): Float32Array {
    const { dimensions, pooling } = this.#manifest;
    if (pooling === "cls") return this.#scaled(hidden.slice(0, dimensions));
    const mean = new Float32Array(dimensions);
    for (let i = 0; i < hidden.length; i++) {
      const index = i % dimensions;
      mean[index] = (mean[index] ?? 0) + (hidden[i] ?? 0) / tokens;
    }
    return this.#scaled(mean);
  }

  #scaled(vector: Float32Array): Float32Array {
    return this.#manifest.normalize ? normalize(vector) : vector;
  }
}
