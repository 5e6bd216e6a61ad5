import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from "aws-lambda";
import { discoverWorkers } from "../../infra/discover.ts";
import { loadGroups } from "../../infra/groups.ts";
import { createApp } from "../../shared/http/app.ts";
import { bootstrap } from "../../shared/identity/bootstrap.ts";
import type { WorkerEntry } from "../../shared/lambda/worker.ts";
import { assembleHome, layFoundation } from "../../shared/platform/home.ts";
import type { WorkerManifest } from "../../shared/platform/manifest.ts";
import { createClient, type TestedService } from "../support/service.ts";
import { openEnginePlatform } from "./platform.ts";
import type { StreamHandler } from "./stream-poller.ts";

type Image = Record<string, { S?: string }>;
type StreamWorker = WorkerEntry<DynamoDBStreamEvent, DynamoDBBatchResponse>;

/**
 * All groups on the AWS adapters and the real engines. After each write the stream's workers are fed and what they
 * indexed is made searchable, so that tests need not wait for what takes AWS a second.
 */
export async function openEngineService(): Promise<TestedService> {
  const platform = await openEnginePlatform({ settings: { LOG_LEVEL: "error" } });
  const workers = await streamWorkers();
  const home = assembleHome(layFoundation(platform.config), platform.ports, async () => {
    for (const handler of handlers) while ((await platform.pollStream(handler)) > 0);
    await platform.refreshSearch();
  });
  const handlers = workers.map((entry) => onlyItsKinds(entry.worker, entry.bind(home)));
  const { secret } = await bootstrap(home);
  const app = createApp(await loadGroups(), home);
  const client = createClient("http://localhost", secret, (request) => app.fetch(request));
  return { ...client, home, adminKey: secret, close: platform.close };
}

async function streamWorkers(): Promise<StreamWorker[]> {
  const workers = await discoverWorkers();
  const handlers = workers.filter(({ manifest }) => "stream" in manifest.source).map(({ handler }) => handler);
  const modules = await Promise.all(handlers.map((file) => import(file)));
  return modules.map((module: { entry: StreamWorker }) => module.entry);
}

/** What the event source's filter does: a worker is told of records of the kinds it names, before or after. */
function onlyItsKinds({ source }: WorkerManifest, handler: StreamHandler): StreamHandler {
  const kinds = "stream" in source ? source.stream.kinds : [];
  const concerns = (image: Image | undefined) => kinds.includes(image?.kind?.S ?? "");
  return async ({ Records }) => {
    const own = Records.filter(({ dynamodb }) => concerns(dynamodb?.NewImage) || concerns(dynamodb?.OldImage));
    return own.length === 0 ? { batchItemFailures: [] } : handler({ Records: own });
  };
}
