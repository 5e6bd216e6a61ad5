import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OPERATOR_ORG } from "../../shared/runtime/access/operator.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";
import { guarded, sendSample, titleOf } from "./harness.ts";

/**
 * What each PUT and PATCH changes: `settings` change the results of other members, so they require admin:all and leave
 * an audit record; a `resource` is one thing that the permission of its route covers.
 */
const EFFECTS: Record<string, "settings" | "resource"> = {
  "PATCH /api/v1/orgs/organizations/{org_id}/projects/{project_id}": "settings",
  "PUT /admin/organizations": "settings",
  "PUT /admin/users/{id}": "settings",
  "PUT /compression/config": "settings",
  "PUT /compression/mode": "settings",
  "PUT /search/config": "settings",
  "PUT /tier/policy": "settings",
  "PUT /agents/{id}": "resource",
  "PUT /api-keys/{id}": "resource",
  "PUT /api/v1/webhooks/{webhook_id}": "resource",
  "PUT /facts/{id}": "resource",
  "PUT /groups/{id}": "resource",
  "PUT /mem0/memories/{id}": "resource",
  "PUT /memories/batch-update": "resource",
  "PUT /memories/{id}": "resource",
  "PUT /sessions/{id}": "resource",
  "PUT /skills/{id}": "resource",
  "PUT /v1/batch": "resource",
  "PUT /v1/memories/{id}": "resource",
  "PUT /webhooks/{id}": "resource",
};

const changes = guarded.filter(({ definition }) => ["put", "patch"].includes(definition.method.toLowerCase()));
const settings = changes.filter(({ definition }) => EFFECTS[titleOf(definition)] === "settings");

let service: LocalService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

async function auditRecords(): Promise<number> {
  const { items } = await service.runtime.ports.inventory.list({ kinds: ["audit"], limit: 1000 });
  return items.length;
}

describe("a PUT or PATCH", () => {
  it("has a row in the table", () => {
    expect(changes.map(({ definition }) => titleOf(definition)).sort()).toEqual(Object.keys(EFFECTS).sort());
  });

  it.each(settings.map((route) => [titleOf(route.definition), route] as const))(
    "%s requires admin:all and leaves an audit record",
    async (_, route) => {
      if (!("permission" in route.definition)) throw new Error("a public route");
      expect(route.definition.permission).toBe("admin:all");
      const user = await service.request("POST", "/admin/users", {
        body: {
          email: `${crypto.randomUUID()}@example.com`,
          name: "Grace",
          role: "viewer",
          password: "a long and unusual passphrase",
        },
      });
      const organization = await createOrganization(service);
      const ids = { org_id: OPERATOR_ORG, project_id: "default", id: user.body.data.user.id };
      const bodies: Record<string, object> = {
        setPlan: { organization_id: organization.org, plan: "pro" },
        changeCompatProject: { custom_instructions: "Only tea." },
      };
      const body = bodies[route.definition.name];
      const before = await auditRecords();
      const answer = await sendSample(service, route, { ids, ...(body && { body }) });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect(await auditRecords()).toBe(before + 1);
    },
  );
});
