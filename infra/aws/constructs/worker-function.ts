import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction as LambdaTarget } from "aws-cdk-lib/aws-events-targets";
import { FilterCriteria, FilterRule, RecursiveLoop, StartingPosition } from "aws-cdk-lib/aws-lambda";
import { SqsDestination } from "aws-cdk-lib/aws-lambda-destinations";
import { DynamoEventSource, SqsDlq, SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { ENVIRONMENT } from "../../../shared/adapters/aws/environment.ts";
import { deployedNameOf, type WorkerManifest, type WorkerSource } from "../../../shared/ports/manifest.ts";
import { lambdaHandler } from "../../bundle.ts";
import { stateWildcardReason } from "../nag.ts";
import { createDeadLetters, type DeadLetteredQueue } from "./dead-lettered-queue.ts";
import { keyUse } from "./key.ts";
import type { FunctionEnvironment } from "./resources.ts";
import { ServiceFunction } from "./service-function.ts";

const SCHEDULE_RETRIES = 2;
const BATCH_SIZE = 100;

/**
 * Unlimited, because Lambda counts failures of an outage too. The worker quarantines poison changes (shared/entry/lambda).
 */
const STREAM_RETRIES = -1;

/** Within the stream's 24 hours, so that a change that still fails becomes a dead letter instead of disappearing. */
const MAX_RECORD_AGE = Duration.hours(23);

export interface WorkerProps {
  environment: FunctionEnvironment;
  manifest: WorkerManifest;
  /** By the name in manifests. */
  queues: ReadonlyMap<string, DeadLetteredQueue>;
}

/** The function of a worker with its event source. */
export class WorkerFunction extends ServiceFunction {
  readonly source: WorkerSource;
  /** The dead-letter queues of the worker, one per source; none of a worker that reads dead letters. */
  readonly deadLetters: Queue[];

  constructor(scope: Construct, { environment, manifest, queues }: WorkerProps) {
    super(scope, deployedNameOf(manifest), {
      environment,
      handler: lambdaHandler.worker(manifest.name),
      description: `Worker ${manifest.name}`,
      samName: manifest.name,
      capabilities: manifest.capabilities,
      memoryMb: manifest.memoryMb,
      timeoutSeconds: manifest.timeoutSeconds,
      // A long job enqueues its next turn. Jobs count attempts without progress themselves, and give up.
      ...("queues" in manifest.source && { recursiveLoop: RecursiveLoop.ALLOW }),
    });
    // The queues and dead-letter queues of the worker are encrypted with this key.
    for (const permission of keyUse(environment.key)) this.permit(permission);
    this.source = manifest.source;
    this.deadLetters = this.connect(manifest.source, environment, queues);
  }

  private connect(source: WorkerSource, environment: FunctionEnvironment, queues: WorkerProps["queues"]): Queue[] {
    if ("stream" in source) return [this.readStream(source.stream, environment)];
    if ("schedule" in source) return [this.runEvery(source.schedule, environment)];
    const queueNamed = (name: string) => {
      const found = queues.get(name);
      if (found === undefined)
        throw new Error(`worker '${this.node.id}' reads the queue '${name}', which does not exist`);
      return found;
    };
    if ("deadLetters" in source) {
      const { of, batchSize } = source.deadLetters;
      for (const { deadLetters } of of.map(queueNamed)) this.readQueue(deadLetters, batchSize);
      return [];
    }
    const { names, batchSize, maxConcurrency } = source.queues;
    const read = names.map(queueNamed);
    for (const { queue } of read) this.readQueue(queue, batchSize, maxConcurrency);
    return read.map(({ deadLetters }) => deadLetters);
  }

  /**
   * Lambda polls each queue independently, so that none delays another. Messages reported as failed return to their
   * queue, the rest of their batch does not.
   */
  private readQueue(queue: Queue, batchSize: number, maxConcurrency?: number): void {
    this.entry.addEventSource(new SqsEventSource(queue, { batchSize, maxConcurrency, reportBatchItemFailures: true }));
  }

  /** Runs that never started (EventBridge) and failed ones (Lambda) end in the same dead-letter queue. */
  private runEvery(
    { everyMinutes }: Extract<WorkerSource, { schedule: object }>["schedule"],
    { key }: FunctionEnvironment,
  ): Queue {
    const deadLetterQueue = createDeadLetters(this, key);
    const retryAttempts = SCHEDULE_RETRIES;
    this.entry.configureAsyncInvoke({ retryAttempts, onFailure: new SqsDestination(deadLetterQueue) });
    const target = new LambdaTarget(this.entry, { deadLetterQueue, retryAttempts });
    new Rule(this, "Schedule", { schedule: Schedule.rate(Duration.minutes(everyMinutes)), targets: [target] });
    return deadLetterQueue;
  }

  private readStream(
    { kinds }: Extract<WorkerSource, { stream: object }>["stream"],
    { table, key, deployment }: FunctionEnvironment,
  ): Queue {
    const deadLetters = createDeadLetters(this, key);
    // The event source grants the function permission to send to it.
    this.function.addEnvironment(ENVIRONMENT.deadLettersUrl, deadLetters.queueUrl);
    this.entry.addEventSource(
      new DynamoEventSource(table, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        batchSize: BATCH_SIZE,
        parallelizationFactor: deployment.feedConcurrency,
        filters: changesOf(kinds),
        reportBatchItemFailures: true,
        bisectBatchOnError: true,
        retryAttempts: STREAM_RETRIES,
        maxRecordAge: MAX_RECORD_AGE,
        onFailure: new SqsDlq(deadLetters),
      }),
    );
    stateWildcardReason(
      this.role,
      ["*"],
      "Lambda's poller calls dynamodb:ListStreams, which does not support resources.",
    );
    return deadLetters;
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
