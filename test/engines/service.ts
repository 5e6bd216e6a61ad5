import { setTimeout as delay } from "node:timers/promises";
import { loadGroups } from "../../infra/groups.ts";
import { loadWorkers } from "../../infra/local/host.ts";
import type { AnyWorkerEntry } from "../../infra/local/loops.ts";
import type { Environment } from "../../shared/adapters/aws/environment.ts";
import { bootstrap } from "../../shared/domain/identity/bootstrap.ts";
import { createApp } from "../../shared/entry/http/app.ts";
import { createBaseRuntime, createRuntime } from "../../shared/entry/runtime.ts";
import { systemClock } from "../../shared/kernel/clock.ts";
import type { WorkerManifest } from "../../shared/ports/manifest.ts";
import type { Queue } from "../../shared/ports/queue.ts";
import { deadLettersOf } from "../../shared/ports/queues.ts";
import type { Runtime } from "../../shared/runtime/context.ts";
import type { QueueHandler } from "../contract/queue.ts";
import { createClient, type TestedService } from "../support/service.ts";
import { type EnginePlatform, openEnginePlatform } from "./platform.ts";
import type { QueueShape } from "./resources.ts";
import type { StreamHandler } from "./stream-poller.ts";

type Image = Record<string, { S?: string }>;

/** Another service may use the same environment after it is closed. */
export interface EngineService extends TestedService {
  environment: Environment;
}

/** Pause of the poller that feeds the queues' workers when there was nothing to do. */
const IDLE_MS = 10;
/** How often a queue is polled that holds a delayed message. */
const DELAYED_MS = 1_000;
/** How often every queue is polled, even without a recent message: for failed messages. */
const ROUND_MS = 5_000;
const VISIBILITY_SECONDS = 30;

/**
 * All groups and workers on the AWS adapters and the real engines. After each write the stream's workers are fed and
 * their index is refreshed, so that tests need not wait for what takes AWS a second.
 */
export async function openEngineService(
  environment: Record<string, string> = {},
  existing: Environment = {},
): Promise<EngineService> {
  const workers = await loadWorkers();
  const manifests = workers.map(({ worker }) => worker);
  const settings = { LOG_LEVEL: "error", ...environment };
  const platform = await openEnginePlatform({ queues: manifests.flatMap(queuesOf), settings, existing });
  const schedule = new PollSchedule();
  const ports = { ...platform.ports, queue: scheduledQueue(platform.ports.queue, schedule) };
  const runtime = createRuntime(
    createBaseRuntime(platform.config, systemClock, platform.logger),
    ports,
    oneAtATime(async () => {
      const changes = await drain(() => platform.pollStream(...streamHandlers));
      if (changes > 0) await platform.refreshSearch();
    }),
  );
  const streamHandlers = workers
    .filter(({ worker }) => "stream" in worker.source)
    .map((entry) => streamHandler(entry, runtime));
  const { secret } = await bootstrap(runtime);
  const app = createApp(await loadGroups(), runtime);
  const client = createClient("http://localhost", secret, (request) => app.fetch(request));
  const stopQueues = feedQueues(platform, workers, runtime, schedule);
  return {
    ...client,
    runtime,
    environment: platform.environment,
    adminKey: secret,
    close: async () => {
      await stopQueues();
      await platform.close();
    },
  };
}

export function queuesOf({ source }: WorkerManifest): QueueShape[] {
  if (!("queues" in source)) return [];
  const { names, maxReceives } = source.queues;
  return names.flatMap((name) => {
    const deadLetters = deadLettersOf(name);
    return [
      { name: deadLetters, visibilitySeconds: VISIBILITY_SECONDS },
      { name, visibilitySeconds: VISIBILITY_SECONDS, redrive: { deadLetters, maxReceives } },
    ];
  });
}

/** When a queue is polled: after a message was sent, and periodically. */
class PollSchedule {
  readonly #sentTo = new Set<string>();
  readonly #polledAt = new Map<string, number>();
  /** The time by which the delayed messages are visible. */
  readonly #visibleBy = new Map<string, number>();

  add(name: string, delaySeconds = 0): void {
    this.#sentTo.add(name);
    const visibleBy = Date.now() + delaySeconds * 1_000 + 2 * DELAYED_MS;
    this.#visibleBy.set(name, Math.max(visibleBy, this.#visibleBy.get(name) ?? 0));
  }

  /** Whether to poll a queue now. */
  take(name: string): boolean {
    const now = Date.now();
    const interval = now < (this.#visibleBy.get(name) ?? 0) ? DELAYED_MS : ROUND_MS;
    if (!this.#sentTo.delete(name) && now - (this.#polledAt.get(name) ?? 0) < interval) return false;
    this.#polledAt.set(name, now);
    return true;
  }
}

/**
 * Polls the workers' queues, the most urgent first, until it is stopped. Changes by a worker reach the stream's workers
 * like those of a request.
 */
function feedQueues(
  platform: EnginePlatform,
  workers: AnyWorkerEntry[],
  runtime: Runtime,
  schedule: PollSchedule,
): () => Promise<void> {
  const fed = workers.flatMap(({ worker: { source }, bind }) => {
    const handler = bind(runtime) as QueueHandler;
    return namesRead(source).map((name) => ({ name, handler }));
  });
  let isStopped = false;
  const running = (async () => {
    while (!isStopped) {
      let done = 0;
      for (const { name, handler } of fed) {
        if (done > 0 || !schedule.take(name)) continue;
        done = await platform.pollQueue(name, handler);
        if (done > 0) schedule.add(name);
      }
      await (done > 0 ? runtime.drainChangeFeed() : delay(IDLE_MS));
    }
  })();
  return () => {
    isStopped = true;
    return running;
  };
}

export function namesRead(source: WorkerManifest["source"]): string[] {
  if ("deadLetters" in source) return source.deadLetters.of.map(deadLettersOf);
  return "queues" in source ? source.queues.names : [];
}

/** The same queue, which schedules the polls for its messages. */
function scheduledQueue(queue: Queue, schedule: PollSchedule): Queue {
  return {
    send: async (name, messages) => {
      await queue.send(name, messages);
      for (const { delaySeconds } of messages) schedule.add(name, delaySeconds);
    },
    depth: (name) => queue.depth(name),
    names: () => queue.names(),
    working: (name, body, work) => queue.working(name, body, work),
    quarantined: () => queue.quarantined(),
    resume: (work) => queue.resume(work),
    ping: () => queue.ping(),
  };
}

export async function drain(poll: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (let done = await poll(); done > 0; done = await poll()) sum += done;
  return sum;
}

/** Calls during a call share the next one, so that each sees what was written before it started. */
function oneAtATime(act: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = () => {
    next = undefined;
    running = act().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (next) return next;
    if (!running) return start();
    next = running.then(start, start);
    return next;
  };
}

/** Emulates the event source's filter: a worker receives records of the kinds it names, before or after the change. */
export function streamHandler({ worker: { source }, bind }: AnyWorkerEntry, runtime: Runtime): StreamHandler {
  const handler = bind(runtime) as StreamHandler;
  const kinds = "stream" in source ? source.stream.kinds : [];
  const concerns = (image: Image | undefined) => kinds.includes(image?.kind?.S ?? "");
  return async ({ Records }) => {
    const own = Records.filter(({ dynamodb }) => concerns(dynamodb?.NewImage) || concerns(dynamodb?.OldImage));
    return own.length === 0 ? { batchItemFailures: [] } : handler({ Records: own });
  };
}
