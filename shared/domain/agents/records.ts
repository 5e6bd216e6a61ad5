import type * as z from "zod";
import { fromItem } from "../../ports/item.ts";
import { getInOrder } from "../../ports/pages.ts";
import type { RecordStore } from "../../ports/record-store.ts";
import { HolderRecords } from "./holders.ts";
import type * as wire from "./wire.ts";

export const AGENT_KIND = "agent";

export const AGENT_STATES = ["active", "inactive", "paused"] as const;

/** An agent as stored. `version` counts every visible change, including its skills. */
export interface Agent extends z.output<typeof wire.Agent> {
  org: string;
  /** The principal that created it. */
  created_by: string;
}

/** Changes of an agent; null removes a field. */
export type AgentChange = Partial<
  Pick<Agent, "name" | "model" | "config" | "skills" | "memory_settings" | "metadata" | "status">
> & { description?: string | null; department?: string | null };

export const agents = new HolderRecords<Agent, AgentChange>(AGENT_KIND);
export const { keyOf: agentKey, listOf: agentsOf, find: findAgent } = agents;

/** The existing agents in the order of the ids. */
export async function findAgents(records: RecordStore, org: string, ids: string[]): Promise<Agent[]> {
  const keys = ids.map((id) => agentKey(org, id));
  return (await getInOrder(records, keys)).map(fromItem<Agent>);
}
