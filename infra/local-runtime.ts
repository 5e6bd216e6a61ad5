import { type LocalPorts, openLocalPorts } from "../shared/adapters/local/ports.ts";
import { createBaseRuntime, createRuntime } from "../shared/entry/runtime.ts";
import type { Config } from "../shared/kernel/config.ts";
import { silentLogger } from "../shared/kernel/logger.ts";
import type { Runtime } from "../shared/runtime/context.ts";

type Wiring = Parameters<typeof openLocalPorts>[1];

const NO_WORKERS: Wiring = { streams: [], queues: [], baseUrl: () => "" };

/** Opens the runtime of a data folder, by default without workers, and closes it after `use`. */
export async function withRuntime<T>(
  config: Config,
  use: (runtime: Runtime, opened: LocalPorts) => Promise<T>,
  wiring = NO_WORKERS,
): Promise<T> {
  const base = createBaseRuntime(config, undefined, silentLogger);
  const opened = await openLocalPorts(base, wiring);
  try {
    return await use(createRuntime(base, opened.ports), opened);
  } finally {
    opened.close();
  }
}
