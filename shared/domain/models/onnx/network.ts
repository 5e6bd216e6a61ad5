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

  /** `folder` contains the file and all weights that the file names in others; by default it is the file's own. */
  static async open(file: string, folder = path.dirname(realpathSync(file))): Promise<Network> {
    // One thread: the service's requests share the machine, and small inputs gain nothing from a second thread.
    const threads = { intraOpNumThreads: 1, interOpNumThreads: 1 };
    // An arena and memory patterns would keep as much memory as the longest text needed.
    const memory = { enableCpuMemArena: false, enableMemPattern: false };
    // The runtime refuses weights outside this folder, also those behind a symbolic link.
    const root = realpathSync(folder);
    const extra = { session: { model_external_initializers_file_folder_path: root } };
    const model = withMappedWeights(file, path.relative(root, realpathSync(file)));
    return new Network(await onnxRuntime.InferenceSession.create(model, { ...threads, ...memory, extra }));
  }

  private constructor(session: InferenceSession) {
    this.#session = session;
  }

  /**
   * Returns the first output for texts of tokens, shorter ones padded to the longest. Each second text starts at token
   * `secondFrom`. Throws if the dimensions differ.
   */
  async run(texts: number[][], dimensions: number[], secondFrom?: number): Promise<Float32Array> {
    const outputs = await this.#run(texts, secondFrom);
    return checked(outputs[this.#session.outputNames[0] ?? ""], dimensions);
  }

  /** Returns several outputs for one text, by name. Throws if the dimensions differ. */
  async runAll<Name extends string>(
    tokens: number[],
    dimensions: Record<Name, number[]>,
  ): Promise<Record<Name, Float32Array>> {
    const outputs = await this.#run([tokens]);
    const entries = Object.entries<number[]>(dimensions).map(([name, sizes]) => [name, checked(outputs[name], sizes)]);
    return Object.fromEntries(entries);
  }

  #run(texts: number[][], secondFrom = Number.POSITIVE_INFINITY): Promise<InferenceSession.OnnxValueMapType> {
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
    return this.#session.run(Object.fromEntries(wanted));
  }
}

function checked(output: InferenceSession.OnnxValueMapType[string] | undefined, dimensions: number[]): Float32Array {
  const size = dimensions.reduce((product, dimension) => product * dimension, 1);
  if (output !== undefined && "data" in output && output.data instanceof Float32Array && output.data.length === size)
    return output.data;
  const dims = output !== undefined && "dims" in output ? output.dims.join("x") : "nothing";
  throw new Error(`the model answered ${dims}, not ${dimensions.join("x")}`);
}
