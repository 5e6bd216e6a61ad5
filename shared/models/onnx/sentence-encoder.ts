import { readFile } from "node:fs/promises";
import { Tokenizer } from "@huggingface/tokenizers";
import { InferenceSession, Tensor } from "onnxruntime-node";
import type { EmbeddingPurpose } from "../../platform/ports.ts";
import { normalize } from "../vectors.ts";
import { type ModelManifest, readManifest, unusableFolder, verifiedFile } from "./model-folder.ts";

/** Windows of a long text that are read: evenly spread, so that the cost of a text is bounded. */
const MAX_WINDOWS = 16;

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
  static async open(folder: string): Promise<SentenceEncoder> {
    const manifest = readManifest(folder);
    const [model, tokens] = await Promise.all([
      verifiedFile(folder, manifest, "model.onnx"),
      verifiedFile(folder, manifest, "tokenizer.json"),
    ]);
    const tokenizer = openTokenizer(JSON.parse(await readFile(tokens, "utf8")));
    // One thread: requests of the service share the machine, and small inputs gain nothing from a second one.
    const session = await InferenceSession.create(model, { intraOpNumThreads: 1, interOpNumThreads: 1 });
    return new SentenceEncoder(folder, manifest, session, tokenizer);
  }

  private constructor(folder: string, manifest: ModelManifest, session: InferenceSession, tokenizer: Tokenizer) {
    this.#manifest = manifest;
    this.#session = session;
    this.#tokenizer = tokenizer;
    const [start, end, ...others] = tokenizer.encode("").ids;
    if (start === undefined || end === undefined || others.length > 0)
      throw unusableFolder(folder, "its tokenizer does not put one token before and one after a text");
    this.#start = start;
    this.#end = end;
  }

  /** The unit-length vector of a text of any length; of a blank one, the first axis. */
  async encode(text: string, purpose: EmbeddingPurpose): Promise<Float32Array> {
    const sum = new Float32Array(this.#manifest.dimensions);
    if (text.trim() === "") return normalize(sum);
    const { ids } = this.#tokenizer.encode(this.#manifest.prefixes[purpose] + text, { add_special_tokens: false });
    for (const window of windowsOf(ids, this.#manifest.max_tokens - 2)) {
      const vector = await this.#encodeWindow(window);
      for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0) * window.length;
    }
    return normalize(sum);
  }

  async #encodeWindow(window: number[]): Promise<Float32Array> {
    const ids = BigInt64Array.from([this.#start, ...window, this.#end], BigInt);
    const shape = [1, ids.length];
    const inputs: Record<string, Tensor> = {
      input_ids: new Tensor("int64", ids, shape),
      attention_mask: new Tensor("int64", new BigInt64Array(ids.length).fill(1n), shape),
      token_type_ids: new Tensor("int64", new BigInt64Array(ids.length), shape),
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

/** The tokens in windows of `length`; of more than MAX_WINDOWS, as many that are evenly spread. */
function windowsOf(ids: number[], length: number): number[][] {
  const count = Math.ceil(ids.length / length);
  const read = Math.min(count, MAX_WINDOWS);
  return Array.from({ length: read }, (_, place) => {
    const start = Math.floor((place * count) / read) * length;
    return ids.slice(start, start + length);
  });
}
