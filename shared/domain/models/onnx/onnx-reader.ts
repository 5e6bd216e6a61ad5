import { createHash } from "node:crypto";
import type { FactReader } from "../../../ports/fact-reader.ts";
import type { FactTagger } from "./fact-tagger.ts";
import { InferenceProcess, type InferenceProcessOptions } from "./inference-process.ts";
import { readReaderFolder } from "./model-folder.ts";

export interface OnnxReader extends FactReader {
  /** Ends the child process that runs the model. */
  close(): void;
}

/** Characters of the digest in the id: other weights or labels with the same name read other facts. */
const ID_DIGITS = 8;

/**
 * Creates a reader of facts for the model of a folder. ONNX Runtime runs in a child process, which starts with the first
 * message. Throws ModelFolderError if the folder has no valid manifest; `read` throws ModelProviderError.
 */
export function createOnnxReader(options: InferenceProcessOptions): OnnxReader {
  const inference = new InferenceProcess("read", options);
  return {
    ...identityOf(options.folder),
    read: (messages, signal) => Promise.all(messages.map((message) => inference.run(message, "later", signal))),
    close: () => inference.close(),
  };
}

/** Creates a reader that runs the same model in this process, for Lambda functions; see `createInProcessEmbedder`. */
export function createInProcessReader(folder: string): FactReader {
  let opened: Promise<FactTagger> | undefined;
  const open = async () => (await import("./fact-tagger.ts")).FactTagger.open(folder);
  return {
    ...identityOf(folder),
    async read(messages, signal) {
      opened ??= open().catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      const tagger = await opened;
      const read = [];
      for (const message of messages) read.push(await tagger.read(message, () => signal?.throwIfAborted()));
      return read;
    },
  };
}

function identityOf(folder: string): Pick<FactReader, "id" | "least"> {
  const { name, sha256, labels } = readReaderFolder(folder);
  const digest = createHash("sha256").update(JSON.stringify({ sha256, labels })).digest("hex");
  return { id: `onnx:${name}:${digest.slice(0, ID_DIGITS)}`, least: labels.least };
}
