import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { Hono } from "hono";
import { LRUCache } from "lru-cache";
import { BLOB_LINK_PREFIX } from "../../shared/adapters/local/blobs.ts";
import { openLocalEmbedder } from "../../shared/adapters/local/embedder.ts";
import { createLineLogger, writeToStandardOutput } from "../../shared/adapters/local/logger.ts";
import type { LocalPlatform } from "../../shared/adapters/local/platform.ts";
import { type LocalPorts, openLocalPorts } from "../../shared/adapters/local/ports.ts";
import type { QueueSettings } from "../../shared/adapters/local/queue.ts";
import { makePrivateFile } from "../../shared/adapters/local/storage/private-files.ts";
import type { LastOrganizations } from "../../shared/domain/identity/authenticate.ts";
import { bootstrap, type FirstKey } from "../../shared/domain/identity/bootstrap.ts";
import { warmUp } from "../../shared/domain/memory/warm-up.ts";
import { fillIndex } from "../../shared/domain/operations/maintenance/catch-up.ts";
import { cleanUpAfterCrash } from "../../shared/domain/operations/maintenance/routine.ts";
import { createApp } from "../../shared/entry/http/app.ts";
import { workerEntry } from "../../shared/entry/lambda/worker.ts";
import { createBaseRuntime, createRuntime } from "../../shared/entry/runtime.ts";
import type { Clock } from "../../shared/kernel/clock.ts";
import type { Config } from "../../shared/kernel/config.ts";
import { FairScheduler } from "../../shared/kernel/fair-scheduler.ts";
import type { Logger } from "../../shared/kernel/logger.ts";
import { deployedNameOf, type WorkerManifest } from "../../shared/ports/manifest.ts";
import type { Ports } from "../../shared/ports/ports.ts";
import type { Runtime } from "../../shared/runtime/context.ts";
import { failure } from "../../shared/runtime/http/envelope.ts";
import { cutOffByStop, stopping } from "../../shared/runtime/http/stopping.ts";
import { type Discovered, discoverWorkers } from "../discover.ts";
import { loadGroups } from "../groups.ts";
import { admitInTurn } from "./admissions.ts";
import { type Closing, Endpoint } from "./endpoint.ts";
import { startCatchUp } from "./index-catch-up.ts";
import { type AnyWorkerEntry, expiryLoop, type Loop, loopFor } from "./loops.ts";
import { StreamLoop } from "./stream-loop.ts";

/** Visibility timeout as a multiple of the worker's timeout: what AWS requires of a queue for a function. */
const VISIBILITY_FACTOR = 6;
const ROLLUP_FLUSH_MS = 5_000;
/** When what the first write or recall would otherwise wait for is loaded: not beside first requests. */
const WARM_UP_AFTER_MS = 1_000;
/** Maximum milliseconds for requests and workers to end when the host closes. */
const CLOSE_MS = 7_000;
/** Maximum number of credentials whose organization is remembered. */
const MAX_KNOWN = 10_000;

/** The whole service in one process: every group behind one app, every worker with its own loop. */
export interface Host {
  app: Hono;
  runtime: Runtime;
  firstKey: FirstKey;
  /** Resolves once the embedder's model is loaded or cannot be; rejects with a ModelFolderError. */
  modelLoaded: Promise<void>;
  /** Listens on HOST and PORT; resolves to the base URL. Rejects if the port is taken. */
  listen(): Promise<string>;
  /** Processes everything that is due: changes, messages and scheduled work. */
  drain(): Promise<void>;
  /**
   * Lets requests and workers end, flushes counts, and releases the data folder. What takes too long is cut off: a
   * request gets a 503, and a worker's messages are returned.
   */
  close(): Promise<void>;
}

/** Test seams of a host. */
export interface HostSeams {
  /** Wraps the ports for requests and workers. */
  around?: (ports: Ports) => Ports;
  /** Receives log lines; standard output by default. */
  print?: (lines: string) => void;
}

