import { onTestFinished } from "vitest";
import { openLocalPorts } from "../../shared/adapters/local/ports.ts";
import type { LocalQueue, QueueSettings } from "../../shared/adapters/local/queue.ts";
import { loadConfig } from "../../shared/entry/config.ts";
import { createBaseRuntime, createRuntime } from "../../shared/entry/runtime.ts";
import { type Clock, systemClock } from "../../shared/kernel/clock.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import type { Ports } from "../../shared/ports/ports.ts";
import type { Runtime } from "../../shared/runtime/context.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";

const DEFAULT_QUEUE = { maxReceives: 5, visibilitySeconds: 60 };

interface Options {
  clock?: Clock;
  /** A name stands for a queue with usual settings. */
  queues?: readonly (string | QueueSettings)[];
  /** Environment variables as an operator would set them. */
  environment?: Record<string, string>;
}

export interface IdleRuntime {
  runtime: Runtime;
  queue: LocalQueue;
  /** Returns the same runtime with these ports replaced. */
  runtimeWith(ports: Partial<Ports>): Runtime;
}

/**
 * Opens a local runtime without a host's loops: queues keep their messages, and only the test reads the changes. It
 * logs nothing and is closed when the test finishes.
 */
export async function openIdleRuntime({
  clock = systemClock,
  queues = [],
  environment = {},
}: Options = {}): Promise<IdleRuntime> {
  const config = loadConfig({ EMBEDDER: "lexical", DATA_DIR: temporaryFolder(), ...environment });
  const base = createBaseRuntime(config, clock, silentLogger);
  const settings = queues.map((queue) => (typeof queue === "string" ? { ...DEFAULT_QUEUE, name: queue } : queue));
  const wiring = { streams: [], queues: settings, baseUrl: () => "http://localhost" };
  const { ports, platform, close } = await openLocalPorts(base, wiring);
  onTestFinished(close);
  const runtimeWith = (changed: Partial<Ports>) => createRuntime(base, { ...ports, ...changed });
  return { runtime: runtimeWith({}), queue: platform.queue, runtimeWith };
}
