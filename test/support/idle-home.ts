import { onTestFinished } from "vitest";
import { type Clock, systemClock } from "../../shared/kernel/clock.ts";
import { loadConfig } from "../../shared/kernel/config.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import type { Home } from "../../shared/platform/context.ts";
import { assembleHome, layFoundation } from "../../shared/platform/home.ts";
import { openLocalPorts } from "../../shared/platform/local/ports.ts";
import type { LocalQueue, QueueSettings } from "../../shared/platform/local/queue.ts";
import type { Ports } from "../../shared/platform/ports.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";

interface Options {
  clock?: Clock;
  queues?: QueueSettings[];
  /** Settings, as a person would make them. */
  environment?: Record<string, string>;
}

export interface IdleHome {
  home: Home;
  queue: LocalQueue;
  /** The same home, but for these ports. */
  homeWith(ports: Partial<Ports>): Home;
}

/**
 * A local home without a host's loops: queues keep what they are sent, and nobody follows the changes, but for the test
 * that opened it. It logs nothing, and is closed when that test has finished.
 */
export async function openIdleHome({
  clock = systemClock,
  queues = [],
  environment = {},
}: Options = {}): Promise<IdleHome> {
  const config = loadConfig({ EMBEDDER: "lexical", DATA_DIR: temporaryFolder(), ...environment });
  const foundation = layFoundation(config, clock, silentLogger);
  const wiring = { streams: [], queues, baseUrl: () => "http://localhost" };
  const { ports, platform, close } = await openLocalPorts(foundation, wiring);
  onTestFinished(close);
  const homeWith = (changed: Partial<Ports>) => assembleHome(foundation, { ...ports, ...changed });
  return { home: homeWith({}), queue: platform.queue, homeWith };
}
