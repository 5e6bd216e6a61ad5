import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { DeadLetteredQueue } from "./dead-lettered-queue.ts";
import { WorkerFunction, type WorkerProps } from "./worker-function.ts";

export interface QueueWorkerProps extends WorkerProps {
  /** Lambda polls each independently, so that none delays another. */
  sources: DeadLetteredQueue[];
  batchSize: number;
  /** Maximum concurrent batches per queue; Lambda decides if absent. */
  concurrency?: number | undefined;
}

/** Processes queues; messages reported as failed return to their queue, the rest of their batch does not. */
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
