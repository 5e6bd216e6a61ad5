import { Duration } from "aws-cdk-lib";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import { FilterCriteria, FilterRule, StartingPosition } from "aws-cdk-lib/aws-lambda";
import { DynamoEventSource, SqsDlq } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { stateWildcardReason } from "../nag.ts";
import { createDeadLetters } from "./dead-lettered-queue.ts";
import { WorkerFunction, type WorkerProps } from "./worker-function.ts";

const BATCH_SIZE = 100;

/** A record that fails this often, alone after bisection, is at fault itself and goes to the dead letters. */
const RETRY_ATTEMPTS = 8;

/** Well inside the 24 hours a stream keeps its records, so that a dead letter can still be looked up there. */
const MAX_RECORD_AGE = Duration.hours(6);

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
