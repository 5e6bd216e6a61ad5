import { deleteByNames } from "../../../shared/domain/integration/compat/forget.ts";
import { rememberConversation } from "../../../shared/domain/integration/compat/remember.ts";
import { rememberSession } from "../../../shared/domain/sessions/remember.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import { COMPRESS_QUEUES, REMEMBER_QUEUE, sendsTo } from "../../../shared/ports/queues.ts";
import { jobConsumer } from "../../../shared/runtime/jobs/consumer.ts";

export const worker: WorkerManifest = {
  name: "extract-conversations",
  deployedName: "remember",
  source: { queues: { names: [REMEMBER_QUEUE], batchSize: 5, maxReceives: 5, maxConcurrency: 50 } },
  capabilities: ["records", "search", "blobs", ...sendsTo(REMEMBER_QUEUE, ...COMPRESS_QUEUES), "embedder", "models"],
  memoryMb: 512,
  timeoutSeconds: 300,
};

/** Extracts memories from conversations and sessions, and runs deletions that exceed a request. */
export const createMessageConsumer = jobConsumer([rememberConversation, rememberSession, deleteByNames], {
  turnMs: 30_000,
  width: async () => 2,
});
