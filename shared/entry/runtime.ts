import { findAgent } from "../domain/agents/records.ts";
import { Authenticator, type LastOrganizations } from "../domain/identity/authenticate.ts";
import { AccessTokens } from "../domain/identity/tokens.ts";
import { searchInView } from "../domain/knowledge/sources/searching.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import type { Config } from "../kernel/config.ts";
import { createIds } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { OpenBucket } from "../ports/foreign-bucket.ts";
import { createLogger } from "../ports/logger.ts";
import type { Capability, Ports } from "../ports/ports.ts";
import type { Runtime } from "../runtime/context.ts";
import { Settings } from "../runtime/settings.ts";
import { Rollups } from "../runtime/stats/rollups.ts";

type BaseRuntime = Pick<Runtime, "config" | "clock" | "ids" | "logger">;

/** Creates the parts of a runtime that exist before its ports. */
export function createBaseRuntime(
  config: Config,
  clock: Clock = systemClock,
  logger: Logger = createLogger(config.LOG_LEVEL),
): BaseRuntime {
  return { config, clock, ids: createIds(), logger };
}

/**
 * Creates a runtime from its parts. `drainChangeFeed` does nothing by default, because on AWS consumers run by
 * themselves. `lastOrganizations` is filled for hosts that queue requests.
 */
export function createRuntime(
  base: BaseRuntime,
  ports: Ports,
  drainChangeFeed = async () => {},
  lastOrganizations?: LastOrganizations,
): Runtime {
  const { clock, logger } = base;
  const tokens = new AccessTokens(ports.records, clock);
  return {
    ...base,
    ports: searchInView(ports),
    authenticator: new Authenticator({ records: ports.records, clock, tokens, findAgent, lastOrganizations }),
    findAgent,
    openBucket,
    tokens,
    rollups: new Rollups(ports.records, clock, logger, base.config.PLATFORM === "aws" ? Math.random() : 0),
    settings: new Settings(ports.records, clock),
    startedAt: clock(),
    drainChangeFeed,
  };
}

/** Opens the runtime of a Lambda function, with only the adapters that its capabilities need. */
export async function openFunctionRuntime(config: Config, capabilities: readonly Capability[]): Promise<Runtime> {
  const base = createBaseRuntime(config);
  if (config.PLATFORM === "local") {
    const { openLocalPorts } = await import("../adapters/local/ports.ts");
    const { ports } = await openLocalPorts(base, { streams: [], queues: [], baseUrl: () => "" });
    return createRuntime(base, ports);
  }
  const { openAwsPlatform } = await import("../adapters/aws/platform.ts");
  return createRuntime(base, await openAwsPlatform({ ...base, capabilities }));
}

/** Loads the cloud's client when a bucket is first opened, because most connections have none. */
const openBucket: OpenBucket = async (address, fetch) =>
  (await import("../adapters/aws/foreign-bucket.ts")).openForeignBucket(address, fetch);
