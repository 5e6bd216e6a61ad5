import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mail } from "../../shared/ports/mailer.ts";
import { OPERATOR_ORG } from "../../shared/runtime/access/operator.ts";
import { type AuditRecord, listAudit } from "../../shared/runtime/audit/records.ts";
import { mailboxOf } from "../support/mailbox.ts";
import { mailedToken, newEmail, otpOf, PASSWORD, Person } from "../support/people.ts";
import { createOrganization, type TestedService } from "../support/service.ts";
import { Caller, eventually, openTestedService } from "../support/target.ts";

let service: TestedService;
let nobody: Person;
let mails: Mail[];

beforeAll(async () => {
  service = await openTestedService();
  mails = mailboxOf(service);
  nobody = new Person(service);
});

afterAll(() => service.close());

/**
 * Waits for at least this many audit records of an organization, because the list may lag, and returns them oldest
 * first.
 */
function recordsOf(org: string, atLeast: number): Promise<AuditRecord[]> {
  return eventually(async () => {
    const { entries } = await listAudit(service.runtime.ports.records, { org }, {}, { limit: 100, offset: 0 });
    expect(entries.length).toBeGreaterThanOrEqual(atLeast);
    return entries.reverse();
  });
}

const actionsIn = (records: AuditRecord[]) => records.map(({ action, outcome }) => `${action} ${outcome}`);

async function organization(): Promise<{ org: string; admin: Caller }> {
  const { org, key } = await createOrganization(service);
  return { org, admin: new Caller(service, key) };
}

/** Returns the organization of a registered person's token. */
async function orgOf(token: string): Promise<string> {
  const [, claims = ""] = token.split(".");
  return JSON.parse(Buffer.from(claims, "base64url").toString()).org;
}

