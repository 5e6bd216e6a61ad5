import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { DeadLetteredQueue } from "./dead-lettered-queue.ts";
import { WorkerFunction, type WorkerProps } from "./worker-function.ts";

export interface QueueWorkerProps extends WorkerProps {
  source: DeadLetteredQueue;
  batchSize: number;
}

/** Works off a queue; messages it names as failed return to the queue, the rest of their batch does not. */
export class QueueWorker extends WorkerFunction {
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { source, batchSize, ...props }: QueueWorkerProps) {
    super(scope, id, props);
    this.deadLetters = source.deadLetters;
    this.function.addEventSource(new SqsEventSource(source.queue, { batchSize, reportBatchItemFailures: true }));
  }
}
