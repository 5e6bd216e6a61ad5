import { Duration } from "aws-cdk-lib";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import { FilterCriteria, FilterRule, StartingPosition } from "aws-cdk-lib/aws-lambda";
import { DynamoEventSource, SqsDlq } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { ENVIRONMENT } from "../../shared/platform/aws/environment.ts";
import { stateWildcardReason } from "../nag.ts";
import { createDeadLetters } from "./dead-lettered-queue.ts";
import { WorkerFunction, type WorkerProps } from "./worker-function.ts";

const BATCH_SIZE = 100;

/** Without end: Lambda counts an outage's failures too. The worker parks what fails by its own fault (shared/lambda). */
const RETRY_ATTEMPTS = -1;

/** Within the 24 hours a stream keeps its records: what then still fails is a dead letter, and not gone without a word. */
const MAX_RECORD_AGE = Duration.hours(23);

export interface StreamWorkerProps extends WorkerProps {
  table: ITable;
  /** Kinds of records whose changes it is told. */
  kinds: string[];
  /** Most batches of one shard at a time; one when absent. */
  batchesAtOnce?: number | undefined;
}

/** Follows the table's change feed. */
export class StreamWorker extends WorkerFunction {
  readonly deadLetters: Queue[];

  constructor(scope: Construct, id: string, { table, kinds, batchesAtOnce, ...props }: StreamWorkerProps) {
    super(scope, id, props);
    const deadLetters = createDeadLetters(this, props.environment.key);
    this.deadLetters = [deadLetters];
    // The event source lets the function send to it.
    this.function.addEnvironment(ENVIRONMENT.deadLettersUrl, deadLetters.queueUrl);
    this.entry.addEventSource(
      new DynamoEventSource(table, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        batchSize: BATCH_SIZE,
        parallelizationFactor: batchesAtOnce,
        filters: changesOf(kinds),
        reportBatchItemFailures: true,
        bisectBatchOnError: true,
        retryAttempts: RETRY_ATTEMPTS,
        maxRecordAge: MAX_RECORD_AGE,
        onFailure: new SqsDlq(deadLetters),
      }),
    );
    stateWildcardReason(this.role, ["*"], "dynamodb:ListStreams, which Lambda's poller calls, takes no resource.");
  }
}

/** A removed record has an old image only, so both are looked at. */
function changesOf(kinds: string[]) {
  const kind = { S: FilterRule.or(...kinds) };
  return [
    FilterCriteria.filter({ dynamodb: { NewImage: { kind } } }),
    FilterCriteria.filter({ dynamodb: { OldImage: { kind } } }),
  ];
}
