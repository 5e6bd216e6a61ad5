import type { EmbeddingPurpose } from "../../../ports/ports.ts";
import { normalize } from "../vectors.ts";
import { readModelFolder } from "./model-folder.ts";
import { SentenceEncoder } from "./sentence-encoder.ts";

/**
 * The models of a folder as one. The vector concatenates their unit-length vectors, each scaled by the square root of
 * its weight, so that a cosine is the weighted mean of the models' cosines.
 */
export class CombinedEncoder {
  readonly #parts: { encoder: SentenceEncoder; scale: number }[];

  /** Throws ModelFolderError if the folder holds no usable model. */
  static async open(folder: string): Promise<CombinedEncoder> {
    const { parts } = readModelFolder(folder);
    const opened = parts.map(async (part) => ({
      encoder: await SentenceEncoder.open(part),
      scale: Math.sqrt(part.weight),
    }));
    return new CombinedEncoder(await Promise.all(opened));
  }

  private constructor(parts: { encoder: SentenceEncoder; scale: number }[]) {
    this.#parts = parts;
  }

  /** Returns the unit-length vector of a text of any length. Calls `onWindow` after each pass through a network. */
  async encode(text: string, purpose: EmbeddingPurpose, onWindow?: () => void): Promise<Float32Array> {
    const vectors: number[] = [];
    for (const { encoder, scale } of this.#parts) {
      for (const component of await encoder.encode(text, purpose, onWindow)) vectors.push(scale * component);
    }
    return normalize(Float32Array.from(vectors));
  }
}
