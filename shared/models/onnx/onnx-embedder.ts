import type { Embedder } from "../../platform/ports.ts";
import type { CombinedEncoder } from "./combined-encoder.ts";
import { InferenceProcess, type InferenceProcessOptions } from "./inference-process.ts";
import { readModelFolder } from "./model-folder.ts";

/** Characters of each model's checksum in the id: other weights of the same name make other vectors. */
const ID_DIGITS = 8;

export interface OnnxEmbedder extends Embedder {
  /** Loads the model. Throws ModelFolderError, and ProviderFailure where ONNX Runtime does not work on this machine. */
  start(): Promise<void>;
  /** Ends the child process that runs the model. */
  close(): void;
}

/**
 * The model of a folder, or the models that it combines, run by ONNX Runtime in a child process that starts with the first text.
 * Throws ModelFolderError for a folder without a valid manifest; `embed` throws ProviderFailure.
 */
export function createOnnxEmbedder(options: InferenceProcessOptions): OnnxEmbedder {
  const inference = new InferenceProcess("embed", options);
  return {
    ...vectorSpaceOf(options.folder),
    embed: (texts, { purpose, signal }) => {
      const urgency = purpose === "query" ? "now" : "later";
      return Promise.all(texts.map((text) => inference.run({ text, purpose }, urgency, signal)));
    },
    start: async () => {
      await inference.run({ text: "", purpose: "query" }, "now");
    },
    close: () => inference.close(),
  };
}

/**
 * The same model run in this process, which loads it with the first text. For a function on Lambda: it serves one request
 * at a time, and is ended and replaced by itself where the native runtime crashes or hangs.
 */
export function createInProcessEmbedder(folder: string): Embedder {
  let opened: Promise<CombinedEncoder> | undefined;
  const open = async () => (await import("./combined-encoder.ts")).CombinedEncoder.open(folder);
  return {
    ...vectorSpaceOf(folder),
    async embed(texts, { purpose, signal }) {
      opened ??= open().catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      const encoder = await opened;
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        signal?.throwIfAborted();
        vectors.push(await encoder.encode(text, purpose));
      }
      return vectors;
    },
  };
}

/** What search must know of the model. Throws ModelFolderError. */
export function vectorSpaceOf(folder: string): Pick<Embedder, "id" | "dimensions" | "background"> {
  const { name, dimensions, background, parts } = readModelFolder(folder);
  const weights = parts.map(({ manifest }) => manifest.sha256["model.onnx"].slice(0, ID_DIGITS));
  return { id: `onnx:${name}:${dimensions}:${weights.join("+")}`, dimensions, background };
}
