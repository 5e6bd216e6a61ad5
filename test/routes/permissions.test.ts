import { describe, expect, it } from "vitest";
import { type RouteRow, routeTable } from "../../infra/route-table.ts";
import { groups, routes, titleOf } from "./harness.ts";

/** Areas whose routes require the permissions of memories. */
const OF_MEMORIES = [
  "memories",
  "entities",
  "sessions",
  "sources",
  "connections",
  "v1",
  "v2",
  "v3",
  "mem0",
  "events",
  "facts",
  "graph",
  "patterns",
  "imports",
  "exports",
  "profiles",
];

/** Routes whose permission is decided one by one. */
const DECIDED: Record<string, RouteRow["permission"]> = {
  "POST /compression/benchmarks/run": "compression:benchmark",
  "POST /compression/spreading-activation": "search:read",
  "DELETE /groups/{id}": "agents:manage",
  // Closes the session, which stays.
  "DELETE /sessions/{id}": "memory:write",
  // Withdraws a rating; the memory stays.
  "DELETE /memories/{id}/feedback/{feedback_id}": "memory:write",
  "POST /api-keys": "agents:manage",
  "PUT /api-keys/{id}": "agents:manage",
  // They only write a copy for callers who may read.
  "POST /exports": "memory:read",
  "POST /v1/exports": "memory:read",
  "GET /v1/ping": "any",
  "POST /mem0/reset": "admin:all",
  // Changes what the service extracts from the words of every member.
  "PATCH /api/v1/orgs/organizations/{org_id}/projects/{project_id}": "admin:all",
  "GET /users": "memory:read",
};

/** Areas that an agent's keys may use; all others belong to the organization. */
const FOR_AGENTS = [
  "agents",
  "api-keys",
  "chains",
  "entities",
  "events",
  "facts",
  "graph",
  "mcp",
  "mem0",
  "memories",
  "patterns",
  "profiles",
  "recall",
  "recalls",
  "reviews",
  "search",
  "sessions",
  "skills",
  "v1",
  "v2",
  "usage",
  "v3",
  "whoami",
];

/** Routes in these areas that agents cannot use: they change agents, or concern the whole organization. */
const NOT_FOR_AGENTS = [
  "DELETE /agents/{id}",
  "DELETE /agents/{id}/memories/{memoryId}",
  "DELETE /agents/{id}/skills",
  "DELETE /profiles/{user_id}",
  "DELETE /v1/entities/{entity_type}/{entity_name}",
  "DELETE /v2/entities/{entity_type}/{entity_name}",
  "GET /v1/entities",
  "POST /agents",
  "POST /agents/{id}/memories",
  "POST /agents/{id}/skills",
  "POST /api-keys",
  "POST /mem0/reset",
  "POST /reviews/{id}",
  "POST /v1/exports",
  "POST /v1/exports/get",
  "PUT /agents/{id}",
  "PUT /api-keys/{id}",
  "PUT /search/config",
];

const isReadOnly = new Set(
  routes.filter(({ definition }) => definition.readOnly).map(({ definition }) => definition.name),
);

/** The permission that a route's area and verb require: reading, changing the contents, or changing the definitions. */
function decided({ name, method, path }: Pick<RouteRow, "name" | "method" | "path">): RouteRow["permission"] {
  const [, area = "", ...rest] = path.split("/");
  const isReading = method === "GET" || isReadOnly.has(name);
  if (OF_MEMORIES.includes(area)) {
    return isReading ? "memory:read" : method === "DELETE" ? "memory:delete" : "memory:write";
  }
  switch (area) {
    case "recall":
    case "recalls":
      return "search:read";
    case "search":
      return method === "PUT" ? "admin:all" : "search:read";
    case "compression":
    case "tier":
      return method === "GET" ? "memory:read" : method === "PUT" ? "admin:all" : "memory:write";
    case "skills":
    case "chains":
    case "reviews":
      if (/\/(use|execute)$/.test(path)) return "skills:execute";
      return isReading ? "skills:read" : "skills:manage";
    case "agents":
      return isReading ? "agents:read" : "agents:write";
    case "groups":
      if (path.includes("/members")) return "agents:manage";
      return isReading ? "agents:read" : "agents:write";
    case "webhooks":
      return "agents:manage";
    // What clients of mem0 know as their project.
    case "api":
      return decided({ name, method, path: rest.includes("webhooks") ? "/webhooks" : "/memories" });
    case "admin":
      return "admin:all";
    default:
      return "any";
  }
}

describe("a route's permission", () => {
  const guarded = routeTable(groups).filter(({ permission }) => permission !== "public");

  it("follows from its area and verb", () => {
    const found = guarded.map((row) => [titleOf(row), row.permission]);
    expect(found.length).toBeGreaterThan(100);
    expect(found).toEqual(guarded.map((row) => [titleOf(row), DECIDED[titleOf(row)] ?? decided(row)]));
  });

  it("is listed separately only if it differs", () => {
    const rows = new Map(guarded.map((row) => [titleOf(row), row]));
    for (const [title, permission] of Object.entries(DECIDED)) {
      const row = rows.get(title);
      expect(row, title).toBeDefined();
      expect([title, row && decided(row)]).not.toEqual([title, permission]);
    }
  });

  it("is that of admins for everything under /admin", () => {
    const admin = guarded.filter(({ path }) => path.startsWith("/admin/"));
    expect(admin.length).toBeGreaterThan(10);
    for (const row of admin) expect([titleOf(row), row.roles]).toEqual([titleOf(row), ["admin"]]);
  });

  it("is available to agents in the listed areas, except for the listed routes", () => {
    const admitting = guarded.filter(({ allowsAgentKeys }) => allowsAgentKeys).map(titleOf);
    const decidedFor = guarded.filter(({ path }) => FOR_AGENTS.includes(path.split("/")[1] ?? "")).map(titleOf);
    expect(NOT_FOR_AGENTS.filter((title) => !decidedFor.includes(title))).toEqual([]);
    expect(admitting).toEqual(decidedFor.filter((title) => !NOT_FOR_AGENTS.includes(title)));
  });
});
