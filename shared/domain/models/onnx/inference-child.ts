import type { ChildMessage, InferenceRequest, InferenceTask, InferenceTasks } from "./messages.ts";
import { ModelFolderError } from "./model-folder.ts";

/** Entry point of the child process: loads the model of the folder in its arguments and runs its task, request by request. */

type Run<Task extends InferenceTask> = (
  input: InferenceTasks[Task]["input"],
  onPass: () => void,
) => Promise<InferenceTasks[Task]["result"]>;

/** Each task imports its dependencies when it is opened, so that a missing native module fails only then. */
const TASKS: { [Task in InferenceTask]: (folder: string) => Promise<Run<Task>> } = {
  embed: async (folder) => {
    const { SentenceEncoder } = await import("./sentence-encoder.ts");
    const encoder = await SentenceEncoder.open(folder, () => send({ kind: "verified" }));
    return ({ texts, purpose }, onPass) => encoder.encode(texts, purpose, onPass);
  },
  rerank: async (folder) => {
    const { CrossEncoder } = await import("./cross-encoder.ts");
    const encoder = await CrossEncoder.open(folder);
    return ({ query, text }, onPass) => encoder.relevance(query, text, onPass);
  },
  read: async (folder) => {
    const { FactTagger } = await import("./fact-tagger.ts");
    const tagger = await FactTagger.open(folder);
    return (message, onPass) => tagger.read(message, onPass);
  },
};

const send = (message: ChildMessage<InferenceTask>) => process.send?.(message);
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

// Without the service there are no requests: the process exits when the channel closes.
process.once("disconnect", () => process.exit());
// These signals reach the whole process group, but the service needs answers until it has stopped.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});

const [, , folder = "", task = ""] = process.argv;

async function serve<Task extends InferenceTask>(task: Task): Promise<void> {
  const run = await TASKS[task](folder);
  process.on("message", async ({ id, input }: InferenceRequest<Task>) => {
    try {
      const result = await run(input, () => send({ kind: "progress", id }));
      send({ kind: "result", id, result });
    } catch (error) {
      send({ kind: "failed", id, reason: reasonOf(error) });
    }
  });
  // Parsing the tokenizers leaves tens of megabytes behind; only the last resort returns them to the system.
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
  send({ kind: "ready" });
}

try {
  await serve(task as InferenceTask);
} catch (error) {
  send({ kind: "unusable", part: error instanceof ModelFolderError ? "folder" : "runtime", reason: reasonOf(error) });
}
