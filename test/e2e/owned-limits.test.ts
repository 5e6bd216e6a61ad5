import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { OWNED_NAMES, type OwnedName } from "../../shared/runtime/access/plans.ts";
import type { LocalService } from "../support/service.ts";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

const MOST = vi.hoisted(() => 4);

vi.mock("../../shared/runtime/access/plans.ts", async (original) => ({
  ...(await original<typeof import("../../shared/runtime/access/plans.ts")>()),
  ownedLimit: () => MOST,
}));

let target: Target;
beforeAll(async () => {
  target = await openTarget({ ALLOW_PRIVATE_TARGETS: "1" });
});
afterAll(() => target.close());

const PASSWORD = "a long and unusual passphrase";

/** How one more of each kind is created. */
const CREATIONS: Record<OwnedName, (caller: Caller, index: number) => Promise<{ path: string; body: object }>> = {
  keys: async (_, index) => ({ path: "/api-keys", body: { name: `key ${index}`, permissions: ["memory:read"] } }),
  users: async (_, index) => ({
    path: "/admin/users",
    body: { email: `${crypto.randomUUID()}@example.com`, name: `User ${index}`, password: PASSWORD, role: "viewer" },
  }),
  invitations: async (_, index) => ({
    path: "/admin/invites",
    body: {
      email: `${crypto.randomUUID()}@example.com`,
      name: `Guest ${index}`,
      role: "viewer",
      permissions: ["memory:read"],
      send_email: false,
    },
  }),
  agents: async (_, index) => ({ path: "/agents", body: { name: `agent ${index}`, model: "a model" } }),
  groups: async (_, index) => ({ path: "/groups", body: { name: `group ${index}` } }),
  skills: async (_, index) => ({
    path: "/skills",
    body: { name: `skill ${index}`, trigger: `when ${index}`, action: "do it", domain: "work" },
  }),
  chains: async (caller, index) => {
    const { body } = await caller.get("/skills?limit=1");
    const known = body.data.skills[0]?.id;
    const skill =
      known ??
      (await caller.post("/skills", { name: "step", trigger: "when", action: "do", domain: "work" })).body.data.id;
    return {
      path: "/chains",
      body: { name: `chain ${index}`, trigger: "when", steps: [{ skill_id: skill, order: 1 }] },
    };
  },
  webhooks: async (_, index) => ({
    path: "/webhooks",
    body: { name: `hook ${index}`, url: "https://hooks.example.com/", events: ["memory.created"] },
  }),
  connections: async (_, index) => ({
    path: "/connections/web_crawler",
    body: { config: { url: `https://example.com/${index}` } },
  }),
  entities: async (_, index) => ({ path: "/entities", body: { name: `place ${index}`, type: "place" } }),
};

it.each(OWNED_NAMES)("an organization owns at most the limit of %s", async (name) => {
  const caller = await target.organization();
  const create = async (index: number) => {
    const { path, body } = await CREATIONS[name](caller, index);
    return caller.post(path, body);
  };
  const answers = [];
  for (let index = 0; index <= MOST + 1; index++) answers.push(await create(index));
  const refused = answers.filter(({ status }) => status !== 201);
  // The organization's own key or user counts too.
  expect(answers.length - refused.length, JSON.stringify(answers[0]?.body)).toBeGreaterThanOrEqual(MOST - 1);
  for (const { status, body } of refused) {
    expect([status, body.error]).toEqual([
      409,
      expect.objectContaining({
        code: "LIMIT_REACHED",
        details: { resource: name, limit: MOST, plan: expect.any(String) },
      }),
    ]);
  }
  expect(refused.length).toBeGreaterThanOrEqual(2);
});

describe("the limit of entities", () => {
  const NAMES = ["Lisbon", "Oslo", "Quito", "Nairobi"];

  async function fullOrganization(): Promise<Caller> {
    const caller = await target.organization();
    for (const name of NAMES) {
      expect((await caller.post("/entities", { name, type: "place" })).status).toBe(201);
    }
    // A process knows the count for seconds.
    const { body } = await caller.get("/whoami");
    (target.service as LocalService).runtime.authenticator.forget(body.data.organization.id);
    return caller;
  }

  it("lets a memory be stored without new entities, and says how many", async () => {
    const caller = await fullOrganization();
    const content = "Ada Lovelace travelled from Lisbon to Reykjavik with Grace Hopper.";
    const { status, body } = await caller.post("/memories", { content, user_id: "ada" });
    expect(status).toBe(201);
    const names = body.data.entities.map(({ name }: { name: string }) => name);
    expect(names).toEqual(["Lisbon"]);
    expect(body.data.entities_left_out).toBeGreaterThanOrEqual(2);
    expect((await caller.get(`/memories/${body.data.id}`)).body.data).toMatchObject({
      content,
      entities_left_out: body.data.entities_left_out,
    });
    const processed = await caller.post("/memories/process", { content: `${content} Again.`, user_id: "ada" });
    expect(processed.body.data.processing).toMatchObject({
      entities_extracted: 1,
      entities_left_out: body.data.entities_left_out,
    });
  });

  it("forgets what was left out when the words change", async () => {
    const caller = await fullOrganization();
    const { body } = await caller.post("/memories", { content: "Ada flew to Reykjavik.", user_id: "ada" });
    expect(body.data.entities_left_out).toBeGreaterThanOrEqual(1);
    const changed = await caller.put(`/memories/${body.data.id}`, { content: "Somebody flew to Oslo." });
    expect(changed.body.data.entities.map(({ name }: { name: string }) => name)).toEqual(["Oslo"]);
    expect(changed.body.data).not.toHaveProperty("entities_left_out");
  });

  it("counts the entities that memories name", async () => {
    const caller = await target.organization();
    const content = "Ada met Bruno Latour, Grace Hopper, Alan Turing and Rosalind Franklin in Lisbon.";
    const { body } = await caller.post("/memories", { content, user_id: "ada" });
    expect(body.data.entities.length).toBeGreaterThan(MOST);
    await eventually(async () => {
      const { status, body } = await caller.post("/entities", { name: crypto.randomUUID(), type: "other" });
      expect([status, body.error?.code]).toEqual([409, "LIMIT_REACHED"]);
    });
    const again = await caller.post("/entities", { name: "Lisbon", type: "place" });
    expect(again.status).toBe(201);
  });
});
