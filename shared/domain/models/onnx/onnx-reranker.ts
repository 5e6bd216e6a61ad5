import type { Reranker } from "../../../ports/reranker.ts";
import { InferenceProcess, type InferenceProcessOptions } from "./inference-process.ts";
import { readRerankerFolder } from "./model-folder.ts";

export interface OnnxReranker extends Reranker {
  /** Loads the model. Throws ModelFolderError, and ModelProviderError if ONNX Runtime does not work on this machine. */
  start(): Promise<void>;
  /** Ends the child process that runs the model. */
  close(): void;
}

export interface OnnxRerankerOptions extends InferenceProcessOptions {
  /** Maximum time that a search waits for it. */
  timeoutMs: number;
}

/**
 * Creates a reranker for the cross-encoder of a folder. ONNX Runtime runs in a child process, which starts with the
 * first text. Throws ModelFolderError if the folder has no valid manifest; `rerank` throws ModelProviderError.
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
