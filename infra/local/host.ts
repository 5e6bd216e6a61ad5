import type { Server } from "node:http";
import { pathToFileURL } from "node:url";
import { createAdaptorServer } from "@hono/node-server";
import type { Hono } from "hono";
import { createApp } from "../../shared/http/app.ts";
import type { LastOrganizations } from "../../shared/identity/authenticate.ts";
import { bootstrap, type FirstKey } from "../../shared/identity/bootstrap.ts";
import { BoundedMap } from "../../shared/kernel/bounded.ts";
import type { Clock } from "../../shared/kernel/clock.ts";
import type { Config } from "../../shared/kernel/config.ts";
import type { Home } from "../../shared/platform/context.ts";
import { assembleHome, layFoundation } from "../../shared/platform/home.ts";
import { BLOB_LINK_PREFIX } from "../../shared/platform/local/blobs.ts";
import { createLineLogger, writeToStandardOutput } from "../../shared/platform/local/logger.ts";
import { openLocalPorts } from "../../shared/platform/local/ports.ts";
import type { QueueSettings } from "../../shared/platform/local/queue.ts";
import type { WorkerManifest } from "../../shared/platform/manifest.ts";
import type { Ports } from "../../shared/platform/ports.ts";
import { discoverWorkers } from "../discover.ts";
import { loadGroups } from "../groups.ts";
import { admitInTurn } from "./admissions.ts";
import { FairTurns } from "./fair-turns.ts";
import { type AnyWorkerEntry, expiryLoop, loopFor } from "./loops.ts";
import { StreamLoop } from "./stream-loop.ts";

/** A message stays hidden this many times its worker's timeout: what AWS asks of a queue that feeds a function. */
const VISIBILITY_FACTOR = 6;
const ROLLUP_FLUSH_MS = 5_000;
/** Of so many credentials it is known whose they were. */
const MOST_KNOWN = 10_000;
/** Longest that open requests may take to end when the host closes. */
const DRAIN_MS = 10_000;

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
  let keep = (_lines: string): void => {};
  const logger = createLineLogger(config.LOG_LEVEL, (lines) => {
    print(lines);
    keep(lines);
  });
  const foundation = layFoundation(config, clock, logger);
  const [groups, workers] = await Promise.all([loadGroups(), loadWorkers()]);
  let baseUrl = `http://${config.HOST}:${config.PORT}`;
  const manifests = workers.map(({ worker }) => worker);
  const wiring = { streams: streamsOf(manifests), queues: queuesOf(manifests), baseUrl: () => baseUrl };
  const { ports, platform, close: closePorts } = await openLocalPorts(foundation, wiring);
  keep = (lines) => platform.logs.append(lines);
  const streams: StreamLoop[] = [];
  const settle = async () => {
    await Promise.all(streams.map((stream) => stream.drain()));
  };
  const lastOrganizations: LastOrganizations = new BoundedMap(MOST_KNOWN);
  const home = assembleHome(foundation, around(ports), settle, lastOrganizations);
  const loops = [...workers.map((entry) => loopFor(entry, home, platform)), expiryLoop(home, platform)];
  streams.push(...loops.filter((loop) => loop instanceof StreamLoop));
  const firstKey = await bootstrap(home);
  const app = createApp(groups, home, { admit: admitInTurn(new FairTurns(), lastOrganizations) });
  app.all(`${BLOB_LINK_PREFIX}*`, ({ req }) => platform.blobs.respond(req.raw));
  platform.queue.releaseInHand();
  for (const loop of loops) loop.start();
  const flushing = setInterval(() => void home.rollups.flush(), ROLLUP_FLUSH_MS);
  let server: Server | undefined;
  return {
    app,
    home,
    firstKey,
    listen: async () => {
      server = createAdaptorServer({ fetch: app.fetch }) as Server;
      baseUrl = await listenOn(server, config);
      return baseUrl;
    },
    drain: async () => {
      await Promise.all(loops.map((loop) => loop.drain()));
    },
    close: async () => {
      clearInterval(flushing);
      if (server) await closeServer(server);
      await Promise.all(loops.map((loop) => loop.stop()));
      await home.rollups.flush();
      closePorts();
    },
  };
}

async function loadWorkers(): Promise<AnyWorkerEntry[]> {
  const workers = await discoverWorkers();
  const handlers = workers.map(({ handler }) => pathToFileURL(handler).href);
  return (await Promise.all(handlers.map((file) => import(file)))).map(
    (module: { entry: AnyWorkerEntry }) => module.entry,
  );
}

function streamsOf(workers: WorkerManifest[]) {
  return workers.flatMap(({ name, source }) => ("stream" in source ? [{ name, kinds: source.stream.kinds }] : []));
}

function queuesOf(workers: WorkerManifest[]): QueueSettings[] {
  return workers.flatMap(({ source, timeoutSeconds }) => {
    if (!("queues" in source)) return [];
    const { names, maxReceives } = source.queues;
    return names.map((name) => ({ name, maxReceives, visibilitySeconds: timeoutSeconds * VISIBILITY_FACTOR }));
  });
}

function listenOn(server: Server, { HOST, PORT }: Config): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(PORT, HOST, () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : PORT;
      resolve(`http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${port}`);
    });
  });
}

async function closeServer(server: Server): Promise<void> {
  const force = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeIdleConnections();
  });
  clearTimeout(force);
}