/** Opens the service on DATA_DIR. Throws DataDirInUseError if another process uses it. */
export async function openHost(
  config: Config,
  clock?: Clock,
  { around = (ports) => ports, print = writeToStandardOutput }: HostSeams = {},
): Promise<Host> {
  const { logger, storeIn } = openLog(config, print);
  const base = createBaseRuntime(config, clock, logger);
  // The model is loaded in its own process, beside all that follows; a failure is thrown where it is awaited.
  const opening = openLocalEmbedder(base.config, logger);
  opening.catch(() => {});
  const [groups, workers] = await Promise.all([loadGroups(), loadWorkers()]);
  const endpoint = new Endpoint(config);
  const opened = await openLocalPorts(base, wiringOf(workers, endpoint), opening);
  const { platform } = opened;
  storeIn(platform.logs);
  const hasCrashed = markOpen(config.DATA_DIR);
  const streams: StreamLoop[] = [];
  const lastOrganizations: LastOrganizations = new LRUCache({ max: MAX_KNOWN });
  const runtime: Runtime = {
    ...createRuntime(base, around(opened.ports), () => drainAll(streams), lastOrganizations),
    isShortOfRoom: () => platform.records.isShortOfRoom,
    isBacklogged: opened.isBacklogged,
    isModelLoading: opened.isModelLoading,
  };
  await fillEmptied(runtime, opened);
  const loops = [...workers.map((entry) => loopFor(entry, runtime, platform)), expiryLoop(runtime, platform)];
  streams.push(...loops.filter((loop) => loop instanceof StreamLoop));
  const firstKey = await bootstrap(runtime);
  if (hasCrashed) await cleanUpAfterCrash(runtime);
  const scheduler = new FairScheduler();
  const telemetry = await openTelemetry(config, base.logger);
  const app = createApp(groups, runtime, {
    ...(telemetry && { measure: telemetry.measure }),
    admit: admitInTurn(scheduler, lastOrganizations),
    isStopping: () => endpoint.isClosing,
    allowedOrigins: config.ALLOWED_ORIGINS,
  });
  app.all(`${BLOB_LINK_PREFIX}*`, ({ req }) => platform.blobs.respond(req.raw));
  const stopWork = startWork(loops, runtime, platform);
  const closing: Closing = {
    refuseWaiting: () => scheduler.refuse(stopping()),
    answerForUnfinished: () => answerForCutOff(runtime),
  };
  const stopCatchUp = startCatchUp(runtime, opened.index);
  let stopWarmUp = () => {};
  return {
    app,
    runtime,
    firstKey,
    modelLoaded: opened.modelLoaded,
    listen: async () => {
      const url = await endpoint.listen(app.fetch);
      stopWarmUp = startWarmUp(runtime.logger);
      return url;
    },
    drain: () => drainAll(loops),
    close: async () => {
      stopWarmUp();
      await Promise.all([stopWork(endpoint.close(closing)), stopCatchUp()]);
      await Promise.all([opened.finishMails(), telemetry?.close()]);
      opened.close();
      markClosed(config.DATA_DIR);
    },
  };
}

/** Fills indexes that were too old to upgrade. */
async function fillEmptied(runtime: Runtime, { emptied, noteFilled }: LocalPorts): Promise<void> {
  if (emptied.length === 0) return;
  runtime.logger.warn("SEARCH_INDEX_TOO_OLD", { organizations: emptied.length });
  await fillIndex(runtime);
  noteFilled();
}

/** Warms up after a moment; returns a function that cancels it. A failure stops nothing: the first write loads the rest. */
function startWarmUp(logger: Logger): () => void {
  const warmUpOrWarn = () => warmUp().catch((error) => logger.warn("WARM_UP_FAILED", { error }));
  const timer = setTimeout(warmUpOrWarn, WARM_UP_AFTER_MS).unref();
  return () => clearTimeout(timer);
}

