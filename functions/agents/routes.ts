import { newGroup } from "../../shared/runtime/http/group.ts";
import { executeAgent } from "./execution.ts";
import { group } from "./group.ts";
import { executeGroup } from "./group-execution.ts";
import * as groups from "./groups.ts";
import * as memories from "./memories.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";
import * as skills from "./skills.ts";
import * as statistics from "./statistics.ts";
import * as union from "./union.ts";

export const routes = newGroup(group);

// ---------------------------------------------------------------- agents

routes.route(
  {
    method: "post",
    path: "/agents",
    name: "createAgent",
    summary: "Create an agent",
    permission: "agents:write",
    allowsAgentKeys: false,
    limit: "create_agent",
    body: schemas.CreateAgent,
    answer: schemas.Agent,
    status: 201,
    versioned: true,
    errors: ["SKILL_NOT_FOUND"],
  },
  (ctx, { body }) => service.createAgent(ctx, body),
);

routes.route(
  {
    method: "get",
    path: "/agents",
    name: "listAgents",
    summary: "List agents; an agent's own key lists only that agent",
    permission: "agents:read",
    limit: "list_agents",
    query: schemas.ListAgents,
    answer: schemas.AgentList,
  },
  (ctx, { query }) => service.listAgents(ctx, query),
);

routes.route(
  {
    method: "get",
    path: "/agents/{id}",
    name: "getAgent",
    summary: "Get an agent with its skills and usage",
    permission: "agents:read",
    answer: schemas.AgentInDetail,
    versioned: true,
    errors: ["AGENT_NOT_FOUND"],
  },
  (ctx, { params }) => service.getAgent(ctx, params.id),
);

routes.route(
  {
    method: "put",
    path: "/agents/{id}",
    name: "updateAgent",
    summary: "Update an agent",
    permission: "agents:write",
    allowsAgentKeys: false,
    body: schemas.UpdateAgent,
    answer: schemas.Agent,
    versioned: true,
    conditional: true,
    errors: ["AGENT_NOT_FOUND", "VERSION_CONFLICT"],
  },
  (ctx, { params, body, ifMatch }) => service.updateAgent(ctx, params.id, body, ifMatch),
);

routes.route(
  {
    method: "delete",
    path: "/agents/{id}",
    name: "deleteAgent",
    summary: "Delete an agent with its keys, group memberships and shares; memories that it stored are kept",
    permission: "agents:write",
    allowsAgentKeys: false,
    answer: schemas.AgentDeleted,
    conditional: true,
    errors: ["AGENT_NOT_FOUND", "VERSION_CONFLICT"],
  },
  (ctx, { params, ifMatch }) => service.deleteAgent(ctx, params.id, ifMatch),
);

routes.route(
  {
    method: "post",
    path: "/agents/{id}/execute",
    name: "executeAgent",
    summary: "Run an agent: it answers from the memories that it may read and with its skills",
    permission: "agents:write",
    limit: "execute_agent",
    body: schemas.ExecuteAgent,
    answer: schemas.AgentExecution,
    errors: ["AGENT_NOT_FOUND", "CONFLICT", "SEARCH_TIMEOUT"],
  },
  (ctx, { params, body }) => executeAgent(ctx, params.id, body),
);

routes.route(
  {
    method: "post",
    path: "/agents/{id}/skills",
    name: "assignSkills",
    summary: "Assign skills to an agent; add to its skills or replace them",
    permission: "agents:write",
    allowsAgentKeys: false,
    body: schemas.AssignSkills,
    answer: schemas.SkillsAssigned,
    errors: ["AGENT_NOT_FOUND", "SKILL_NOT_FOUND", "CONFLICT", "VERSION_CONFLICT"],
  },
  (ctx, { params, body }) => skills.assignSkills(ctx, params.id, body),
);

