import { Authenticator, type LastOrganizations } from "../identity/authenticate.ts";
import { AccessTokens } from "../identity/tokens.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import type { Config } from "../kernel/config.ts";
import { createIds } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import { searchInView } from "../sources/searching.ts";
import { Rollups } from "../stats/rollups.ts";
import type { Home } from "./context.ts";
import { createLogger } from "./logger.ts";
import type { Capability, Ports } from "./ports.ts";
import { Settings } from "./settings.ts";

type Foundation = Pick<Home, "config" | "clock" | "ids" | "logger">;

/** What every home stands on before it has ports. */
export function layFoundation(
  config: Config,
  clock: Clock = systemClock,
  logger: Logger = createLogger(config.LOG_LEVEL),
): Foundation {
  return { config, clock, ids: createIds(), logger };
}

/**
 * A home from its parts. `settle` defaults to nothing: on AWS consumers run by themselves. `lastOrganizations` is filled
 * for whoever has requests wait for each other.
 */
export function assembleHome(
  foundation: Foundation,
  ports: Ports,
  settle = async () => {},
  lastOrganizations?: LastOrganizations,
): Home {
  const { clock, logger } = foundation;
  const tokens = new AccessTokens(ports.records, clock);
  return {
    ...foundation,
    ports: searchInView(ports),
    authenticator: new Authenticator(ports.records, clock, tokens, lastOrganizations),
    tokens,
    rollups: new Rollups(ports.records, clock, logger),
    settings: new Settings(ports.records, clock),
    startedAt: clock(),
    settle,
  };
}

/** The home that a Lambda function works in, with only the adapters that its capabilities ask for. */
export async function openFunctionHome(config: Config, capabilities: readonly Capability[]): Promise<Home> {
  const foundation = layFoundation(config);
  if (config.PLATFORM === "local") {
    const { openLocalPorts } = await import("./local/ports.ts");
    const { ports } = await openLocalPorts(foundation, { streams: [], queues: [], baseUrl: () => "" });
    return assembleHome(foundation, ports);
  }
  const { openAwsPlatform } = await import("./aws/platform.ts");
  return assembleHome(foundation, await openAwsPlatform({ ...foundation, capabilities }));
}
