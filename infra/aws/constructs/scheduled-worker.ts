import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction as LambdaTarget } from "aws-cdk-lib/aws-events-targets";
import { SqsDestination } from "aws-cdk-lib/aws-lambda-destinations";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { createDeadLetters } from "./dead-lettered-queue.ts";
import { WorkerFunction, type WorkerProps } from "./worker-function.ts";

const RETRY_ATTEMPTS = 2;

export interface ScheduledWorkerProps extends WorkerProps {
  everyMinutes: number;
}

/**
 * Runs at a fixed rate. Runs that never started (EventBridge) and failed ones (Lambda) end in the same dead-letter
 * queue.
 */
export class ScheduledWorker extends WorkerFunction {
  readonly deadLetters: Queue[];

  constructor(scope: Construct, id: string, { everyMinutes, ...props }: ScheduledWorkerProps) {
    super(scope, id, props);
    const deadLetters = createDeadLetters(this, props.environment.key);
    this.deadLetters = [deadLetters];
    this.entry.configureAsyncInvoke({
      retryAttempts: RETRY_ATTEMPTS,
      onFailure: new SqsDestination(deadLetters),
    });
    const target = new LambdaTarget(this.entry, {
      deadLetterQueue: deadLetters,
      retryAttempts: RETRY_ATTEMPTS,
    });
    new Rule(this, "Schedule", { schedule: Schedule.rate(Duration.minutes(everyMinutes)), targets: [target] });
  }
}
