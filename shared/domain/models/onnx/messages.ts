import type { EmbeddingPurpose } from "../../../ports/embedder.ts";
import type { Mention, MessageToRead } from "../../../ports/fact-reader.ts";

/** Input and result of each task of the child process. */
export interface InferenceTasks {
  /** The results are in the order of the texts. */
  embed: { input: { texts: string[]; purpose: EmbeddingPurpose }; result: Float32Array[] };
  /** The result is how well the text answers the query, 0..1. */
  rerank: { input: { query: string; text: string }; result: number };
  read: { input: MessageToRead; result: Mention[] };
}

export type InferenceTask = keyof InferenceTasks;

/** Message from the service to the child process. */
export interface InferenceRequest<Task extends InferenceTask> {
  id: number;
  input: InferenceTasks[Task]["input"];
}

/**
 * From the child process: that the runtime works and the files are those of the manifest, then that the model is
 * loaded, or why it is not; later `progress` after each pass through the network.
 */
export type ChildMessage<Task extends InferenceTask> =
  | { kind: "verified" }
  | { kind: "ready" }
  | { kind: "unusable"; part: "folder" | "runtime"; reason: string }
  | { kind: "progress"; id: number }
  | { kind: "result"; id: number; result: InferenceTasks[Task]["result"] }
  | { kind: "failed"; id: number; reason: string };
