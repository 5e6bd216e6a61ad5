import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { OWNED_NAMES, type OwnedName } from "../../shared/runtime/access/plans.ts";
import { type Caller, openTarget, type Target } from "../support/target.ts";

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