routes.route(
  {
    method: "delete",
    path: "/agents/{id}/skills",
    name: "removeSkills",
    summary: "Remove skills from an agent",
    permission: "agents:write",
    allowsAgentKeys: false,
    body: schemas.RemoveSkills,
    answer: schemas.SkillsRemoved,
    errors: ["AGENT_NOT_FOUND", "VERSION_CONFLICT"],
  },
  (ctx, { params, body }) => skills.removeSkills(ctx, params.id, body),
);

routes.route(
  {
    method: "get",
    path: "/agents/{id}/skills",
    name: "listAgentSkills",
    summary: "List the skills of an agent",
    permission: "agents:read",
    answer: schemas.AgentSkills,
    errors: ["AGENT_NOT_FOUND"],
  },
  (ctx, { params }) => skills.listSkills(ctx, params.id),
);

routes.route(
  {
    method: "post",
    path: "/agents/{id}/memories",
    name: "shareMemory",
    summary: "Share a memory with an agent, or change how it is shared",
    permission: "agents:write",
    allowsAgentKeys: false,
    body: schemas.ShareMemory,
    answer: schemas.MemoryShared,
    status: 201,
    errors: ["AGENT_NOT_FOUND", "MEMORY_NOT_FOUND", "CONFLICT", "VERSION_CONFLICT", "FORBIDDEN"],
  },
  (ctx, { params, body }) => memories.share(ctx, params.id, body),
);

routes.route(
  {
    method: "get",
    path: "/agents/{id}/memories",
    name: "listSharedMemories",
    summary: "List the memories that are shared with an agent, newest first",
    permission: "agents:read",
    query: schemas.ListShared,
    answer: schemas.SharedMemoryList,
    errors: ["AGENT_NOT_FOUND"],
  },
  (ctx, { params, query }) => memories.listMemories(ctx, params.id, query),
);

routes.route(
  {
    method: "delete",
    path: "/agents/{id}/memories/{memoryId}",
    name: "unshareMemory",
    summary: "Stop sharing a memory with an agent",
    permission: "agents:write",
    allowsAgentKeys: false,
    answer: schemas.MemoryUnshared,
    errors: ["AGENT_NOT_FOUND", "MEMORY_NOT_FOUND", "VERSION_CONFLICT"],
  },
  (ctx, { params }) => memories.unshare(ctx, params.id, params.memoryId),
);

routes.route(
  {
    method: "get",
    path: "/agents/{id}/stats",
    name: "readAgentStats",
    summary: "Get an agent's statistics: sessions, executions, memories and skills",
    permission: "agents:read",
    answer: schemas.AgentStats,
    errors: ["AGENT_NOT_FOUND"],
  },
  (ctx, { params }) => statistics.readAgentStats(ctx, params.id),
);

// ---------------------------------------------------------------- groups, which agents' keys cannot use

routes.route(
  {
    method: "post",
    path: "/groups",
    name: "createGroup",
    summary: "Create a group of agents",
    permission: "agents:write",
    allowsAgentKeys: false,
    body: schemas.CreateGroup,
    answer: schemas.Group,
    status: 201,
    versioned: true,
    errors: ["SKILL_NOT_FOUND"],
  },
  (ctx, { body }) => groups.createGroup(ctx, body),
);

routes.route(
  {
    method: "get",
    path: "/groups",
    name: "listGroups",
    summary: "List groups, newest first",
    permission: "agents:read",
    allowsAgentKeys: false,
    limit: "list_groups",
    query: schemas.ListGroups,
    answer: schemas.GroupList,
  },
  (ctx, { query }) => groups.listGroups(ctx, query),
);

routes.route(
  {
    method: "get",
    path: "/groups/{id}",
    name: "getGroup",
    summary: "Get a group with its members",
    permission: "agents:read",
    allowsAgentKeys: false,
    answer: schemas.GroupInDetail,
    versioned: true,
    errors: ["GROUP_NOT_FOUND"],
  },
  (ctx, { params }) => groups.getGroup(ctx, params.id),
);

