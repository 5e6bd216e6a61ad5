import { newGroup } from "../../shared/runtime/http/group.ts";
import { executeAgent } from "./execution.ts";
import { group } from "./group.ts";
import { executeGroup } from "./group-execution.ts";
import * as groups from "./groups.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";
import * as statistics from "./statistics.ts";

export const routes = newGroup(
  group,
  { permission: "agents:write", allowsAgentKeys: false },
  { get: { permission: "agents:read" } },
);

routes.post("/agents", "createAgent", {
  summary: "Create an agent",
  limit: "create_agent",
  body: schemas.CreateAgent,
  answer: schemas.Agent,
  status: 201,
  versioned: true,
  errors: ["SKILL_NOT_FOUND", "LIMIT_REACHED"],
  handler: (ctx, { body }) => service.createAgent(ctx, body),
});

routes.get("/agents", "listAgents", {
  summary: "List agents; an agent's own key lists only that agent",
  limit: "list_agents",
  query: schemas.ListAgents,
  allowsAgentKeys: true,
  answer: schemas.AgentList,
  handler: (ctx, { query }) => service.listAgents(ctx, query),
});

routes.get("/agents/{id}", "getAgent", {
  summary: "Get an agent with its skills and usage",
  allowsAgentKeys: true,
  answer: schemas.AgentInDetail,
  versioned: true,
  handler: (ctx, { params }) => service.getAgent(ctx, params.id),
});

routes.put("/agents/{id}", "updateAgent", {
  summary: "Update an agent",
  body: schemas.UpdateAgent,
  answer: schemas.Agent,
  versioned: true,
  conditional: true,
  handler: (ctx, { params, body, ifMatch }) => service.updateAgent(ctx, params.id, body, ifMatch),
});

routes.delete("/agents/{id}", "deleteAgent", {
  summary: "Delete an agent with its keys, group memberships and shares; memories that it stored are kept",
  answer: schemas.AgentDeleted,
  conditional: true,
  handler: (ctx, { params, ifMatch }) => service.deleteAgent(ctx, params.id, ifMatch),
});

routes.post("/agents/{id}/execute", "executeAgent", {
  summary: "Run an agent: it answers from the memories that it may read and with its skills",
  limit: "execute_agent",
  body: schemas.ExecuteAgent,
  allowsAgentKeys: true,
  answer: schemas.AgentExecution,
  errors: ["CONFLICT", "SEARCH_TIMEOUT"],
  handler: (ctx, { params, body }) => executeAgent(ctx, params.id, body),
});

routes.post("/agents/{id}/skills", "assignSkills", {
  summary: "Assign skills to an agent; add to its skills or replace them",
  body: schemas.AssignSkills,
  answer: schemas.SkillsAssigned,
  errors: ["SKILL_NOT_FOUND", "CONFLICT", "VERSION_CONFLICT"],
  handler: (ctx, { params, body }) => service.assignSkills(ctx, params.id, body),
});

routes.delete("/agents/{id}/skills", "removeSkills", {
  summary: "Remove skills from an agent",
  body: schemas.RemoveSkills,
  answer: schemas.SkillsRemoved,
  errors: ["VERSION_CONFLICT"],
  handler: (ctx, { params, body }) => service.removeSkills(ctx, params.id, body),
});

routes.get("/agents/{id}/skills", "listAgentSkills", {
  summary: "List the skills of an agent",
  allowsAgentKeys: true,
  answer: schemas.AgentSkills,
  handler: (ctx, { params }) => service.listSkills(ctx, params.id),
});

routes.post("/agents/{id}/memories", "shareMemory", {
  summary: "Share a memory with an agent, or change how it is shared",
  body: schemas.ShareMemory,
  answer: schemas.MemoryShared,
  status: 201,
  errors: ["MEMORY_NOT_FOUND", "CONFLICT", "VERSION_CONFLICT", "FORBIDDEN"],
  handler: (ctx, { params, body }) => service.share(ctx, params.id, body),
});

routes.get("/agents/{id}/memories", "listSharedMemories", {
  summary: "List the memories that are shared with an agent, newest first",
  query: schemas.ListShared,
  allowsAgentKeys: true,
  answer: schemas.SharedMemoryList,
  handler: (ctx, { params, query }) => service.listMemories(ctx, params.id, query),
});

