import { inBatches } from "../../../kernel/parallel.ts";
import type { Embedder } from "../../../ports/embedder.ts";
import { InferenceProcess, type InferenceProcessOptions } from "./inference-process.ts";
import { readModelFolder } from "./model-folder.ts";
import type { SentenceEncoder } from "./sentence-encoder.ts";

/** Characters of the model's checksum in the id, because other weights with the same name produce other vectors. */
const ID_DIGITS = 8;

/** Maximum texts of a request to the child process, within which they are sorted by length. */
const BATCH = 32;

export interface OnnxEmbedder extends Embedder {
  /**
   * Starts to load the model, and resolves once ONNX Runtime works and the files are those of the manifest; `loaded`
   * once the model is loaded. Both throw ModelFolderError, and ModelProviderError if the runtime fails.
   */
  start(): Promise<{ loaded: Promise<void> }>;
  /** Whether the model is being loaded: what is embedded meanwhile waits. */
  isLoading(): boolean;
  /** Ends the child process that runs the model. */
  close(): void;
}

/**
 * Creates an embedder for the model of a folder. ONNX Runtime runs in a child process, which starts with the first text. Throws ModelFolderError if the folder has no valid manifest; `embed` throws
 * ModelProviderError.
 */
export function createOnnxEmbedder(options: InferenceProcessOptions): OnnxEmbedder {
  const inference = new InferenceProcess("embed", options);
  return {
    ...vectorSpaceOf(options.folder),
    embed: async (texts, { purpose, signal }) => {
      const urgency = purpose === "query" ? "now" : "later";
      const batches = inBatches(texts, BATCH).map((batch) => inference.run({ texts: batch, purpose }, urgency, signal));
      return (await Promise.all(batches)).flat();
    },
    start: async () => {
      const loaded = inference.run({ texts: [], purpose: "query" }, "now").then(() => {});
      await Promise.race([inference.verified, loaded]);
      return { loaded };
    },
    isLoading: () => inference.isLoading,
    close: () => inference.close(),
  };
}

/**
 * Creates an embedder that runs the same model in this process and loads it with the first text. It is for Lambda
 * functions, which serve one request at a time, and which Lambda replaces if the native runtime crashes or hangs.
 */
export function createInProcessEmbedder(folder: string): Embedder {
  let opened: Promise<SentenceEncoder> | undefined;
  const open = async () => (await import("./sentence-encoder.ts")).SentenceEncoder.open(folder);
  return {
    ...vectorSpaceOf(folder),
    async embed(texts, { purpose, signal }) {
      opened ??= open().catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      const encoder = await opened;
      return encoder.encode(texts, purpose, () => signal?.throwIfAborted());
    },
  };
}

/** Returns what search needs to know about the model. Throws ModelFolderError. */
export function vectorSpaceOf(folder: string): Pick<Embedder, "id" | "dimensions" | "background"> {
  const { name, dimensions, background, sha256 } = readModelFolder(folder);
  const weights = sha256["model.onnx"].slice(0, ID_DIGITS);
  return { id: `onnx:${name}:${dimensions}:${weights}`, dimensions, background };
}