routes.route(
  {
    method: "put",
    path: "/groups/{id}",
    name: "updateGroup",
    summary: "Update a group",
    permission: "agents:write",
    allowsAgentKeys: false,
    body: schemas.UpdateGroup,
    answer: schemas.Group,
    versioned: true,
    conditional: true,
    errors: ["GROUP_NOT_FOUND", "SKILL_NOT_FOUND", "VERSION_CONFLICT"],
  },
  (ctx, { params, body, ifMatch }) => groups.updateGroup(ctx, params.id, body, ifMatch),
);

routes.route(
  {
    method: "delete",
    path: "/groups/{id}",
    name: "deleteGroup",
    summary: "Delete a group; its agents are kept",
    permission: "agents:manage",
    allowsAgentKeys: false,
    answer: schemas.GroupDeleted,
    conditional: true,
    errors: ["GROUP_NOT_FOUND", "VERSION_CONFLICT"],
  },
  (ctx, { params, ifMatch }) => groups.deleteGroup(ctx, params.id, ifMatch),
);

routes.route(
  {
    method: "post",
    path: "/groups/{id}/members",
    name: "addMember",
    summary: "Add an agent to a group",
    permission: "agents:manage",
    allowsAgentKeys: false,
    body: schemas.AddMember,
    answer: schemas.MemberAdded,
    status: 201,
    errors: ["GROUP_NOT_FOUND", "AGENT_NOT_FOUND", "MEMBER_EXISTS", "CONFLICT"],
  },
  (ctx, { params, body }) => groups.addMember(ctx, params.id, body),
);

routes.route(
  {
    method: "delete",
    path: "/groups/{id}/members/{agentId}",
    name: "removeMember",
    summary: "Remove an agent from a group",
    permission: "agents:manage",
    allowsAgentKeys: false,
    answer: schemas.MemberRemoved,
    errors: ["GROUP_NOT_FOUND", "MEMBER_NOT_FOUND"],
  },
  (ctx, { params }) => groups.removeMember(ctx, params.id, params.agentId),
);

routes.route(
  {
    method: "post",
    path: "/groups/{id}/execute",
    name: "executeGroup",
    summary: "Run a group: primary members answer first, then secondary, then fallback members",
    permission: "agents:write",
    limit: "execute_agent",
    allowsAgentKeys: false,
    body: schemas.ExecuteAgent,
    answer: schemas.GroupExecution,
    errors: ["GROUP_NOT_FOUND", "CONFLICT", "SEARCH_TIMEOUT"],
  },
  (ctx, { params, body }) => executeGroup(ctx, params.id, body),
);

routes.route(
  {
    method: "get",
    path: "/groups/{id}/skills",
    name: "listGroupSkills",
    summary: "List the skills of a group and its members without duplicates",
    permission: "agents:read",
    allowsAgentKeys: false,
    query: schemas.ListOfGroup,
    answer: schemas.GroupSkills,
    errors: ["GROUP_NOT_FOUND"],
  },
  (ctx, { params, query }) => union.listGroupSkills(ctx, params.id, query),
);

routes.route(
  {
    method: "get",
    path: "/groups/{id}/memories",
    name: "listGroupMemories",
    summary: "List the memories that are shared with a group's members without duplicates",
    permission: "agents:read",
    allowsAgentKeys: false,
    query: schemas.ListOfGroup,
    answer: schemas.GroupMemories,
    errors: ["GROUP_NOT_FOUND"],
  },
  (ctx, { params, query }) => union.listGroupMemories(ctx, params.id, query),
);

routes.route(
  {
    method: "get",
    path: "/groups/{id}/stats",
    name: "readGroupStats",
    summary: "Get the summed statistics of a group's members",
    permission: "agents:read",
    allowsAgentKeys: false,
    answer: schemas.GroupStats,
    errors: ["GROUP_NOT_FOUND"],
  },
  (ctx, { params }) => statistics.readGroupStats(ctx, params.id),
);
