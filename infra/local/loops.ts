import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import type { LocalPlatform } from "../../shared/adapters/local/platform.ts";
import type { LocalQueue } from "../../shared/adapters/local/queue.ts";
import type { StreamEntry, WorkerEntry } from "../../shared/entry/lambda/worker.ts";
import type { Json } from "../../shared/ports/json.ts";
import { deployedNameOf, type WorkerSource } from "../../shared/ports/manifest.ts";
import type { PortName } from "../../shared/ports/ports.ts";
import type { Queue } from "../../shared/ports/queue.ts";
import { deadLettersOf } from "../../shared/ports/queues.ts";
import type { Runtime } from "../../shared/runtime/context.ts";
import { QueueLoop } from "./queue-loop.ts";
import { ScheduleLoop } from "./schedule-loop.ts";
import { StreamLoop } from "./stream-loop.ts";
import { toStreamRecord } from "./stream-record.ts";

/** The event source of a worker. */
export type Loop = StreamLoop | QueueLoop | ScheduleLoop;

/** A worker of any kind; its input is an event of its source, or the changes that a stream's event would contain. */
export type AnyWorkerEntry = Pick<WorkerEntry<never, unknown>, "worker" | "bind"> &
  Partial<Pick<StreamEntry, "follow">>;

/** The loop for a worker's event source. */
export function loopFor({ worker, bind, follow }: AnyWorkerEntry, runtime: Runtime, platform: LocalPlatform): Loop {
  const { source } = worker;
  const name = deployedNameOf(worker);
  const { clock, logger } = runtime;
  if (follow !== undefined) {
    return new StreamLoop({
      name,
      changes: platform.records.changesFor(name),
      handler: follow(runtime),
      park: (change) => platform.queue.send(deadLettersOf(name), [{ body: toStreamRecord(change) as unknown as Json }]),
      logger,
    });
  }
  if ("stream" in source) throw new Error(`the worker '${name}' reads the change feed, but does not export follow`);
  const handler = bind("schedule" in source ? withoutQuarantined(runtime, platform) : runtime);
  if ("schedule" in source) {
    const run = handler as () => Promise<unknown>;
    return new ScheduleLoop({ name, everyMinutes: source.schedule.everyMinutes, handler: run, clock, logger });
  }
  return new QueueLoop({
    queue: platform.queue,
    ...queuesReadBy(source),
    handler: handler as (event: SQSEvent) => Promise<SQSBatchResponse>,
    clock,
    logger,
  });
}

/** Schedules do not restart quarantined work; requests and workers may. */
function withoutQuarantined(runtime: Runtime, { queue }: LocalPlatform): Runtime {
  const ports = new Proxy(runtime.ports, {
    get(target, name: PortName) {
      return name === "queue" ? unlessQuarantined(target.queue, queue) : target[name];
    },
  });
  return { ...runtime, ports };
}

/** A queue that does not send messages about quarantined work. */
function unlessQuarantined(queue: Queue, { isQuarantined }: Pick<LocalQueue, "isQuarantined">): Queue {
  return {
    send: (name, messages) =>
      queue.send(
        name,
        messages.filter(({ body }) => !isQuarantined(name, body)),
      ),
    depth: (name) => queue.depth(name),
    names: () => queue.names(),
    working: (name, body, work) => queue.working(name, body, work),
    quarantined: () => queue.quarantined(),
    resume: (work) => queue.resume(work),
    ping: () => queue.ping(),
  };
}

function queuesReadBy(source: Exclude<WorkerSource, { schedule: object } | { stream: object }>) {
  if ("queues" in source) return source.queues;
  const { of, batchSize } = source.deadLetters;
  return { names: of.map(deadLettersOf), batchSize };
}

/** Deletes expired records, as DynamoDB does by itself; reads omit them from their expiry on. */
export function expiryLoop({ clock, logger }: Runtime, { records }: LocalPlatform): ScheduleLoop {
  return new ScheduleLoop({
    name: "expire-records",
    everyMinutes: 1,
    handler: () => records.purgeExpired(),
    clock,
    logger,
  });
}
