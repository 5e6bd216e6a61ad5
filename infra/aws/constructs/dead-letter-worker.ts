import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { DeadLetteredQueue } from "./dead-lettered-queue.ts";
import { WorkerFunction, type WorkerProps } from "./worker-function.ts";

export interface DeadLetterWorkerProps extends WorkerProps {
  /** Queues whose dead letters it processes. */
  sources: DeadLetteredQueue[];
  batchSize: number;
}

/** Reads dead letters of other workers; those that it cannot process stay and are delivered again. */
export class DeadLetterWorker extends WorkerFunction {
  readonly deadLetters: Queue[] = [];

  constructor(scope: Construct, id: string, { sources, batchSize, ...props }: DeadLetterWorkerProps) {
    super(scope, id, props);
    for (const { deadLetters } of sources) {
      this.entry.addEventSource(new SqsEventSource(deadLetters, { batchSize, reportBatchItemFailures: true }));
    }
  }
}