describe("the audit log", () => {
  it("records registrations, sign-ins and changes of credentials", async () => {
    const email = newEmail();
    await nobody.done("/auth/register", { email, password: PASSWORD, name: "Ada" });
    await nobody.done("/auth/verify-email", { token: mailedToken(mails, email, /Confirm/) });
    const first = await nobody.done("/auth/login", { email, password: PASSWORD });
    await nobody.post("/auth/login", { email, password: "not the password" });
    const other = "another password of hers";
    const change = { current_password: PASSWORD, new_password: other, confirm_password: other };
    await nobody.as(first.access_token).done("/auth/change-password", change);
    const second = await nobody.done("/auth/login", { email, password: other });
    await nobody.done("/auth/refresh", { refresh_token: second.refresh_token });
    await nobody.post("/auth/refresh", { refresh_token: second.refresh_token });
    const third = await nobody.done("/auth/login", { email, password: other });
    const self = nobody.as(third.access_token);
    const { secret } = await self.done("/auth/2fa/setup");
    await self.done("/auth/2fa/enable", { otp: otpOf(secret, service.runtime.clock()) });
    await nobody.done("/auth/forgot-password", { email });
    const token = mailedToken(mails, email, /new password/);
    await nobody.done("/auth/reset-password", { token, new_password: PASSWORD });

    const org = await orgOf(first.access_token);
    const records = await recordsOf(org, 11);
    expect(actionsIn(records)).toEqual([
      "user.registered success",
      "auth.email_verified success",
      "auth.login success",
      "auth.login refused",
      "auth.password_changed success",
      "auth.login success",
      "auth.refresh_reused refused",
      "auth.login success",
      "auth.2fa_enabled success",
      "auth.password_reset_requested success",
      "auth.password_reset success",
    ]);
    const id = records[0]?.target;
    expect(id).toMatch(/^user_/);
    for (const { target, request_id, org: of } of records) {
      expect([target, of]).toEqual([id, org]);
      expect(request_id).toMatch(/^req_/);
    }
    const failure = records.find(({ outcome }) => outcome === "refused");
    expect(failure).toMatchObject({ actor: { kind: "anonymous" }, level: "warn" });
    expect(records.find(({ action }) => action === "auth.password_changed")?.actor).toEqual({ kind: "user", id });
  });

  it("records a failed sign-in to an unknown account for the operator, without the typed address", async () => {
    const typed = `${randomUUID()}@typo.example`;
    await nobody.post("/auth/login", { email: typed, password: PASSWORD });
    const records = await recordsOf(OPERATOR_ORG, 1);
    const failure = records.findLast(({ action }) => action === "auth.login");
    expect(failure).toMatchObject({ outcome: "refused", actor: { kind: "anonymous" } });
    expect(failure).not.toHaveProperty("target");
    expect(JSON.stringify(records)).not.toContain(typed);
  });

  it("records who created, updated, rotated and revoked API keys", async () => {
    const { org, admin } = await organization();
    const made = await admin.post("/api-keys", { name: "k", permissions: ["memory:read"] });
    const { id } = made.body.data;
    await admin.put(`/api-keys/${id}`, { permissions: ["memory:write"] });
    const rotated = await admin.post(`/api-keys/${id}/rotate`, {});
    const next = rotated.body.data.new_key.id;
    await admin.delete(`/api-keys/${next}`, { reason: "test" });
    await admin.delete(`/api-keys/${next}`, { reason: "again" });
    const records = await recordsOf(org, 4);
    expect(records.map(({ action, target, details }) => [action, target, details])).toEqual([
      ["api_key.created", id, { permissions: ["memory:read"] }],
      [
        "api_key.updated",
        id,
        { fields: ["permissions"], permissions: ["memory:write"], previous_permissions: ["memory:read"] },
      ],
      ["api_key.rotated", id, { new_key: next }],
      ["api_key.revoked", next, {}],
    ]);
    const [actor] = records.map((record) => record.actor);
    expect(actor).toEqual({ kind: "api_key", id: expect.stringMatching(/^ak_/) });
    for (const record of records) expect(record.actor).toEqual(actor);
  });

  it("records what admins change about users and invitations", async () => {
    const { org, admin } = await organization();
    const hired = { email: newEmail(), name: "Grace", role: "viewer", password: `temporary ${randomUUID()}` };
    const { id } = (await admin.post("/admin/users", hired)).body.data.user;
    await admin.put(`/admin/users/${id}`, { role: "editor" });
    await admin.put(`/admin/users/${id}`, { department: "Engines" });
    await admin.post(`/admin/users/${id}/suspend`, { reason: "test", notify_user: false });
    await admin.post(`/admin/users/${id}/activate`, {});
    await admin.delete(`/admin/users/${id}`, { reason: "test" });
    const offer = { email: newEmail(), name: "Alan", role: "viewer", permissions: [], send_email: false };
    const invites = [await admin.post("/admin/invites", offer), await admin.post("/admin/invites", offer)];
    const [accepted, cancelled] = invites.map(({ body }) => body.data);
    const acceptance = { password: PASSWORD, accept_terms: true };
    const token = new URL(accepted.invitation_url).searchParams.get("token");
    await nobody.done(`/admin/invites/${accepted.id}/accept`, { ...acceptance, token });
    await admin.delete(`/admin/invites/${cancelled.id}`, { reason: "test" });
    const records = await recordsOf(org, 10);
    expect(records.map(({ action, target }) => [action, target])).toEqual([
      ["user.created", id],
      ["user.role_changed", id],
      ["user.updated", id],
      ["user.suspended", id],
      ["user.activated", id],
      ["user.deleted", id],
      ["invite.created", accepted.id],
      ["invite.created", cancelled.id],
      ["invite.accepted", accepted.id],
      ["invite.cancelled", cancelled.id],
    ]);
  });

  it("records changes of webhooks and dead letters, without secrets and URLs", async () => {
    const { org, admin } = await organization();
    const definition = { name: "Archive", url: "https://hooks.example.com/t0ken", events: ["memory.created"] };
    const made = await admin.post("/webhooks", { ...definition, secret: "a-secret-of-the-house" });
    const { id } = made.body.data;
    await admin.put(`/webhooks/${id}`, { secret: "another-secret-of-the-house", status: "paused" });
    await admin.delete(`/webhooks/${id}`);
    await admin.delete("/webhooks/dead-letter", { confirm: true });
    const records = await recordsOf(org, 4);
    expect(records.map(({ action, target, details }) => [action, target, details])).toEqual([
      ["webhook.created", id, { events: ["memory.created"] }],
      ["webhook.updated", id, { fields: ["secret", "status"], status: "paused" }],
      ["webhook.deleted", id, {}],
      ["webhook.dead_letters_purged", undefined, { entries: 0 }],
    ]);
    expect(JSON.stringify(records)).not.toMatch(/secret-of|t0ken/);
  });

  it("records neither requests rejected for lack of permission nor reads", async () => {
    const { org, admin } = await organization();
    const made = await admin.post("/api-keys", { name: "k", permissions: ["memory:read"] });
    const reader = admin.as(made.body.data.key);
    expect((await reader.post("/api-keys", { name: "k", permissions: ["memory:read"] })).status).toBe(403);
    expect((await reader.get("/api-keys")).status).toBe(200);
    expect(actionsIn(await recordsOf(org, 1))).toEqual(["api_key.created success"]);
  });

  it("contains nothing of another organization", async () => {
    const [one, other] = [await organization(), await organization()];
    await one.admin.post("/api-keys", { name: "k", permissions: ["memory:read"] });
    await recordsOf(one.org, 1);
    expect(await recordsOf(other.org, 0)).toEqual([]);
  });
});
