import { compressionConfig } from "../../../shared/compression/stored-settings.ts";
import { jobConsumer } from "../../../shared/jobs/consumer.ts";
import { MOST_PROCESSING_MS } from "../../../shared/memory/jobs.ts";
import { memoryProcessing } from "../../../shared/memory/pipeline.ts";
import type { Home } from "../../../shared/platform/context.ts";
import type { MessageConsumer } from "../../../shared/platform/messages.ts";

/** Understands and compresses the memories whose jobs the queues name. */
export function createCompressor(home: Home): MessageConsumer {
  return jobConsumer(home, [memoryProcessing], {
    turnMs: MOST_PROCESSING_MS,
    width: async () => (await home.settings.read(compressionConfig)).performance.worker_pool_size,
  });
}
