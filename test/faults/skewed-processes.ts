import { pathToFileURL } from "node:url";
import { discoverWorkers } from "../../infra/discover.ts";
import { loadGroups } from "../../infra/groups.ts";
import { type AnyWorkerEntry, loopFor } from "../../infra/local/loops.ts";
import { createApp } from "../../shared/http/app.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import { assembleHome, layFoundation } from "../../shared/platform/home.ts";
import type { LocalPlatform } from "../../shared/platform/local/platform.ts";
import type { Ports } from "../../shared/platform/ports.ts";
import { createClient, createOrganization, openService, type Service } from "../support/service.ts";

/** One of two processes: what it is asked, and what its clock says. */
export interface SkewedProcess extends Service {
  now(): number;
}

export interface SkewedProcesses {
  right: SkewedProcess;
  skewed: SkewedProcess;
  /** Both, one after the other, over and over. */
  inTurn(): SkewedProcess;
  /** A key of a new organization; the one they are asked with unless told. */
  key: string;
  /** Moves both clocks on, and has the workers of both do what is due. */
  turn(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Two processes on one set of stores whose clocks differ: each has caches, limits, tokens and workers of its own, and both
 * take messages from the same queues. A data folder has one owner, so the second is a home within the first one's process,
 * on its adapters: the stores' own clock, by which rows expire and messages become visible, is the first one's.
 */
export async function openSkewed(skewMs: number, plan: "enterprise" | "free" = "enterprise"): Promise<SkewedProcesses> {
  let offset = 0;
  const rightClock = () => Date.now() + offset;
  const skewedClock = () => rightClock() + skewMs;
  let ports: Ports | undefined;
  const service = await openService({ ALLOW_PRIVATE_TARGETS: "1" }, rightClock, {
    around: (own) => {
      ports = own;
      return own;
    },
    print: () => {},
  });
  if (!ports) throw new Error("the service opened no ports");
  const foundation = layFoundation(service.home.config, skewedClock, silentLogger);
  const home = assembleHome(foundation, ports, service.home.settle);
  const app = createApp(await loadGroups(), home);
  // The host opens the adapters of its own kind, and no feed takes two readers under one name.
  const platform = ports as unknown as LocalPlatform;
  const loops = (await loadWorkers())
    .filter(({ worker }) => !("stream" in worker.source))
    // What is due in a queue is its own clock's to say: by another one a loop would look for it without end.
    .map(({ worker, bind }) => loopFor({ worker, bind: () => bind(home) }, { ...home, clock: rightClock }, platform));
  for (const loop of loops) loop.start();
  const { key } = await createOrganization(service, plan);
  const right = {
    ...createClient("http://localhost", key, (request) => service.host.app.fetch(request)),
    now: rightClock,
  };
  const skewed = { ...createClient("http://localhost", key, (request) => app.fetch(request)), now: skewedClock };
  let turns = 0;
  return {
    right,
    skewed,
    inTurn: () => (turns++ % 2 === 0 ? right : skewed),
    key,
    turn: async (milliseconds) => {
      offset += milliseconds;
      await Promise.all([service.host.drain(), ...loops.map((loop) => loop.drain())]);
    },
    close: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
      await home.rollups.flush();
      await service.close();
    },
  };
}

async function loadWorkers(): Promise<AnyWorkerEntry[]> {
  const workers = await discoverWorkers();
  const modules = workers.map(
    ({ handler }) => import(pathToFileURL(handler).href) as Promise<{ entry: AnyWorkerEntry }>,
  );
  return (await Promise.all(modules)).map(({ entry }) => entry);
}
