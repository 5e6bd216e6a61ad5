import type { Home } from "../platform/context.ts";
import type { MessageConsumer } from "../platform/messages.ts";
import type { AnyJobHandler } from "./handler.ts";
import { JobMessage } from "./queue.ts";
import { runJob } from "./run.ts";
import { FormerMessage, takeOver } from "./take-over.ts";

export interface JobConsumerOptions {
  /** How long one job is worked on before the next one has its turn. */
  turnMs: number;
  /** How many jobs are worked on at a time; one when absent. */
  width?(): Promise<number>;
}

/** A worker on the queue of some kinds of jobs. */
export function jobConsumer(
  home: Home,
  handlers: readonly AnyJobHandler[],
  { turnMs, width = async () => 1 }: JobConsumerOptions,
): MessageConsumer {
  return {
    width,
    async consume({ body }) {
      const message = JobMessage.or(FormerMessage).parse(body);
      if ("job" in message) await runJob(home, handlers, message, turnMs);
      else await takeOver(home, message);
    },
  };
}
