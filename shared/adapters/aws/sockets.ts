import { Agent } from "node:http";
import type { ConnectionUse } from "../../ports/ports.ts";

/** A request handler for Node; other handlers of the SDK have no agents. */
interface AgentHandler {
  httpHandlerConfigs?(): { httpAgent?: unknown; httpsAgent?: unknown };
}

/** The number of open sockets of an SDK client. */
export function socketsOf({ config }: { config: { requestHandler: object } }): ConnectionUse {
  const handler: AgentHandler = config.requestHandler;
  const { httpAgent, httpsAgent } = handler.httpHandlerConfigs?.() ?? {};
  const agents = [httpAgent, httpsAgent].filter((agent) => agent instanceof Agent);
  const total = (which: "sockets" | "freeSockets") =>
    agents.flatMap((agent) => Object.values(agent[which])).reduce((sum, sockets) => sum + (sockets?.length ?? 0), 0);
  return { active: total("sockets"), idle: total("freeSockets") };
}
