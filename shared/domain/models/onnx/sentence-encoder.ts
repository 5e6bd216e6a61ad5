import type { EmbeddingPurpose } from "../../../ports/embedder.ts";
import { addScaled, normalize } from "../vectors.ts";
import { type ModelManifest, readModelFolder } from "./model-folder.ts";
import type { Network } from "./network.ts";
import { openModel, PROBE } from "./open-model.ts";
import type { TextTokens } from "./text-windows.ts";

/** One token before a window and one after it. */
const SPECIAL_TOKENS = 2;
/** Maximum tokens of several windows in one pass, padding included: enough for the speed of a batch. */
const PASS_TOKENS = 256;

/** Tokens of a text, special ones included. */
interface Window {
  /** The position of the text among those that are encoded. */
  position: number;
  ids: number[];
}

/**
 * A sentence-transformers model: tokens, windows of `max_tokens`, passes through the network with windows of about the
 * same length, pooling over the tokens, unit length. The vector of a text with several windows is their mean, weighted
 * by their tokens.
 */
export class SentenceEncoder {
  readonly #manifest: ModelManifest;
  readonly #network: Network;
  readonly #tokens: TextTokens;

  /** Calls `onVerified` once the files are verified. Throws ModelFolderError if the folder holds no usable model. */
  static async open(folder: string, onVerified?: () => void): Promise<SentenceEncoder> {
    const manifest = readModelFolder(folder);
    const create = async (network: Network, tokens: TextTokens) => {
      const encoder = new SentenceEncoder(manifest, network, tokens);
      await encoder.encode([PROBE, PROBE], "query");
      return encoder;
    };
    return openModel(folder, manifest, create, onVerified);
  }

  private constructor(manifest: ModelManifest, network: Network, tokens: TextTokens) {
    this.#manifest = manifest;
    this.#network = network;
    this.#tokens = tokens;
  }

  /** Returns the unit vector of each text; for a blank text, the first axis. Calls `onPass` after each pass. */
  async encode(texts: string[], purpose: EmbeddingPurpose, onPass = () => {}): Promise<Float32Array[]> {
    const sums = texts.map(() => new Float32Array(this.#manifest.dimensions));
    for (const windows of inPasses(this.#windows(texts, purpose))) {
      const vectors = await this.#encodeWindows(windows);
      for (const [index, { position, ids }] of windows.entries())
        addScaled(sums[position] ?? new Float32Array(), vectors[index] ?? [], ids.length - SPECIAL_TOKENS);
      onPass();
    }
    return sums.map(normalize);
  }

  /** Yields the windows of all texts, tokenized as they are read, the shortest text first. */
  *#windows(texts: string[], purpose: EmbeddingPurpose): Generator<Window> {
    const { prefixes, max_tokens } = this.#manifest;
    const { start, end } = this.#tokens;
    const byLength = [...texts.entries()].sort(([, one], [, other]) => one.length - other.length);
    for (const [position, text] of byLength) {
      if (text.trim() === "") continue;
      for (const ids of this.#tokens.windows(prefixes[purpose] + text, max_tokens - SPECIAL_TOKENS))
        yield { position, ids: [start, ...ids, end] };
    }
  }

  async #encodeWindows(windows: Window[]): Promise<Float32Array[]> {
    const { dimensions } = this.#manifest;
    const longest = Math.max(...windows.map(({ ids }) => ids.length));
    const texts = windows.map(({ ids }) => ids);
    const hidden = await this.#network.run(texts, [texts.length, longest, dimensions]);
    return texts.map(({ length }, index) => {
      const start = index * longest * dimensions;
      return this.#pool(hidden.subarray(start, start + length * dimensions));
    });
  }

  /** `hidden` holds one vector for each token. */
  #pool(hidden: Float32Array): Float32Array {
    const { dimensions, pooling, normalize: isUnit } = this.#manifest;
    const tokens = pooling === "cls" ? 1 : hidden.length / dimensions;
    const mean = new Float32Array(dimensions);
    for (let token = 0; token < tokens; token++)
      addScaled(mean, hidden.subarray(token * dimensions, (token + 1) * dimensions), 1 / tokens);
    return isUnit ? normalize(mean) : mean;
  }
}

/** Groups windows, in their order, into passes of at most PASS_TOKENS; a longer window is alone. */
function* inPasses(windows: Iterable<Window>): Generator<Window[]> {
  let pass: Window[] = [];
  let longest = 0;
  for (const window of windows) {
    longest = Math.max(longest, window.ids.length);
    if (pass.length > 0 && (pass.length + 1) * longest > PASS_TOKENS) {
      yield pass;
      [pass, longest] = [[], window.ids.length];
    }
    pass.push(window);
  }
  if (pass.length > 0) yield pass;
}
