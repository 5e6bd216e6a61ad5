import { compressionConfig } from "../../../shared/domain/compression/stored-settings.ts";
import { MAX_PROCESSING_MS } from "../../../shared/domain/memory/jobs.ts";
import { memoryProcessing } from "../../../shared/domain/memory/pipeline.ts";
import type { MessageConsumer } from "../../../shared/ports/messages.ts";
import type { Runtime } from "../../../shared/runtime/context.ts";
import { jobConsumer } from "../../../shared/runtime/jobs/consumer.ts";

/** Extracts from and compresses the memories of queued jobs. */
export function createCompressor(runtime: Runtime): MessageConsumer {
  return jobConsumer(runtime, [memoryProcessing], {
    turnMs: MAX_PROCESSING_MS,
    width: async () => (await runtime.settings.read(compressionConfig)).performance.worker_pool_size,
  });
}
