import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { HOUR_MS } from "../../shared/kernel/durations.ts";
import { createOrganization, openService } from "../../test/support/service.ts";

const PASSWORD = "temporary but long enough";

let now = Date.parse("2026-01-31T12:00:00Z");

const service = await openService({}, () => now);
const key = (await createOrganization(service)).key;
afterAll(() => service.close());

const ask = (method: string, path: string, body?: unknown) => service.request(method, path, { key, body });

const idsIn = async (path: string) => {
  const { data } = (await ask("GET", path)).body;
  return (data.users ?? data.invites).map(({ id }: { id: string }) => id);
};

async function makeUser() {
  const email = `${randomUUID()}@example.com`;
  const body = { email, name: "Ada", password: PASSWORD, role: "user" };
  return { email, id: (await ask("POST", "/admin/users", body)).body.data.user.id as string };
}

const logIn = (email: string) =>
  service.request("POST", "/auth/login", { key: null, body: { email, password: PASSWORD } });

describe("a suspension", () => {
  it("ends at its time, and does not restore earlier sessions", async () => {
    const { id, email } = await makeUser();
    const before = (await logIn(email)).body.data;
    await ask("POST", `/admin/users/${id}/suspend`, { reason: "x", duration_hours: 2, notify_user: false });
    now += 2 * HOUR_MS - 1;
    expect((await logIn(email)).status).toBe(403);
    expect(await idsIn("/admin/users?status=suspended")).toContain(id);
    now += 1;
    const { data } = (await ask("GET", `/admin/users/${id}`)).body;
    expect([data.status, data.suspended_until, data.suspension_reason]).toEqual(["active", undefined, undefined]);
    expect(await idsIn("/admin/users?status=suspended")).not.toContain(id);
    expect(await idsIn("/admin/users?status=active")).toContain(id);
    const body = { refresh_token: before.refresh_token };
    expect((await service.request("POST", "/auth/refresh", { key: null, body })).status).toBe(401);
    expect((await logIn(email)).status).toBe(200);
  });

  it("without an end lasts for years", async () => {
    const { id, email } = await makeUser();
    await ask("POST", `/admin/users/${id}/suspend`, { reason: "x", notify_user: false });
    now += 20 * 365 * 24 * HOUR_MS;
    const { data } = (await ask("GET", `/admin/users/${id}`)).body;
    expect([data.status, data.suspended_until]).toEqual(["suspended", undefined]);
    expect((await logIn(email)).status).not.toBe(200);
  });
});

describe("an invitation", () => {
  it("expires, and its link then says so", async () => {
    const body = { email: "late@example.com", name: "Late", role: "user", permissions: [], expires_in_days: 2 };
    const { id, invitation_url } = (await ask("POST", "/admin/invites", { ...body, send_email: false })).body.data;
    const { search } = new URL(invitation_url);
    now += 48 * HOUR_MS;
    const accepted = { password: PASSWORD, accept_terms: true };
    const { status, body: answer } = await service.request("POST", `/admin/invites/${id}/accept${search}`, {
      key: null,
      body: accepted,
    });
    expect([status, answer.error.code, answer.error.details.status]).toEqual([409, "INVITE_CLOSED", "expired"]);
    expect((await ask("POST", `/admin/invites/${id}/accept`, accepted)).body.error.code).toBe("INVITE_CLOSED");
    expect((await ask("GET", `/admin/invites/${id}`)).body.data.status).toBe("expired");
    expect(await idsIn("/admin/invites?status=expired")).toEqual([id]);
    expect(await idsIn("/admin/invites?status=pending")).toEqual([]);
  });
});

describe("a time zone", () => {
  it("decides which day a user means, from the change on", async () => {
    const { id } = await makeUser();
    expect((await ask("GET", `/admin/users/${id}`)).body.data.timezone).toBe("UTC");
    const changed = await ask("PUT", `/admin/users/${id}`, { timezone: "Pacific/Auckland" });
    expect([changed.status, changed.body.data.timezone]).toEqual([200, "Pacific/Auckland"]);
    const memory = { user_id: id, content: "I ran today.", occurred_at: "2026-03-01T23:00:00Z" };
    const { facts } = (await ask("POST", "/memories", memory)).body.data;
    expect(facts[0].dates[0].value).toBe("2026-03-02");
  });

  it("must be in the time zone database, also for a new user", async () => {
    const { id } = await makeUser();
    for (const timezone of ["+02:00", "Mars/Olympus", "", 2, null]) {
      const { status, body } = await ask("PUT", `/admin/users/${id}`, { timezone });
      expect([status, body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    }
    const given = { email: `${randomUUID()}@example.com`, name: "Bo", password: PASSWORD, role: "user" };
    const made = await ask("POST", "/admin/users", { ...given, timezone: "Asia/Tokyo" });
    expect(made.body.data.user.timezone).toBe("Asia/Tokyo");
  });
});
