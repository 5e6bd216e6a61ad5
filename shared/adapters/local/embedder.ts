import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openEmbedder } from "../../domain/models/configured.ts";
import { ModelFolderError } from "../../domain/models/onnx/model-folder.ts";
import { createOnnxEmbedder, type OnnxEmbedder, vectorSpaceOf } from "../../domain/models/onnx/onnx-embedder.ts";
import type { Embedder } from "../../ports/embedder.ts";
import type { Runtime } from "../../runtime/context.ts";
import type { FindEmbedder } from "./search/organizations.ts";

/** The model of this repository. */
const DEFAULT_MODEL = fileURLToPath(new URL("../../../models/multilingual-e5-small", import.meta.url));

export interface OpenedEmbedder {
  embedder: Embedder;
  /** Resolves once the model is loaded, or with a warning if it cannot be; rejects with a ModelFolderError. */
  loaded: Promise<void>;
  /** Whether the model is being loaded: searches do not wait for it. */
  isLoading(): boolean;
  close(): void;
}

/**
 * Opens the configured embedder, whose model is loaded later, or the lexical one with a warning if ONNX Runtime does not
 * work. Throws ModelFolderError.
 */
export async function openLocalEmbedder(config: Runtime["config"], logger: Runtime["logger"]): Promise<OpenedEmbedder> {
  const { EMBEDDER = "onnx", EMBEDDING_MODEL_DIR: folder = DEFAULT_MODEL } = config;
  if (EMBEDDER === "bedrock") throw new Error("EMBEDDER=bedrock is for AWS");
  if (EMBEDDER !== "onnx") return withoutModel(await openEmbedder(config, EMBEDDER));
  const embedder = createOnnxEmbedder({ folder });
  const closing = new AbortController();
  try {
    const { loaded } = await embedder.start();
    const warned = loaded.catch((error: unknown) => {
      if (closing.signal.aborted) return;
      if (error instanceof ModelFolderError) throw error;
      logger.warn("EMBEDDER_UNUSABLE", { embedder: EMBEDDER, instead: "words", error });
    });
    // A caller that does not wait for `loaded` gets the failure from `embed`.
    warned.catch(() => {});
    const close = () => {
      closing.abort();
      embedder.close();
    };
    return { embedder, loaded: warned, isLoading: () => embedder.isLoading(), close };
  } catch (error) {
    embedder.close();
    if (error instanceof ModelFolderError) throw error;
    logger.warn("EMBEDDER_UNUSABLE", { embedder: EMBEDDER, instead: "lexical", error });
    return withoutModel(await openEmbedder(config, "lexical"));
  }
}

function withoutModel(embedder: Embedder): OpenedEmbedder {
  return { embedder, loaded: Promise.resolve(), isLoading: () => false, close: () => {} };
}

/**
 * Returns a function that opens an embedder by id, for queries to vectors that an earlier start computed: a model of
 * the repository or next to the configured one, the lexical one, or one behind the configured OpenAI-compatible URL.
 */
export async function formerEmbedders(config: Runtime["config"]): Promise<{ find: FindEmbedder; close(): void }> {
  const { embedderById } = await import("../../domain/models/embedder-by-id.ts");
  const opened = new Map<string, OnnxEmbedder>();
  const find: FindEmbedder = (id) => {
    const known = embedderById(config, id);
    if (known !== undefined) return known;
    const folder = opened.has(id) ? undefined : modelFolders(config).find((candidate) => isModel(candidate, id));
    if (folder !== undefined) opened.set(id, createOnnxEmbedder({ folder }));
    return opened.get(id);
  };
  return { find, close: () => opened.forEach((embedder) => void embedder.close()) };
}

function modelFolders({ EMBEDDING_MODEL_DIR: folder = DEFAULT_MODEL }: Runtime["config"]): string[] {
  const within = (parent: string) => readdirSync(parent).map((name) => path.join(parent, name));
  return [DEFAULT_MODEL, folder].flatMap((model) => within(path.dirname(path.resolve(model))));
}

/** Whether a folder contains the model with that id; most folders contain no model. */
function isModel(folder: string, id: string): boolean {
  try {
    return vectorSpaceOf(folder).id === id;
  } catch (error) {
    if (error instanceof ModelFolderError) return false;
    throw error;
  }
}
