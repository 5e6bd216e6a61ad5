import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { Hono } from "hono";
import { createApp } from "../../shared/http/app.ts";
import { failure } from "../../shared/http/envelope.ts";
import { cutOffByStop, stopping } from "../../shared/http/stopping.ts";
import type { LastOrganizations } from "../../shared/identity/authenticate.ts";
import { bootstrap, type FirstKey } from "../../shared/identity/bootstrap.ts";
import { BoundedMap } from "../../shared/kernel/bounded.ts";
import type { Clock } from "../../shared/kernel/clock.ts";
import type { Config } from "../../shared/kernel/config.ts";
import type { Logger } from "../../shared/kernel/logger.ts";
import { fillIndex } from "../../shared/maintenance/fill-index.ts";
import { cleanUpAfterCrash } from "../../shared/maintenance/routine.ts";
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
import { type Closing, Endpoint } from "./endpoint.ts";
import { FairTurns } from "./fair-turns.ts";
import { startCatchUp } from "./index-catch-up.ts";
import { type AnyWorkerEntry, expiryLoop, type Loop, loopFor } from "./loops.ts";
import { markClosed, markOpen } from "./open-mark.ts";
import { StreamLoop } from "./stream-loop.ts";

/** A message stays hidden this many times its worker's timeout: what AWS asks of a queue that feeds a function. */
const VISIBILITY_FACTOR = 6;
const ROLLUP_FLUSH_MS = 5_000;
/** Longest that requests and workers may take to end, once the host closes. */
const CLOSE_MS = 7_000;
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
  /**
   * Lets open requests and running workers end, writes what was counted, and lets go of the data folder. What takes too
   * long is cut off: a request is answered 503, and a worker's messages are given back.
   */
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
  const opened = await openLocalPorts(foundation, wiringOf(workers, endpoint));
  const { ports, platform, emptied, index, close: closePorts } = opened;
  keepIn(platform.logs);
  const hasCrashed = markOpen(config.DATA_DIR);
  const streams: StreamLoop[] = [];
  const lastOrganizations: LastOrganizations = new BoundedMap(MOST_KNOWN);
  const home: Home = {
    ...assembleHome(foundation, around(ports), () => drainAll(streams), lastOrganizations),
    isShortOfRoom: () => platform.records.isShortOfRoom,
    isBacklogged: opened.isBacklogged,
  };
  if (emptied.length > 0) {
    foundation.logger.warn("SEARCH_INDEX_TOO_OLD", { organizations: emptied.length });
    await fillIndex(home);
    opened.noteFilled();
  }
  const loops = [...workers.map((entry) => loopFor(entry, home, platform)), expiryLoop(home, platform)];
  streams.push(...loops.filter((loop) => loop instanceof StreamLoop));
  const firstKey = await bootstrap(home);
  if (hasCrashed) await cleanUpAfterCrash(home);
  const turns = new FairTurns();
  const admit = admitInTurn(turns, lastOrganizations);
  const app = createApp(groups, home, {
    admit,
    isStopping: () => endpoint.isClosing,
    allowedOrigins: config.ALLOWED_ORIGINS,
  });
  app.all(`${BLOB_LINK_PREFIX}*`, ({ req }) => platform.blobs.respond(req.raw));
  const stopWork = startWork(loops, home, platform);
  const closing: Closing = {
    refuseWaiting: () => turns.refuse(stopping()),
    answerForUnfinished: () => answerForCutOff(home),
  };
  const stopCatchUp = startCatchUp(home, index);
  return {
    app,
    home,
    firstKey,
    listen: () => endpoint.listen(app.fetch),
    drain: () => drainAll(loops),
    close: async () => {
      await Promise.all([stopWork(endpoint.close(closing)), stopCatchUp()]);
      closePorts();
      markClosed(config.DATA_DIR);
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

/** Starts what works by itself. What it answers stops that once requests are answered, and writes what was counted. */
function startWork(
  loops: Loop[],
  { rollups, logger }: Home,
  { queue }: LocalPlatform,
): (answered: Promise<void>) => Promise<void> {
  for (const { id, queue: name, body } of queue.quarantineInterrupted()) {
    logger.warn("WORK_QUARANTINED", { id, queue: name, work: body });
  }
  queue.releaseInHand();
  for (const loop of loops) loop.start();
  const flushing = setInterval(() => void rollups.flush(), ROLLUP_FLUSH_MS);
  return async (answered) => {
    clearInterval(flushing);
    // Writes are answered once the change feed is drained.
    const stops = loops.map((loop) => (loop instanceof StreamLoop ? answered.then(() => loop.stop()) : loop.stop()));
    const stopped = Promise.all([answered, ...stops]).then(() => true);
    const isInTime = await Promise.race([stopped, sleep(CLOSE_MS, false, { ref: false })]);
    if (!isInTime) {
      logger.warn("WORK_CUT_OFF", { after_ms: CLOSE_MS });
      queue.giveBackInHand();
    }
    await rollups.flush();
  };
}

/** Whatever a request waits for may still be done. */
function answerForCutOff({ clock, ids, logger }: Home): Response {
  const request_id = ids("request");
  logger.error("REQUEST_CUT_OFF", { request_id });
  return failure(cutOffByStop(), request_id, clock());
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
