import type { DynamoDBBatchResponse, DynamoDBStreamEvent, SQSBatchResponse, SQSEvent } from "aws-lambda";
import type { WorkerEntry } from "../../shared/lambda/worker.ts";
import type { Home } from "../../shared/platform/context.ts";
import type { LocalPlatform } from "../../shared/platform/local/platform.ts";
import type { WorkerSource } from "../../shared/platform/manifest.ts";
import type { Json } from "../../shared/platform/ports.ts";
import { deadLettersOf } from "../../shared/platform/queues.ts";
import { QueueLoop } from "./queue-loop.ts";
import { ScheduleLoop } from "./schedule-loop.ts";
import { StreamLoop } from "./stream-loop.ts";

/** What feeds one worker. */
export type Loop = StreamLoop | QueueLoop | ScheduleLoop;

/** A worker of any kind, as its `handler.ts` exports it; what it takes is what its source gives. */
export type AnyWorkerEntry = Pick<WorkerEntry<unknown, unknown>, "worker" | "bind">;

/** The loop that feeds a worker from what its manifest names as its source. */
export function loopFor({ worker, bind }: AnyWorkerEntry, home: Home, platform: LocalPlatform): Loop {
  const { name, source } = worker;
  const { clock, logger } = home;
  const handler = bind(home);
  if ("stream" in source) {
    return new StreamLoop({
      name,
      changes: platform.records.changesFor(name),
      handler: handler as (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>,
      park: (record) => platform.queue.send(deadLettersOf(name), [{ body: record as unknown as Json }]),
      logger,
    });
  }
  if ("schedule" in source) {
    return new ScheduleLoop({ name, everyMinutes: source.schedule.everyMinutes, handler, clock, logger });
  }
  return new QueueLoop({
    queue: platform.queue,
    ...queuesReadBy(source),
    handler: handler as (event: SQSEvent) => Promise<SQSBatchResponse>,
    clock,
    logger,
  });
}

function queuesReadBy(source: Extract<WorkerSource, { queues: object } | { deadLetters: object }>) {
  if ("queues" in source) return source.queues;
  const { of, batchSize } = source.deadLetters;
  return { names: of.map(deadLettersOf), batchSize };
}

/** Removes rows of expired records, as DynamoDB does by itself; readers have not seen them since they expired. */
export function expiryLoop({ clock, logger }: Home, { records }: LocalPlatform): ScheduleLoop {
  return new ScheduleLoop({
    name: "expire-records",
    everyMinutes: 1,
    handler: () => records.purgeExpired(),
    clock,
    logger,
  });
}
