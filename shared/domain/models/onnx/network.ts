import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import { withMappedWeights } from "./mapped-weights.ts";

// Loaded by `require`, which also finds the package in a Lambda layer.
const onnxRuntime: typeof import("onnxruntime-node") = createRequire(import.meta.url)("onnxruntime-node");

/** Any token: the attention mask leaves it out. */
const PADDING = 0;

/** A transformer network with tokens as input. */
export class Network {
  readonly #session: InferenceSession;

  static async open(file: string): Promise<Network> {
    // One thread: the service's requests share the machine, and small inputs gain nothing from a second thread.
    const threads = { intraOpNumThreads: 1, interOpNumThreads: 1 };
    // An arena and memory patterns would keep as much memory as the longest text needed.
    const memory = { enableCpuMemArena: false, enableMemPattern: false };
    // The runtime refuses weights outside this folder, also those behind a symbolic link.
    const { dir, base } = path.parse(realpathSync(file));
    const extra = { session: { model_external_initializers_file_folder_path: dir } };
    const model = withMappedWeights(file, base);
    return new Network(await onnxRuntime.InferenceSession.create(model, { ...threads, ...memory, extra }));
  }

  private constructor(session: InferenceSession) {
    this.#session = session;
  }

  /**
   * Returns the first output for texts of tokens, shorter ones padded to the longest. Each second text starts at token
   * `secondFrom`. Throws if the dimensions differ.
   */
  async run(texts: number[][], dimensions: number[], secondFrom = Number.POSITIVE_INFINITY): Promise<Float32Array> {
    const longest = Math.max(...texts.map(({ length }) => length));
    const tensor = (valueAt: (token: number | undefined, index: number) => number) => {
      const values = texts.flatMap((tokens) =>
        Array.from({ length: longest }, (_, i) => BigInt(valueAt(tokens[i], i))),
      );
      return new onnxRuntime.Tensor("int64", BigInt64Array.from(values), [texts.length, longest]);
    };
    const inputs: Record<string, Tensor> = {
      input_ids: tensor((token = PADDING) => token),
      attention_mask: tensor((token) => (token === undefined ? 0 : 1)),
      token_type_ids: tensor((_, index) => (index < secondFrom ? 0 : 1)),
    };
    const wanted = Object.entries(inputs).filter(([name]) => this.#session.inputNames.includes(name));
    const outputs = await this.#session.run(Object.fromEntries(wanted));
    const output = outputs[this.#session.outputNames[0] ?? ""];
    const size = dimensions.reduce((product, dimension) => product * dimension, 1);
    if (output?.data instanceof Float32Array && output.data.length === size) return output.data;
    throw new Error(`the model answered ${output?.dims.join("x")}, not ${dimensions.join("x")}`);
  }
}
