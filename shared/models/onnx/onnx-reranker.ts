import type { Reranker } from "../../platform/ports.ts";
import { InferenceProcess, type InferenceProcessOptions } from "./inference-process.ts";
import { readRerankerFolder } from "./model-folder.ts";

export interface OnnxReranker extends Reranker {
  /** Loads the model. Throws ModelFolderError, and ProviderFailure where ONNX Runtime does not work on this machine. */
  start(): Promise<void>;
  /** Ends the child process that runs the model. */
  close(): void;
}

export interface OnnxRerankerOptions extends InferenceProcessOptions {
  /** Longest that a search waits for it. */
  timeoutMs: number;
}

/**
 * The cross-encoder of a folder, run by ONNX Runtime in a child process that starts with the first text. Throws
 * ModelFolderError for a folder without a valid manifest; `rerank` throws ProviderFailure.
 */
export function createOnnxReranker({ timeoutMs, ...options }: OnnxRerankerOptions): OnnxReranker {
  const { name } = readRerankerFolder(options.folder);
  const inference = new InferenceProcess("rerank", options);
  return {
    id: `onnx:${name}`,
    timeoutMs,
    rerank: (query, texts, { signal }) =>
      Promise.all(texts.map((text) => inference.run({ query, text }, "now", signal))),
    start: async () => {
      await inference.run({ query: "", text: "" }, "now");
    },
    close: () => inference.close(),
  };
}
