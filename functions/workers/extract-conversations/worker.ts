import { deleteByNames } from "../../../shared/domain/integration/compat/forget.ts";
import { rememberConversation } from "../../../shared/domain/integration/compat/remember.ts";
import { rememberSession } from "../../../shared/domain/sessions/remember.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import type { MessageConsumer } from "../../../shared/ports/messages.ts";
import { REMEMBER_QUEUE } from "../../../shared/ports/queues.ts";
import type { Runtime } from "../../../shared/runtime/context.ts";
import { jobConsumer } from "../../../shared/runtime/jobs/consumer.ts";

export const worker: WorkerManifest = {
  name: "extract-conversations",
  deployedName: "remember",
  source: { queues: { names: [REMEMBER_QUEUE], batchSize: 5, maxReceives: 5 } },
  capabilities: ["records", "search", "blobs", "queue", "embedder", "models"],
  memoryMb: 512,
  timeoutSeconds: 300,
};

/** Conversations processed concurrently. */
const CONCURRENCY = 2;
/** Time for one conversation before the next one gets its turn. */
const TURN_MS = 30_000;

/** Extracts memories from conversations and sessions, and runs deletions that exceed a request. */
export function createMessageConsumer(runtime: Runtime): MessageConsumer {
  return jobConsumer(runtime, [rememberConversation, rememberSession, deleteByNames], {
    turnMs: TURN_MS,
    width: async () => CONCURRENCY,
  });
}
