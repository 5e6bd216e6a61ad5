import * as z from "zod";
import { compressionConfig } from "../../../shared/compression/stored-settings.ts";
import { MAX_ATTEMPTS } from "../../../shared/memory/jobs.ts";
import { workOn } from "../../../shared/memory/pipeline.ts";
import type { Home } from "../../../shared/platform/context.ts";
import type { MessageConsumer } from "../../../shared/platform/messages.ts";

const Message = z.object({ org: z.string(), job_id: z.string() });

/** Understands and compresses the memories whose jobs the queues name. */
export function createCompressor(home: Home): MessageConsumer {
  return {
    async width() {
      return (await home.settings.read(compressionConfig)).performance.worker_pool_size;
    },
    consume: ({ body, receiveCount }) => workOn(home, Message.parse(body), receiveCount >= MAX_ATTEMPTS),
  };
}
