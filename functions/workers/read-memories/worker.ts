import { ReadMessage, readByModel } from "../../../shared/domain/memory/read-by-model.ts";
import { countReadings } from "../../../shared/domain/memory/reading-health.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import type { MessageConsumer } from "../../../shared/ports/messages.ts";
import { READ_QUEUE, sendsTo } from "../../../shared/ports/queues.ts";
import type { Runtime } from "../../../shared/runtime/context.ts";

export const worker: WorkerManifest = {
  name: "read-memories",
  source: { queues: { names: [READ_QUEUE], batchSize: 5, maxReceives: 5, maxConcurrency: 50 } },
  capabilities: ["records", "search", "blobs", "reader", "models", ...sendsTo(READ_QUEUE)],
  memoryMb: 1024,
  timeoutSeconds: 120,
};

/** Reads stored memories with the model that reads facts; without one, the facts of the rules stay. */
export function createMessageConsumer(runtime: Runtime): MessageConsumer {
  return {
    width: async () => 1,
    async consume({ body }) {
      const { org, ...message } = ReadMessage.parse(body);
      const { reader } = runtime.ports;
      // Workers act for the organization, regardless of who stored the memory.
      if (reader === undefined) return;
      try {
        countReadings(runtime, { read: await readByModel({ ...runtime, org, viewer: undefined }, reader, message) });
      } catch (error) {
        countReadings(runtime, { failed: 1 });
        throw error;
      }
    },
  };
}
