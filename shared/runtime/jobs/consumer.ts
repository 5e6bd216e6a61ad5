import type { MessageConsumer } from "../../ports/messages.ts";
import type { Runtime } from "../context.ts";
import type { AnyJobHandler } from "./handler.ts";
import { JobMessage } from "./queue.ts";
import { runJob } from "./run.ts";
import { FormerMessage, takeOver } from "./take-over.ts";

export interface JobConsumerOptions {
  /** Time in milliseconds for one job before the next job gets its turn. */
  turnMs: number;
  /** The number of concurrent jobs; 1 by default. */
  width?(): Promise<number>;
}

/** Creates the consumer of a job queue, with the handlers of its kinds of jobs. */
export function jobConsumer(
  runtime: Runtime,
  handlers: readonly AnyJobHandler[],
  { turnMs, width = async () => 1 }: JobConsumerOptions,
): MessageConsumer {
  return {
    width,
    async consume({ body }) {
      const message = JobMessage.or(FormerMessage).parse(body);
      if ("job" in message) await runJob(runtime, handlers, message, turnMs);
      else await takeOver(runtime, message);
    },
  };
}
