import { fileURLToPath } from "node:url";
import { createOnnxReader } from "../../domain/models/onnx/onnx-reader.ts";
import type { Embedder } from "../../ports/embedder.ts";
import type { FactReader } from "../../ports/fact-reader.ts";
import type { Runtime } from "../../runtime/context.ts";

/** The model of this repository. */
const MODEL = fileURLToPath(new URL("../../../models/reader", import.meta.url));

interface OpenedReader {
  reader?: FactReader;
  close(): void;
}

/**
 * The model that reads facts, which starts with the first message to read; undefined with FACT_READER=rules and, unless
 * it is set, with an embedder that needs no ONNX Runtime. Throws ModelFolderError.
 */
export function openLocalReader({ FACT_READER }: Runtime["config"], embedder: Pick<Embedder, "id">): OpenedReader {
  const choice = FACT_READER ?? (embedder.id.startsWith("onnx:") ? "onnx" : "rules");
  if (choice === "rules") return { close: () => {} };
  const reader = createOnnxReader({ folder: MODEL });
  return { reader, close: () => reader.close() };
}
