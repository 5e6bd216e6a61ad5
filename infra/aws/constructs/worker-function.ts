import { Duration } from "aws-cdk-lib";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction as LambdaTarget } from "aws-cdk-lib/aws-events-targets";
import { FilterCriteria, FilterRule, StartingPosition } from "aws-cdk-lib/aws-lambda";
import { SqsDestination } from "aws-cdk-lib/aws-lambda-destinations";
import { DynamoEventSource, SqsDlq, SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { ENVIRONMENT } from "../../../shared/adapters/aws/environment.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import { lambdaHandler } from "../../bundle.ts";
import { stateWildcardReason } from "../nag.ts";
import { createDeadLetters, type DeadLetteredQueue } from "./dead-lettered-queue.ts";
import { keyUse } from "./key.ts";
import type { FunctionEnvironment } from "./resources.ts";
import { ServiceFunction } from "./service-function.ts";

export interface WorkerProps {
  environment: FunctionEnvironment;
  manifest: WorkerManifest;
}

/** The function of a worker; subclasses define what invokes it. */
export abstract class WorkerFunction extends ServiceFunction {
  /** The dead-letter queues of the worker, one per source. */
  abstract readonly deadLetters: Queue[];

  constructor(scope: Construct, id: string, { environment, manifest }: WorkerProps) {
    super(scope, id, {
      environment,
      handler: lambdaHandler.worker(manifest.name),
      description: `Worker ${manifest.name}`,
      samName: manifest.name,
      capabilities: manifest.capabilities,
      memoryMb: manifest.memoryMb,
      timeoutSeconds: manifest.timeoutSeconds,
    });
    // For its queues and dead-letter queues.
    for (const permission of keyUse(environment.key)) this.permit(permission);
  }
}

interface QueueWorkerProps extends WorkerProps {
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

interface DeadLetterWorkerProps extends WorkerProps {
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

const SCHEDULE_RETRIES = 2;

interface ScheduledWorkerProps extends WorkerProps {
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
      retryAttempts: SCHEDULE_RETRIES,
      onFailure: new SqsDestination(deadLetters),
    });
    const target = new LambdaTarget(this.entry, {
      deadLetterQueue: deadLetters,
      retryAttempts: SCHEDULE_RETRIES,
    });
    new Rule(this, "Schedule", { schedule: Schedule.rate(Duration.minutes(everyMinutes)), targets: [target] });
  }
}

const BATCH_SIZE = 100;

/**
 * Unlimited, because Lambda counts failures of an outage too. The worker quarantines poison changes (shared/entry/lambda).
 */
const STREAM_RETRIES = -1;

/** Within the stream's 24 hours, so that a change that still fails becomes a dead letter instead of disappearing. */
const MAX_RECORD_AGE = Duration.hours(23);

interface StreamWorkerProps extends WorkerProps {
  table: ITable;
  /** Record kinds whose changes it receives. */
  kinds: string[];
  /** Maximum concurrent batches per shard; 1 if absent. */
  batchesAtOnce?: number | undefined;
}

/** Reads the table's change feed. */
export class StreamWorker extends WorkerFunction {
  readonly deadLetters: Queue[];

  constructor(scope: Construct, id: string, { table, kinds, batchesAtOnce, ...props }: StreamWorkerProps) {
    super(scope, id, props);
    const deadLetters = createDeadLetters(this, props.environment.key);
    this.deadLetters = [deadLetters];
    // The event source grants the function permission to send to it.
    this.function.addEnvironment(ENVIRONMENT.deadLettersUrl, deadLetters.queueUrl);
    this.entry.addEventSource(
      new DynamoEventSource(table, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        batchSize: BATCH_SIZE,
        parallelizationFactor: batchesAtOnce,
        filters: changesOf(kinds),
        reportBatchItemFailures: true,
        bisectBatchOnError: true,
        retryAttempts: STREAM_RETRIES,
        maxRecordAge: MAX_RECORD_AGE,
        onFailure: new SqsDlq(deadLetters),
      }),
    );
    stateWildcardReason(this.role, ["*"], "dynamodb:ListStreams, which Lambda's poller calls, takes no resource.");
  }
}

/** A deleted record has only an old image, so both are filtered. */
function changesOf(kinds: string[]) {
  const kind = { S: FilterRule.or(...kinds) };
  return [
    FilterCriteria.filter({ dynamodb: { NewImage: { kind } } }),
    FilterCriteria.filter({ dynamodb: { OldImage: { kind } } }),
  ];
}
