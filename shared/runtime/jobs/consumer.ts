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
  width?(runtime: Runtime): Promise<number>;
}

/** Returns a function that creates the consumer of a job queue, with the handlers of its kinds of jobs. */
export function jobConsumer(
  handlers: readonly AnyJobHandler[],
  { turnMs, width = async () => 1 }: JobConsumerOptions,
): (runtime: Runtime) => MessageConsumer {
  return (runtime) => ({
    width: () => width(runtime),
    async consume({ body }) {
      const message = JobMessage.or(FormerMessage).parse(body);
      if ("job" in message) await runJob(runtime, handlers, message, turnMs);
      else await takeOver(runtime, message);
    },
  });
}
