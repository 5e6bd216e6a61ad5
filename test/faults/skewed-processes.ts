import { loadGroups } from "../../infra/groups.ts";
import { loadWorkers } from "../../infra/local/host.ts";
import { loopFor } from "../../infra/local/loops.ts";
import type { LocalPlatform } from "../../shared/adapters/local/platform.ts";
import { createApp } from "../../shared/entry/http/app.ts";
import { createBaseRuntime, createRuntime } from "../../shared/entry/runtime.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import type { Ports } from "../../shared/ports/ports.ts";
import { createClient, createOrganization, openService, type Service } from "../support/service.ts";

/** One of two processes, with its clock. */
export interface SkewedProcess extends Service {
  now(): number;
}

export interface SkewedProcesses {
  right: SkewedProcess;
  skewed: SkewedProcess;
  /** Returns each process in turn. */
  inTurn(): SkewedProcess;
  /** The key of a new organization, which requests use by default. */
  key: string;
  /** Advances both clocks and processes everything that is due in both processes. */
  turn(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Two processes on the same stores with different clocks: each has its own caches, limits, tokens and workers, and both read
 * the same queues. Because a data folder has one owner, the second one is a runtime within the first one's process and uses its
 * adapters: rows expire and messages become visible by the first one's clock.
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
  const base = createBaseRuntime(service.runtime.config, skewedClock, silentLogger);
  const runtime = createRuntime(base, ports, service.runtime.drainChangeFeed);
  const app = createApp(await loadGroups(), runtime);
  // The host opens local adapters. Their feed accepts one reader per name, so the second process has none.
  const platform = ports as unknown as LocalPlatform;
  const loops = (await loadWorkers())
    .filter(({ worker }) => !("stream" in worker.source))
    // A queue decides by its own clock what is due; with another clock a loop would look for messages endlessly.
    .map(({ worker, bind }) =>
      loopFor({ worker, bind: () => bind(runtime) }, { ...runtime, clock: rightClock }, platform),
    );
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
      await runtime.rollups.flush();
      await service.close();
    },
  };
}
