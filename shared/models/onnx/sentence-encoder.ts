import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Tokenizer } from "@huggingface/tokenizers";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import type { EmbeddingPurpose } from "../../platform/ports.ts";
import { normalize, piecesOf } from "../vectors.ts";
import { type ModelManifest, type ModelPart, unusableFolder, verifiedFile } from "./model-folder.ts";

// By `require`, which also finds the package in a layer of Lambda.
const onnxRuntime: typeof import("onnxruntime-node") = createRequire(import.meta.url)("onnxruntime-node");

/** Encoded once when the model is opened: shows whether tokenizer, network and manifest fit together. */
const PROBE = "tea";

/**
 * A sentence-transformers model: tokens, one pass through the network for each window of `max_tokens`, pooling over the
 * tokens, unit length. A text of several windows is the mean of them, weighted by their tokens.
 */
export class SentenceEncoder {
  readonly #manifest: ModelManifest;
  readonly #session: InferenceSession;
  readonly #tokenizer: Tokenizer;
  /** What the tokenizer puts before and after each text. */
  readonly #start: number;
  readonly #end: number;

  /** Throws ModelFolderError where the folder holds no usable model. */
  static async open({ folder, manifest }: Pick<ModelPart, "folder" | "manifest">): Promise<SentenceEncoder> {
    const [model, tokens] = await Promise.all([
      verifiedFile(folder, manifest, "model.onnx"),
      verifiedFile(folder, manifest, "tokenizer.json"),
    ]);
    // One thread: requests of the service share the machine, and small inputs gain nothing from a second one.
    const threads = { intraOpNumThreads: 1, interOpNumThreads: 1 };
    try {
      const tokenizer = openTokenizer(JSON.parse(await readFile(tokens, "utf8")));
      const session = await onnxRuntime.InferenceSession.create(model, threads);
      const encoder = new SentenceEncoder(manifest, session, tokenizer);
      await encoder.encode(PROBE, "query");
      return encoder;
    } catch (error) {
      throw unusableFolder(folder, error instanceof Error ? error.message : String(error));
    }
  }

  private constructor(manifest: ModelManifest, session: InferenceSession, tokenizer: Tokenizer) {
    this.#manifest = manifest;
    this.#session = session;
    this.#tokenizer = tokenizer;
    const [start, end, ...others] = tokenizer.encode("").ids;
    if (start === undefined || end === undefined || others.length > 0)
      throw new Error("its tokenizer does not put one token before and one after a text");
    this.#start = start;
    this.#end = end;
  }

  /** The unit-length vector of a text of any length; of a blank one, the first axis. Calls `onWindow` after each window. */
  async encode(text: string, purpose: EmbeddingPurpose, onWindow = () => {}): Promise<Float32Array> {
    const sum = new Float32Array(this.#manifest.dimensions);
    if (text.trim() === "") return normalize(sum);
    for (const window of this.#windowsOf(this.#manifest.prefixes[purpose] + text)) {
      const vector = await this.#encodeWindow(window);
      for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0) * window.length;
      onWindow();
    }
    return normalize(sum);
  }

  /** All tokens of the text in windows that the model takes, tokenized piece by piece as they are read. */
  *#windowsOf(text: string): Generator<number[]> {
    const length = this.#manifest.max_tokens - 2;
    let ids: number[] = [];
    for (const piece of piecesOf(text)) {
      ids = ids.concat(this.#tokenizer.encode(piece, { add_special_tokens: false }).ids);
      while (ids.length >= length) {
        yield ids.slice(0, length);
        ids = ids.slice(length);
      }
    }
    if (ids.length > 0) yield ids;
  }

  async #encodeWindow(window: number[]): Promise<Float32Array> {
    const ids = BigInt64Array.from([this.#start, ...window, this.#end], BigInt);
    const shape = [1, ids.length];
    const inputs: Record<string, Tensor> = {
      input_ids: new onnxRuntime.Tensor("int64", ids, shape),
      attention_mask: new onnxRuntime.Tensor("int64", new BigInt64Array(ids.length).fill(1n), shape),
      token_type_ids: new onnxRuntime.Tensor("int64", new BigInt64Array(ids.length), shape),
    };
    const wanted = Object.entries(inputs).filter(([name]) => this.#session.inputNames.includes(name));
    const outputs = await this.#session.run(Object.fromEntries(wanted));
    const hidden = outputs[this.#session.outputNames[0] ?? ""];
    const { dimensions } = this.#manifest;
    if (!(hidden?.data instanceof Float32Array) || hidden.data.length !== ids.length * dimensions)
      throw new Error(`the model answered ${hidden?.dims.join("x")}, not 1x${ids.length}x${dimensions}`);
    return this.#pool(hidden.data, ids.length);
  }

  #pool(hidden: Float32Array, tokens: number): Float32Array {
    const { dimensions, pooling } = this.#manifest;
    if (pooling === "cls") return this.#scaled(hidden.slice(0, dimensions));
    const mean = new Float32Array(dimensions);
    for (let i = 0; i < hidden.length; i++) {
      const place = i % dimensions;
      mean[place] = (mean[place] ?? 0) + (hidden[i] ?? 0) / tokens;
    }
    return this.#scaled(mean);
  }

  #scaled(vector: Float32Array): Float32Array {
    return this.#manifest.normalize ? normalize(vector) : vector;
  }
}

/** Truncation and padding that a tokenizer's file asks for would cut long texts and lengthen short ones: both are off. */
function openTokenizer(file: Record<string, unknown>): Tokenizer {
  return new Tokenizer({ ...file, truncation: null, padding: null }, {});
}
