import type { RouteGroup } from "../../shared/http/group.ts";

const ORGANIZATIONS = "/api/v1/orgs/organizations";
const PROFILES = "This service makes no profiles. Search the user's memories.";
const PROJECTS =
  "An organization has one project, 'default', which is there. Divide it by user_id, agent_id, app_id or run_id.";
const MEMBERS =
  "A project has no members of its own. People and their roles are those of the organization: see GET /admin/users.";

/** What published clients of mem0 can ask for and this service has nothing like, each with what there is instead. */
export function refuseWhatIsNotOffered(routes: RouteGroup): void {
  routes.notOffered.push(
    { path: "/v1/summary", reason: "Exports have no summary. Read the export: POST /v1/exports/get." },
    { path: "/v2/entities/user/{entity_id}/profile", reason: PROFILES },
    { path: "/v2/profiles/settings", reason: PROFILES },
    { path: "/v2/profiles/jobs", reason: PROFILES },
    { path: "/v2/profiles/jobs/{job_id}", reason: PROFILES },
    { path: ORGANIZATIONS, reason: "An API key is of one organization, which GET /v1/ping names." },
    { path: `${ORGANIZATIONS}/{org_id}/members`, reason: MEMBERS },
    { path: `${ORGANIZATIONS}/{org_id}/projects`, reason: PROJECTS },
    { path: `${ORGANIZATIONS}/{org_id}/projects/{project_id}/members`, reason: MEMBERS },
  );
}
