import type * as z from "zod";
import type { PageRequest, SortOrder } from "../../kernel/pagination.ts";
import { fromItem, toItem } from "../../ports/item.ts";
import { filterBy, readPage } from "../../ports/listing.ts";
import type { AttributeTests, RecordKey, RecordStore, Write } from "../../ports/ports.ts";
import { amend } from "./amend.ts";
import { listedBy, placeIn } from "./departments.ts";
import { linkSkills } from "./skill-links.ts";
import type * as wire from "./wire.ts";

export const AGENT_KIND = "agent";
const AGENT_SORT_KEY = "agent";

export const AGENT_STATES = ["active", "inactive", "paused"] as const;

export type AgentState = (typeof AGENT_STATES)[number];

/** An agent as stored. `version` counts every visible change, including its skills. */
export interface Agent extends z.output<typeof wire.Agent> {
  org: string;
  /** The principal that created it. */
  created_by: string;
}

export const agentKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: AGENT_SORT_KEY });
export const agentsOf = (org: string): string => `${org}#agents`;

// ---------------------------------------------------------------- reading

/** Undefined for an id that is missing or of another organization. */
export async function findAgent(records: RecordStore, org: string, id: string): Promise<Agent | undefined> {
  const record = await records.get(agentKey(org, id));
  return record && fromItem<Agent>(record);
}

/** The existing agents in the order of the ids. */
export async function findAgents(records: RecordStore, org: string, ids: string[]): Promise<Agent[]> {
  const found = await records.getMany(ids.map((id) => agentKey(org, id)));
  const byPartition = new Map(found.map((record) => [record.pk, fromItem<Agent>(record)]));
  return ids.flatMap((id) => byPartition.get(agentKey(org, id).pk) ?? []);
}

export interface AgentFilter {
  status?: AgentState;
  department?: string;
  model?: string;
}

/** One page of an organization's agents by creation, of one department if named. */
export async function listAgents(
  records: RecordStore,
  org: string,
  { department, status, model }: AgentFilter,
  { descending }: SortOrder<"created_at">,
  page: PageRequest,
): Promise<{ agents: Agent[]; total: number; hasNext: boolean }> {
  const tests: AttributeTests = { ...(status && { status }), ...(model === undefined ? {} : { model }) };
  const listing = { ...listedBy(agentsOf(org), department), where: filterBy(tests), descending };
  const { items, total, hasNext } = await readPage(records, listing, page);
  return { agents: items.map(fromItem<Agent>), total, hasNext };
}

// ---------------------------------------------------------------- writing

/** All writes of a new agent; refused if one of its skills was deleted. */
export function insertAgent(agent: Agent): Write[] {
  const { org, id, skills } = agent;
  const place = placeIn(agentsOf(org), agent);
  return [
    { put: toItem(agentKey(org, id), AGENT_KIND, agent, place), condition: "absent" },
    ...linkSkills({ org, id, kind: AGENT_KIND }, [], skills),
  ];
}

/** Changes of an agent; null removes a field. */
export type AgentChange = Partial<
  Pick<Agent, "name" | "model" | "config" | "skills" | "memory_settings" | "metadata" | "status">
> & { description?: string | null; department?: string | null };

/** The changed agent and all its writes; refused if the agent changed or one of its new skills was deleted. */
export function changeAgent(before: Agent, change: AgentChange, now: number): { after: Agent; writes: Write[] } {
  const { org, id } = before;
  const { after, own } = amend(before, change, now, (agent) => placeIn(agentsOf(org), agent));
  const links = linkSkills({ org, id, kind: AGENT_KIND }, before.skills, after.skills);
  return { after, writes: [{ update: agentKey(org, id), ...own }, ...links] };
}

/** The write that deletes an agent, refused if it changed. Its data and references to it are deleted afterwards. */
export function removeAgent({ org, id, version }: Agent): Write {
  return { delete: agentKey(org, id), condition: { version } };
}
