import { newGroup } from "../../shared/runtime/http/group.ts";
import { CompatQuery } from "./common/tolerated.ts";
import { group } from "./group.ts";
import { addOlderRoutes } from "./memories/older.ts";
import { addMemoryRoutes } from "./memories/routes.ts";
import { addRestRoutes } from "./rest/routes.ts";
import { addSelfHostedRoutes } from "./self-hosted/routes.ts";

const ORGANIZATIONS = "/api/v1/orgs/organizations";
const PROFILES = "This service does not support mem0's profiles. Search the user's memories.";
const PROJECTS =
  "An organization has exactly one project, 'default'. Separate memories by user_id, agent_id, app_id or run_id.";
const MEMBERS = "A project has no members. Users and roles belong to the organization: see GET /admin/users.";

export const routes = newGroup(
  group,
  { bare: true, permission: "memory:write", query: CompatQuery },
  { get: { permission: "memory:read" }, delete: { permission: "memory:delete" } },
);

addMemoryRoutes(routes);
addOlderRoutes(routes);
addRestRoutes(routes);
addSelfHostedRoutes(routes);

/** Routes of published mem0 clients that this service does not support, each with an alternative. */
routes.notOffered.push(
  { path: "/v1/summary", reason: "Exports have no summary. Read the export: POST /v1/exports/get." },
  { path: "/v2/entities/user/{entity_id}/profile", reason: PROFILES },
  { path: "/v2/profiles/settings", reason: PROFILES },
  { path: "/v2/profiles/jobs", reason: PROFILES },
  { path: "/v2/profiles/jobs/{job_id}", reason: PROFILES },
  { path: ORGANIZATIONS, reason: "An API key belongs to one organization; GET /v1/ping returns it." },
  { path: `${ORGANIZATIONS}/{org_id}/members`, reason: MEMBERS },
  { path: `${ORGANIZATIONS}/{org_id}/projects`, reason: PROJECTS },
  { path: `${ORGANIZATIONS}/{org_id}/projects/{project_id}/members`, reason: MEMBERS },
  { path: "/mem0/configure", reason: "The settings of this service choose its models: see the README." },
  { path: "/mem0/configure/providers", reason: "The settings of this service choose its models: see the README." },
  { path: "/mem0/entities", reason: "GET /v1/entities lists the users, agents, apps and runs that have memories." },
);
