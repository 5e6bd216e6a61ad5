import { Duration } from "aws-cdk-lib";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import { FilterCriteria, FilterRule, StartingPosition } from "aws-cdk-lib/aws-lambda";
import { DynamoEventSource, SqsDlq } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { ENVIRONMENT } from "../../../shared/adapters/aws/environment.ts";
import { stateWildcardReason } from "../nag.ts";
import { createDeadLetters } from "./dead-lettered-queue.ts";
import { WorkerFunction, type WorkerProps } from "./worker-function.ts";

const BATCH_SIZE = 100;

/**
 * Unlimited, because Lambda counts failures of an outage too. The worker quarantines poison changes (shared/entry/lambda).
 */
const RETRY_ATTEMPTS = -1;

/** Within the stream's 24 hours, so that a change that still fails becomes a dead letter instead of disappearing. */
const MAX_RECORD_AGE = Duration.hours(23);

export interface StreamWorkerProps extends WorkerProps {
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
        retryAttempts: RETRY_ATTEMPTS,
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
