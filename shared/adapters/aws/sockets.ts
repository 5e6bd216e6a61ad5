import { Agent } from "node:http";
import type { ConnectionUse } from "../../ports/record-store.ts";

/** The part of the SDK's Node request handler that has agents; the SDK's other handlers have none. */
interface AgentHandler {
  httpHandlerConfigs?(): { httpAgent?: unknown; httpsAgent?: unknown };
}

/** Returns the numbers of active and idle sockets of an SDK client. */
export function socketsOf({ config }: { config: { requestHandler: object } }): ConnectionUse {
  const handler: AgentHandler = config.requestHandler;
  const { httpAgent, httpsAgent } = handler.httpHandlerConfigs?.() ?? {};
  const agents = [httpAgent, httpsAgent].filter((agent) => agent instanceof Agent);
  const total = (state: "sockets" | "freeSockets") =>
    agents.flatMap((agent) => Object.values(agent[state])).reduce((sum, sockets) => sum + (sockets?.length ?? 0), 0);
  return { active: total("sockets"), idle: total("freeSockets") };
}
