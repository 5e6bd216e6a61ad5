import type { GroupSamples } from "./sample.ts";

const AGENT = { name: "Guide", model: "gpt-4o-mini" };
const GROUP = { name: "Front desk" };

export const agents: GroupSamples = {
  things: {
    agent: { path: "/agents", body: AGENT },
    group: { path: "/groups", body: GROUP },
    sharedMemory: {
      path: "/agents/{id}/memories",
      params: { id: "agent", memory: "memory" },
      body: ({ ids }) => ({ memory_id: ids.memory, access_type: "read" }),
      idField: "memory_id",
    },
    groupWithMember: {
      path: "/groups/{id}/members",
      params: { id: "group", agent: "agent" },
      body: ({ ids }) => ({ agent_id: ids.agent }),
      idField: "group_id",
    },
    member: {
      path: "/groups/{id}/members",
      params: { id: "group", agent: "agent" },
      body: ({ ids }) => ({ agent_id: ids.agent }),
      idField: "agent_id",
    },
  },
  routes: {
    createAgent: { body: AGENT },
    listAgents: { query: "limit=1" },
    getAgent: { params: { id: "agent" } },
    updateAgent: { params: { id: "agent" }, body: { status: "paused" } },
    deleteAgent: { params: { id: "agent" } },
    executeAgent: { params: { id: "agent" }, body: { input: "What does Ada drink?" } },
    assignSkills: { params: { id: "agent" }, body: { skill_ids: [], replace_existing: true } },
    removeSkills: { params: { id: "agent" }, body: { skill_ids: ["skill_absent"] } },
    listAgentSkills: { params: { id: "agent" } },
    shareMemory: {
      params: { id: "agent" },
      body: { memory_id: "mem_absent", access_type: "read" },
      names: { memory_id: "memory" },
    },
    listSharedMemories: { params: { id: "agent" }, query: "access_type=read" },
    unshareMemory: { params: { id: "agent", memoryId: "sharedMemory" } },
    readAgentStats: { params: { id: "agent" } },
    createGroup: { body: GROUP },
    listGroups: { query: "limit=1" },
    getGroup: { params: { id: "group" } },
    updateGroup: { params: { id: "group" }, body: { description: "Answers first." } },
    deleteGroup: { params: { id: "group" } },
    addMember: { params: { id: "group" }, body: { agent_id: "agent_absent" }, names: { agent_id: "agent" } },
    removeMember: { params: { id: "group", agentId: "member" } },
    listGroupSkills: { params: { id: "group" } },
    listGroupMemories: { params: { id: "group" } },
    executeGroup: { params: { id: "groupWithMember" }, body: { input: "What does Ada drink?" } },
    readGroupStats: { params: { id: "group" } },
  },
  additions: ["POST /agents/{id}/execute", "POST /groups/{id}/execute"],
};
