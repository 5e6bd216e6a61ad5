import type { Embedder } from "../../platform/ports.ts";
import { InferenceProcess, type InferenceProcessOptions } from "./inference-process.ts";
import { type ModelFolder, readModelFolder } from "./model-folder.ts";

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
  const model = readModelFolder(options.folder);
  const { dimensions, background } = model;
  const inference = new InferenceProcess(options);
  return {
    id: idOf(model),
    dimensions,
    background,
    embed: (texts, { purpose, signal }) => Promise.all(texts.map((text) => inference.encode(text, purpose, signal))),
    start: async () => {
      await inference.encode("", "query");
    },
    close: () => inference.close(),
  };
}

function idOf({ name, dimensions, parts }: ModelFolder): string {
  const weights = parts.map(({ manifest }) => manifest.sha256["model.onnx"].slice(0, ID_DIGITS));
  return `onnx:${name}:${dimensions}:${weights.join("+")}`;
}
