import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listAudit } from "../../shared/runtime/audit/records.ts";
import { createOrganization, type TestedService } from "../support/service.ts";
import { Caller, openTestedService } from "../support/target.ts";

let service: TestedService;
let operator: Caller;

beforeAll(async () => {
  service = await openTestedService();
  operator = new Caller(service, service.adminKey);
});

afterAll(() => service.close());

describe("the operator", () => {
  it("puts an organization on a plan, whose limits apply immediately", async () => {
    const { org, key } = await createOrganization(service, "free");
    const self = new Caller(service, key);
    const policy = async () => (await self.get("/admin/users")).headers.get("ratelimit-policy");
    expect(await policy()).toContain("q=10;");
    const { status, body } = await operator.put("/admin/organizations", { organization_id: org, plan: "pro" });
    const changed = { id: org, name: org, plan: "pro", operator: false, created_at: expect.any(String) };
    expect([status, body.data]).toEqual([200, changed]);
    expect(await policy()).toContain("q=100;");
    const [newest] = (await listAudit(service.runtime.ports.records, "deployment", {}, { limit: 1, offset: 0 }))
      .entries;
    const details = { plan: "pro", previous_plan: "free" };
    expect(newest).toMatchObject({ action: "organization.plan_changed", target: org, details });
  });

  it("lists all organizations, newest first", async () => {
    const { org } = await createOrganization(service, "team");
    const { data } = (await operator.get("/admin/organizations?limit=1")).body;
    expect(data.organizations).toHaveLength(1);
    expect(data.pagination).toMatchObject({ limit: 1, offset: 0, has_next: true });
    const newest = (await operator.get("/admin/organizations?limit=200")).body.data.organizations;
    expect(newest).toContainEqual(expect.objectContaining({ id: org, plan: "team", operator: false }));
    const moments = newest.map(({ created_at }: { created_at: string }) => created_at);
    expect(moments).toEqual(moments.toSorted().reverse());
  });

  it.each([
    [{ organization_id: "org_none", plan: "pro" }, 404, "ORGANIZATION_NOT_FOUND"],
    [{ organization_id: "org_none" }, 400, "VALIDATION_ERROR"],
    [{ organization_id: "org_none", plan: "gold" }, 400, "VALIDATION_ERROR"],
    [{ plan: "pro" }, 400, "VALIDATION_ERROR"],
  ])("gets an error for %j", async (body, status, code) => {
    const answer = await operator.put("/admin/organizations", body);
    expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
  });
});

it.each([
  ["org_none", { confirm: true }, 404, "ORGANIZATION_NOT_FOUND"],
  ["org_operator", { confirm: true }, 403, "FORBIDDEN"],
  ["org_none", {}, 400, "VALIDATION_ERROR"],
])("refuses to erase %s with %j", async (organization_id, more, status, code) => {
  const answer = await operator.delete("/admin/organizations", { organization_id, reason: "asked", ...more });
  expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
});

it("only the operator chooses plans and lists organizations", async () => {
  const { org, key } = await createOrganization(service, "free");
  const self = new Caller(service, key);
  for (const answer of [
    await self.put("/admin/organizations", { organization_id: org, plan: "enterprise" }),
    await self.get("/admin/organizations"),
    await self.delete("/admin/organizations", { organization_id: org, confirm: true, reason: "none" }),
    await self.get("/admin/jobs?type=erase_organization"),
  ]) {
    expect([answer.status, answer.body.error?.code]).toEqual([403, "FORBIDDEN"]);
    expect(JSON.stringify(answer.body)).not.toContain("org_operator");
  }
  const { data } = (await operator.get("/admin/organizations?limit=200")).body;
  expect(data.organizations.find((each: { id: string }) => each.id === org).plan).toBe("free");
});