/** The sender of spans and durations; undefined, and not loaded, unless a collector is set. */
async function openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT, ...config }: Config, logger: Logger) {
  if (OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined;
  const { Telemetry } = await import("./telemetry.ts");
  return new Telemetry({ ...config, OTEL_EXPORTER_OTLP_ENDPOINT }, logger);
}

/** A logger that prints lines, and also stores them once `storeIn` has received the store. */
function openLog({ LOG_LEVEL }: Config, print: (lines: string) => void) {
  let store: Pick<LocalPlatform["logs"], "append"> | undefined;
  const logger: Logger = createLineLogger(LOG_LEVEL, (lines) => {
    print(lines);
    store?.append(lines);
  });
  const storeIn = (logs: typeof store) => {
    store = logs;
  };
  return { logger, storeIn };
}

/** The subscriptions of workers, and the base URL, for the ports. */
function wiringOf(workers: AnyWorkerEntry[], endpoint: Endpoint) {
  const manifests = workers.map(({ worker }) => worker);
  return { streams: streamsOf(manifests), queues: queuesOf(manifests), baseUrl: () => endpoint.url };
}

async function drainAll(loops: Loop[]): Promise<void> {
  await Promise.all(loops.map((loop) => loop.drain()));
}

/** Starts background work. The returned function stops it after requests have ended, and flushes counts. */
function startWork(
  loops: Loop[],
  { rollups, logger }: Runtime,
  { queue }: LocalPlatform,
): (requestsEnded: Promise<void>) => Promise<void> {
  for (const { id, queue: name, body } of queue.quarantineInterrupted()) {
    logger.warn("WORK_QUARANTINED", { id, queue: name, work: body });
  }
  queue.releaseInHand();
  for (const loop of loops) loop.start();
  const flushing = setInterval(() => void rollups.flush(), ROLLUP_FLUSH_MS);
  return async (requestsEnded) => {
    clearInterval(flushing);
    // Writes respond after the change feed is drained.
    const stops = loops.map((loop) =>
      loop instanceof StreamLoop ? requestsEnded.then(() => loop.stop()) : loop.stop(),
    );
    const stopped = Promise.all([requestsEnded, ...stops]).then(() => true);
    const isInTime = await Promise.race([stopped, sleep(CLOSE_MS, false, { ref: false })]);
    if (!isInTime) {
      logger.warn("WORK_CUT_OFF", { after_ms: CLOSE_MS });
      queue.giveBackInHand();
    }
    await rollups.flush();
  };
}

/** The response to a request that is cut off. Its work may still complete. */
function answerForCutOff({ clock, ids, logger }: Runtime): Response {
  const request_id = ids("request");
  logger.error("REQUEST_CUT_OFF", { request_id });
  return failure(cutOffByStop(), request_id, clock());
}

let loadedWorkers: Promise<AnyWorkerEntry[]> | undefined;

/** Every worker, not bound to a runtime yet; read once per process. */
export function loadWorkers(): Promise<AnyWorkerEntry[]> {
  loadedWorkers ??= discoverWorkers().then((workers) => Promise.all(workers.map(entryOf)));
  return loadedWorkers;
}

async function entryOf({ module }: Discovered<WorkerManifest>): Promise<AnyWorkerEntry> {
  return workerEntry(await import(pathToFileURL(module).href));
}

/** The readers of the change feed with their record kinds. */
export function streamsOf(workers: WorkerManifest[]) {
  return workers.flatMap((worker) => {
    const { source } = worker;
    return "stream" in source ? [{ name: deployedNameOf(worker), kinds: source.stream.kinds }] : [];
  });
}

/** The queues that workers read. */
export function queuesOf(workers: WorkerManifest[]): QueueSettings[] {
  return workers.flatMap(({ source, timeoutSeconds }) => {
    if (!("queues" in source)) return [];
    const { names, maxReceives, redeliverAfterCrash = false } = source.queues;
    const visibilitySeconds = timeoutSeconds * VISIBILITY_FACTOR;
    return names.map((name) => ({ name, maxReceives, visibilitySeconds, redeliverAfterCrash }));
  });
}

const markFileOf = (dataDir: string): string => path.join(dataDir, "open.mark");

/**
 * Marks a data folder as open. Returns whether it was already marked: the previous process crashed. The caller must
 * hold the lock.
 */
function markOpen(dataDir: string): boolean {
  const wasOpen = existsSync(markFileOf(dataDir));
  makePrivateFile(markFileOf(dataDir));
  return wasOpen;
}

/** Removes the mark: all work in the folder ended cleanly. */
function markClosed(dataDir: string): void {
  rmSync(markFileOf(dataDir), { force: true });
}
