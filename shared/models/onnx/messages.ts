import type { EmbeddingPurpose } from "../../platform/ports.ts";

/** From the service to the child process. */
export interface EncodeRequest {
  id: number;
  text: string;
  purpose: EmbeddingPurpose;
}

/** From the child process; the first one says that the model is loaded, or why it is not. `progress` follows each window. */
export type ChildMessage =
  | { kind: "ready" }
  | { kind: "unusable"; part: "folder" | "runtime"; reason: string }
  | { kind: "progress"; id: number }
  | { kind: "vector"; id: number; vector: Float32Array }
  | { kind: "failed"; id: number; reason: string };
