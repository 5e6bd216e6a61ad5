import type { ChildMessage, EncodeRequest } from "./messages.ts";
import { ModelFolderError } from "./model-folder.ts";

/** Entry point of the child process: loads the model of the folder in its arguments and encodes text by text. */

const send = (message: ChildMessage) => process.send?.(message);
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

// Without the service nobody asks: the process ends with the channel.
process.once("disconnect", () => process.exit());
// They reach the whole process group, and the service needs vectors until it has stopped.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});

try {
  // Within the try: where its native part is missing, this import fails.
  const { CombinedEncoder } = await import("./combined-encoder.ts");
  const encoder = await CombinedEncoder.open(process.argv[2] ?? "");
  process.on("message", async ({ id, text, purpose }: EncodeRequest) => {
    try {
      const vector = await encoder.encode(text, purpose, () => send({ kind: "progress", id }));
      send({ kind: "vector", id, vector });
    } catch (error) {
      send({ kind: "failed", id, reason: reasonOf(error) });
    }
  });
  send({ kind: "ready" });
} catch (error) {
  send({ kind: "unusable", part: error instanceof ModelFolderError ? "folder" : "runtime", reason: reasonOf(error) });
}
