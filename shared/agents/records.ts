import { fromItem, toItem } from "../platform/item.ts";
import type { JsonObject, RecordKey, RecordStore, StoredRecord } from "../platform/ports.ts";

export const AGENT_KIND = "agent";
const AGENT_SORT_KEY = "agent";

export const AGENT_STATES = ["active", "inactive", "paused"] as const;

export type AgentState = (typeof AGENT_STATES)[number];

/** How the agent's model is to be asked. */
export interface AgentConfig {
  /** 0..2 */
  temperature?: number;
  /** Most tokens of one answer. */
  max_tokens?: number;
  system_prompt?: string;
}

/** What becomes of what the agent stores, and whether it is given memories at all. */
export interface AgentMemorySettings {
  enabled: boolean;
  /** How long memories live that the agent stores without saying so; for good when absent. */
  retention_days?: number;
  compression_enabled: boolean;
}

/** An agent as stored. `version` counts every change that clients see, its skills included. */
export interface Agent {
  id: string;
  org: string;
  name: string;
  description?: string;
  model: string;
  config: AgentConfig;
  /** Ids, each once, in the order they were assigned. */
  skills: string[];
  memory_settings: AgentMemorySettings;
  metadata: JsonObject;
  department?: string;
  status: AgentState;
  created_at: string;
  updated_at: string;
  /** Principal that made it. */
  created_by: string;
  version: number;
}

export const agentKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: AGENT_SORT_KEY });
const agentsOf = (org: string): string => `${org}#agents`;
const agentsOfDepartment = (org: string, department: string): string => `${org}#agents#${department}`;

/** Both lists are by creation: the organization's, and its department's. */
export function toAgentItem(agent: Agent): StoredRecord {
  const { org, id, department, created_at } = agent;
  const byCreation = `${created_at}#${id}`;
  return toItem(agentKey(org, id), AGENT_KIND, agent, {
    gsi1pk: agentsOf(org),
    gsi1sk: byCreation,
    gsi2pk: department === undefined ? undefined : agentsOfDepartment(org, department),
    gsi2sk: department === undefined ? undefined : byCreation,
  });
}

/** Undefined for an absent and a foreign id alike. */
export async function findAgent(records: RecordStore, org: string, id: string): Promise<Agent | undefined> {
  const record = await records.get(agentKey(org, id));
  return record && fromItem<Agent>(record);
}

/** Those of the agents that exist, in the order of the ids. */
export async function findAgents(records: RecordStore, org: string, ids: string[]): Promise<Agent[]> {
  const found = await records.getMany(ids.map((id) => agentKey(org, id)));
  const byPartition = new Map(found.map((record) => [record.pk, fromItem<Agent>(record)]));
  return ids.flatMap((id) => byPartition.get(agentKey(org, id).pk) ?? []);
}
