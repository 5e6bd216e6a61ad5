import { setTimeout as delay } from "node:timers/promises";
import { discoverWorkers } from "../../infra/discover.ts";
import { loadGroups } from "../../infra/groups.ts";
import { createApp } from "../../shared/http/app.ts";
import { bootstrap } from "../../shared/identity/bootstrap.ts";
import type { WorkerEntry } from "../../shared/lambda/worker.ts";
import type { Home } from "../../shared/platform/context.ts";
import { assembleHome, layFoundation } from "../../shared/platform/home.ts";
import type { WorkerManifest } from "../../shared/platform/manifest.ts";
import { deadLettersOf } from "../../shared/platform/queues.ts";
import type { QueueHandler } from "../contract/queue.ts";
import { createClient, type TestedService } from "../support/service.ts";
import { type EnginePlatform, openEnginePlatform } from "./platform.ts";
import type { QueueShape } from "./resources.ts";
import type { StreamHandler } from "./stream-poller.ts";

type Image = Record<string, { S?: string }>;
type Entry = WorkerEntry<unknown, unknown>;

/** Pause of the poller that feeds the queues' workers when there was nothing to do. */
const IDLE_MS = 50;
const VISIBILITY_SECONDS = 30;

/**
 * All groups and workers on the AWS adapters and the real engines. After each write the stream's workers are fed and
 * what they indexed is made searchable, so that tests need not wait for what takes AWS a second.
 */
export async function openEngineService(environment: Record<string, string> = {}): Promise<TestedService> {
  const workers = await loadWorkers();
  const manifests = workers.map(({ worker }) => worker);
  const settings = { LOG_LEVEL: "error", ...environment };
  const platform = await openEnginePlatform({ queues: manifests.flatMap(queuesOf), settings });
  const home = assembleHome(layFoundation(platform.config), platform.ports, async () => {
    for (const handler of streamHandlers) while ((await platform.pollStream(handler)) > 0);
    await platform.refreshSearch();
  });
  const streamHandlers = workers
    .filter(({ worker }) => "stream" in worker.source)
    .map((entry) => streamHandler(entry, home));
  const { secret } = await bootstrap(home);
  const app = createApp(await loadGroups(), home);
  const client = createClient("http://localhost", secret, (request) => app.fetch(request));
  const stopQueues = feedQueues(platform, workers, home);
  return {
    ...client,
    home,
    adminKey: secret,
    close: async () => {
      await stopQueues();
      await platform.close();
    },
  };
}

async function loadWorkers(): Promise<Entry[]> {
  const workers = await discoverWorkers();
  const modules = await Promise.all(workers.map(({ handler }) => import(handler)));
  return modules.map((module: { entry: Entry }) => module.entry);
}

function queuesOf({ source }: WorkerManifest): QueueShape[] {
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

/** Polls the workers' queues, the most urgent first, until it is stopped. */
function feedQueues(platform: EnginePlatform, workers: Entry[], home: Home): () => Promise<void> {
  const fed = workers.flatMap(({ worker: { source }, bind }) => {
    const handler = bind(home) as QueueHandler;
    return "queues" in source ? source.queues.names.map((name) => ({ name, handler })) : [];
  });
  let isStopped = false;
  const running = (async () => {
    while (!isStopped) {
      let done = 0;
      for (const { name, handler } of fed) done ||= await platform.pollQueue(name, handler);
      if (done === 0) await delay(IDLE_MS);
    }
  })();
  return () => {
    isStopped = true;
    return running;
  };
}

/** What the event source's filter does: a worker is told of records of the kinds it names, before or after. */
function streamHandler({ worker: { source }, bind }: Entry, home: Home): StreamHandler {
  const handler = bind(home) as StreamHandler;
  const kinds = "stream" in source ? source.stream.kinds : [];
  const concerns = (image: Image | undefined) => kinds.includes(image?.kind?.S ?? "");
  return async ({ Records }) => {
    const own = Records.filter(({ dynamodb }) => concerns(dynamodb?.NewImage) || concerns(dynamodb?.OldImage));
    return own.length === 0 ? { batchItemFailures: [] } : handler({ Records: own });
  };
}
