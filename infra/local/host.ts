import { pathToFileURL } from "node:url";
import type { Hono } from "hono";
import { createApp } from "../../shared/http/app.ts";
import type { LastOrganizations } from "../../shared/identity/authenticate.ts";
import { bootstrap, type FirstKey } from "../../shared/identity/bootstrap.ts";
import { BoundedMap } from "../../shared/kernel/bounded.ts";
import type { Clock } from "../../shared/kernel/clock.ts";
import type { Config } from "../../shared/kernel/config.ts";
import type { Logger } from "../../shared/kernel/logger.ts";
import type { Home } from "../../shared/platform/context.ts";
import { assembleHome, layFoundation } from "../../shared/platform/home.ts";
import { BLOB_LINK_PREFIX } from "../../shared/platform/local/blobs.ts";
import { createLineLogger, writeToStandardOutput } from "../../shared/platform/local/logger.ts";
import type { LocalPlatform } from "../../shared/platform/local/platform.ts";
import { openLocalPorts } from "../../shared/platform/local/ports.ts";
import type { QueueSettings } from "../../shared/platform/local/queue.ts";
import type { WorkerManifest } from "../../shared/platform/manifest.ts";
import type { Ports } from "../../shared/platform/ports.ts";
import { discoverWorkers } from "../discover.ts";
import { loadGroups } from "../groups.ts";
import { admitInTurn } from "./admissions.ts";
import { Endpoint } from "./endpoint.ts";
import { FairTurns } from "./fair-turns.ts";
import { startCatchUp } from "./index-catch-up.ts";
import { type AnyWorkerEntry, expiryLoop, type Loop, loopFor } from "./loops.ts";
import { StreamLoop } from "./stream-loop.ts";

/** A message stays hidden this many times its worker's timeout: what AWS asks of a queue that feeds a function. */
const VISIBILITY_FACTOR = 6;
const ROLLUP_FLUSH_MS = 5_000;
/** Of so many credentials it is known whose they were. */
const MOST_KNOWN = 10_000;

/** The whole service in one process: every group behind one app, every worker fed by its own loop. */
export interface Host {
  app: Hono;
  home: Home;
  firstKey: FirstKey;
  /** Answers on HOST and PORT; resolves to the base URL. Rejects when the port is taken. */
  listen(): Promise<string>;
  /** Works off what is due now: changes, messages, and what schedules do from time to time. */
  drain(): Promise<void>;
  /** Lets open requests and running workers end, writes what was counted, and lets go of the data folder. */
  close(): Promise<void>;
}

/** What may be put between a host and its surroundings. */
export interface HostSeams {
  /** Stands between all that the service does, requests and workers alike, and its ports. */
  around?: (ports: Ports) => Ports;
  /** Takes log lines; standard output unless told. */
  print?: (lines: string) => void;
}

/** Opens the service on DATA_DIR. Throws DataDirInUse when another process has it. */
export async function openHost(
  config: Config,
  clock?: Clock,
  { around = (ports) => ports, print = writeToStandardOutput() }: HostSeams = {},
): Promise<Host> {
  const { logger, keepIn } = openLog(config, print);
  const foundation = layFoundation(config, clock, logger);
  const [groups, workers] = await Promise.all([loadGroups(), loadWorkers()]);
  const endpoint = new Endpoint(config);
  const { ports, platform, index, close: closePorts } = await openLocalPorts(foundation, wiringOf(workers, endpoint));
  keepIn(platform.logs);
  const streams: StreamLoop[] = [];
  const lastOrganizations: LastOrganizations = new BoundedMap(MOST_KNOWN);
  const home: Home = {
    ...assembleHome(foundation, around(ports), () => drainAll(streams), lastOrganizations),
    isShortOfRoom: () => platform.records.isShortOfRoom,
  };
  const loops = [...workers.map((entry) => loopFor(entry, home, platform)), expiryLoop(home, platform)];
  streams.push(...loops.filter((loop) => loop instanceof StreamLoop));
  const firstKey = await bootstrap(home);
  const app = createApp(groups, home, { admit: admitInTurn(new FairTurns(), lastOrganizations) });
  app.all(`${BLOB_LINK_PREFIX}*`, ({ req }) => platform.blobs.respond(req.raw));
  const stopWork = startWork(loops, home, platform);
  const stopCatchUp = startCatchUp(home, index);
  return {
    app,
    home,
    firstKey,
    listen: () => endpoint.listen(app.fetch),
    drain: () => drainAll(loops),
    close: async () => {
      await endpoint.close();
      await Promise.all([stopWork(), stopCatchUp()]);
      closePorts();
    },
  };
}

/** A log that is printed, and kept as well from when there is a place for it. */
function openLog({ LOG_LEVEL }: Config, print: (lines: string) => void) {
  let kept: Pick<LocalPlatform["logs"], "append"> | undefined;
  const logger: Logger = createLineLogger(LOG_LEVEL, (lines) => {
    print(lines);
    kept?.append(lines);
  });
  const keepIn = (logs: typeof kept) => {
    kept = logs;
  };
  return { logger, keepIn };
}

/** What the ports must know of the house: who reads which changes and messages, and where it is reached. */
function wiringOf(workers: AnyWorkerEntry[], endpoint: Endpoint) {
  const manifests = workers.map(({ worker }) => worker);
  return { streams: streamsOf(manifests), queues: queuesOf(manifests), baseUrl: () => endpoint.url };
}

async function drainAll(loops: Loop[]): Promise<void> {
  await Promise.all(loops.map((loop) => loop.drain()));
}

/** Starts what works by itself. What it answers lets that end, and writes what was counted until then. */
function startWork(loops: Loop[], { rollups, logger }: Home, { queue }: LocalPlatform): () => Promise<void> {
  for (const { id, queue: name, body } of queue.quarantineInterrupted()) {
    logger.warn("WORK_QUARANTINED", { id, queue: name, work: body });
  }
  queue.releaseInHand();
  for (const loop of loops) loop.start();
  const flushing = setInterval(() => void rollups.flush(), ROLLUP_FLUSH_MS);
  return async () => {
    clearInterval(flushing);
    await Promise.all(loops.map((loop) => loop.stop()));
    await rollups.flush();
  };
}

/** Every worker, bound to nothing yet. */
export async function loadWorkers(): Promise<AnyWorkerEntry[]> {
  const workers = await discoverWorkers();
  const handlers = workers.map(({ handler }) => pathToFileURL(handler).href);
  return (await Promise.all(handlers.map((file) => import(file)))).map(
    (module: { entry: AnyWorkerEntry }) => module.entry,
  );
}

/** Who reads which changes. */
export function streamsOf(workers: WorkerManifest[]) {
  return workers.flatMap(({ name, source }) => ("stream" in source ? [{ name, kinds: source.stream.kinds }] : []));
}

/** The queues that workers take messages from. */
export function queuesOf(workers: WorkerManifest[]): QueueSettings[] {
  return workers.flatMap(({ source, timeoutSeconds }) => {
    if (!("queues" in source)) return [];
    const { names, maxReceives, redeliverAfterCrash = false } = source.queues;
    const visibilitySeconds = timeoutSeconds * VISIBILITY_FACTOR;
    return names.map((name) => ({ name, maxReceives, visibilitySeconds, redeliverAfterCrash }));
  });
}
