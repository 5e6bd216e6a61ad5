import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { DeadLetteredQueue } from "./dead-lettered-queue.ts";
import { WorkerFunction, type WorkerProps } from "./worker-function.ts";

export interface QueueWorkerProps extends WorkerProps {
  /** Lambda polls each by itself, so that none waits behind another. */
  sources: DeadLetteredQueue[];
  batchSize: number;
  /** Most batches of one queue at a time; as many as Lambda sees fit when absent. */
  concurrency?: number | undefined;
}

/** Works off queues; messages it names as failed return to their queue, the rest of their batch does not. */
export class QueueWorker extends WorkerFunction {
  readonly deadLetters: Queue[];

  constructor(scope: Construct, id: string, { sources, batchSize, concurrency, ...props }: QueueWorkerProps) {
    super(scope, id, props);
    this.deadLetters = sources.map(({ deadLetters }) => deadLetters);
    for (const { queue } of sources) {
      const polling = { batchSize, maxConcurrency: concurrency, reportBatchItemFailures: true };
      this.entry.addEventSource(new SqsEventSource(queue, polling));
    }
  }
}
