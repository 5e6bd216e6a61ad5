/** The client process of `flood.ts`: on request, floods the service with requests of one organization. */
import autocannon, { type Result } from "autocannon";
import { askFor } from "./profile.ts";
import type { Tenant } from "./tenants.ts";

/** The service, organization, connections and duration of a flood. */
export interface FloodOrder {
  url: string;
  tenant: Tenant;
  connections: number;
  seconds: number;
}

/** Number of responses to a flood by status, and of errors. */
export type FloodAnswers = Record<string, number>;

process.on("message", async ({ url, tenant, connections, seconds }: FloodOrder) => {
  const result: Result = await autocannon({
    url,
    connections,
    duration: seconds,
    timeout: 60,
    setupClient: (client) => askFor(tenant, client, () => {}),
  });
  const answers = Object.entries(result.statusCodeStats ?? {}).map(([status, { count }]) => [status, count]);
  process.send?.(Object.fromEntries([...answers, ["errors", result.errors]]) satisfies FloodAnswers);
});
