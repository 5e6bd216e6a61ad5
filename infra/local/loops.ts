import type { DynamoDBBatchResponse, DynamoDBStreamEvent, SQSBatchResponse, SQSEvent } from "aws-lambda";
import type { WorkerEntry } from "../../shared/lambda/worker.ts";
import type { Home } from "../../shared/platform/context.ts";
import type { LocalPlatform } from "../../shared/platform/local/platform.ts";
import type { LocalQueue } from "../../shared/platform/local/queue.ts";
import type { WorkerSource } from "../../shared/platform/manifest.ts";
import type { Json, PortName, Queue } from "../../shared/platform/ports.ts";
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
  const handler = bind("schedule" in source ? withoutQuarantined(home, platform) : home);
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

/** A schedule begins no work again that is quarantined; what a request or a worker sends is asked for. */
function withoutQuarantined(home: Home, { queue }: LocalPlatform): Home {
  const ports = new Proxy(home.ports, {
    get(target, name: PortName) {
      return name === "queue" ? unlessQuarantined(target.queue, queue) : target[name];
    },
  });
  return { ...home, ports };
}

function unlessQuarantined(sending: Queue, { isQuarantined }: Pick<LocalQueue, "isQuarantined">): Queue {
  return {
    send: (name, messages) =>
      sending.send(
        name,
        messages.filter(({ body }) => !isQuarantined(name, body)),
      ),
    depth: (name) => sending.depth(name),
    names: () => sending.names(),
    working: (name, body, work) => sending.working(name, body, work),
    quarantined: () => sending.quarantined(),
    ping: () => sending.ping(),
  };
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
