/** For `flood.ts`, in a process of its own: floods the service with reads and searches of one organization when told to. */
import autocannon, { type Result } from "autocannon";
import { askFor } from "./profile.ts";
import type { Tenant } from "./tenants.ts";

/** What to flood, with what, and for how long. */
export interface FloodOrder {
  url: string;
  tenant: Tenant;
  connections: number;
  seconds: number;
}

/** What a flood was answered, by status. */
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