routes.delete("/agents/{id}/memories/{memoryId}", "unshareMemory", {
  summary: "Stop sharing a memory with an agent",
  answer: schemas.MemoryUnshared,
  errors: ["MEMORY_NOT_FOUND", "VERSION_CONFLICT"],
  handler: (ctx, { params }) => service.unshare(ctx, params.id, params.memoryId),
});

routes.get("/agents/{id}/stats", "readAgentStats", {
  summary: "Get an agent's statistics: sessions, executions, memories and skills",
  allowsAgentKeys: true,
  answer: schemas.AgentStats,
  handler: (ctx, { params }) => statistics.readAgentStats(ctx, params.id),
});

routes.post("/groups", "createGroup", {
  summary: "Create a group of agents",
  body: schemas.CreateGroup,
  answer: schemas.Group,
  status: 201,
  versioned: true,
  errors: ["SKILL_NOT_FOUND", "LIMIT_REACHED"],
  handler: (ctx, { body }) => groups.createGroup(ctx, body),
});

routes.get("/groups", "listGroups", {
  summary: "List groups, newest first",
  limit: "list_groups",
  query: schemas.ListGroups,
  answer: schemas.GroupList,
  handler: (ctx, { query }) => groups.listGroups(ctx, query),
});

routes.get("/groups/{id}", "getGroup", {
  summary: "Get a group with its members",
  answer: schemas.GroupInDetail,
  versioned: true,
  handler: (ctx, { params }) => groups.getGroup(ctx, params.id),
});

routes.put("/groups/{id}", "updateGroup", {
  summary: "Update a group",
  body: schemas.UpdateGroup,
  answer: schemas.Group,
  versioned: true,
  conditional: true,
  errors: ["SKILL_NOT_FOUND"],
  handler: (ctx, { params, body, ifMatch }) => groups.updateGroup(ctx, params.id, body, ifMatch),
});

routes.delete("/groups/{id}", "deleteGroup", {
  summary: "Delete a group; its agents are kept",
  permission: "agents:manage",
  answer: schemas.GroupDeleted,
  conditional: true,
  handler: (ctx, { params, ifMatch }) => groups.deleteGroup(ctx, params.id, ifMatch),
});

routes.post("/groups/{id}/members", "addMember", {
  summary: "Add an agent to a group",
  permission: "agents:manage",
  body: schemas.AddMember,
  answer: schemas.MemberAdded,
  status: 201,
  errors: ["AGENT_NOT_FOUND", "MEMBER_EXISTS", "CONFLICT"],
  handler: (ctx, { params, body }) => groups.addMember(ctx, params.id, body),
});

routes.delete("/groups/{id}/members/{agentId}", "removeMember", {
  summary: "Remove an agent from a group",
  permission: "agents:manage",
  answer: schemas.MemberRemoved,
  errors: ["MEMBER_NOT_FOUND"],
  handler: (ctx, { params }) => groups.removeMember(ctx, params.id, params.agentId),
});

routes.post("/groups/{id}/execute", "executeGroup", {
  summary: "Run a group: primary members answer first, then secondary, then fallback members",
  limit: "execute_agent",
  body: schemas.ExecuteAgent,
  answer: schemas.GroupExecution,
  errors: ["CONFLICT", "SEARCH_TIMEOUT"],
  handler: (ctx, { params, body }) => executeGroup(ctx, params.id, body),
});

routes.get("/groups/{id}/skills", "listGroupSkills", {
  summary: "List the skills of a group and its members without duplicates",
  query: schemas.ListOfGroup,
  answer: schemas.GroupSkills,
  handler: (ctx, { params, query }) => groups.listGroupSkills(ctx, params.id, query),
});

routes.get("/groups/{id}/memories", "listGroupMemories", {
  summary: "List the memories that are shared with a group's members without duplicates",
  query: schemas.ListOfGroup,
  answer: schemas.GroupMemories,
  handler: (ctx, { params, query }) => groups.listGroupMemories(ctx, params.id, query),
});

routes.get("/groups/{id}/stats", "readGroupStats", {
  summary: "Get the summed statistics of a group's members",
  answer: schemas.GroupStats,
  handler: (ctx, { params }) => statistics.readGroupStats(ctx, params.id),
});
