import type * as z from "zod";
import { timestamp } from "../../kernel/clock.ts";
import { compareTexts } from "../../kernel/strings.ts";
import { fromItem, toItem } from "../../ports/item.ts";
import { queryPages } from "../../ports/pages.ts";
import type { RecordKey, RecordStore, Write } from "../../ports/record-store.ts";
import { HolderRecords } from "./holders.ts";
import { agentKey } from "./records.ts";
import type * as wire from "./wire.ts";

const GROUP_KIND = "group";
const MEMBER_KIND = "member";
const MEMBER_PREFIX = "member#";

/** Maximum number of agents per group: all of them are read with it. */
export const MAX_MEMBERS = 100;

export const MEMBER_ROLES = ["primary", "secondary", "fallback"] as const;

/** How executions are distributed over the members of a role. */
export const LOAD_BALANCING = ["round_robin", "priority", "random"] as const;

/** A group as stored. `version` counts every visible change, including its members and skills. */
export interface Group extends z.output<typeof wire.Group> {
  org: string;
  /** The principal that created it. */
  created_by: string;
}

/** An agent's membership in a group. */
export interface Member {
  group_id: string;
  agent_id: string;
  role: (typeof MEMBER_ROLES)[number];
  joined_at: string;
}

/** Changes of a group; null removes a field. Members are changed separately. */
export type GroupChange = Partial<Pick<Group, "name" | "config" | "skills" | "metadata">> & {
  description?: string | null;
  department?: string | null;
};

export const groups = new HolderRecords<Group, GroupChange>(GROUP_KIND);
const { keyOf: groupKey } = groups;
export const { listOf: groupsOf, find: findGroup } = groups;

const memberKey = (org: string, group: string, agent: string): RecordKey => ({
  pk: groupKey(org, group).pk,
  sk: MEMBER_PREFIX + agent,
});
const groupsOfAgent = (org: string, agent: string): string => `${org}#${agent}#groups`;

/** The group with its members in the order of joining, which may include recently deleted agents. One round trip. */
export async function findGroupWithMembers(records: RecordStore, org: string, id: string) {
  const sk = { atLeast: groupKey(org, id).sk, atMost: `${MEMBER_PREFIX}\u{10FFFF}` };
  const { items } = await records.query({ pk: groupKey(org, id).pk, sk, limit: MAX_MEMBERS + 1 });
  const group = items.find(({ kind }) => kind === GROUP_KIND);
  if (!group) return undefined;
  const members = items.filter(({ kind }) => kind === MEMBER_KIND).map(fromItem<Member>);
  return { group: fromItem<Group>(group), members: members.sort(byJoining) };
}

function byJoining(a: Member, b: Member): number {
  return compareTexts(a.joined_at, b.joined_at) || compareTexts(a.agent_id, b.agent_id);
}

const PAGE = 100;

/** Every membership of an agent, page by page. */
export async function* listMemberships(records: RecordStore, org: string, agent: string): AsyncGenerator<Member[]> {
  const query = { index: "gsi1" as const, pk: groupsOfAgent(org, agent), limit: PAGE };
  for await (const items of queryPages(records, query)) yield items.map(fromItem<Member>);
}

/** Indexes in the writes of `joinGroup`, which show why a write was refused. */
export const JOINING = { group: 0, agent: 1, member: 2 } as const;

/** The writes that add a member: refused if the group is missing or full, or the agent is missing or already in it. */
export function joinGroup(org: string, member: Member): Write[] {
  const { group_id, agent_id, joined_at } = member;
  const indexKeys = { gsi1pk: groupsOfAgent(org, agent_id), gsi1sk: group_id };
  return [
    {
      update: groupKey(org, group_id),
      add: { member_count: 1, version: 1 },
      set: { updated_at: joined_at },
      condition: { member_count: { lessThan: MAX_MEMBERS } },
    },
    { check: agentKey(org, agent_id), condition: "present" },
    { put: toItem(memberKey(org, group_id, agent_id), MEMBER_KIND, member, indexKeys), condition: "absent" },
  ];
}

/** The writes that remove a member from a group; refused if it is not a member. */
export function leaveGroup(
  org: string,
  { group_id, agent_id }: Pick<Member, "group_id" | "agent_id">,
  now: number,
): Write[] {
  return [
    { delete: memberKey(org, group_id, agent_id), condition: "present" },
    {
      update: groupKey(org, group_id),
      add: { member_count: -1, version: 1 },
      set: { updated_at: timestamp(now) },
      condition: "present",
    },
  ];
}
