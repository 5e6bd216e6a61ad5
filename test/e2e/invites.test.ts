import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Mail } from "../../shared/ports/mailer.ts";
import { mailboxOf } from "../support/mailbox.ts";
import { refused } from "../support/refused.ts";
import { type Answered, createOrganization, type RequestOptions, type TestedService } from "../support/service.ts";
import { Caller, eventually, openTestedService } from "../support/target.ts";
import { bearer, signInUser } from "../support/users.ts";

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const BASE = "https://memory.example";
const PASSWORD = "chosen by who is invited";

let service: TestedService;
let mails: Mail[];
let admin: Caller;
let org: string;

beforeAll(async () => {
  service = await openTestedService({ PUBLIC_URL: BASE });
  mails = mailboxOf(service);
});

afterAll(() => service.close());

beforeEach(async () => {
  const made = await createOrganization(service);
  admin = new Caller(service, made.key);
  org = made.org;
});

const newEmail = () => `${randomUUID()}@example.com`;
const outcome = ({ status, body }: Answered) => [status, body.error?.code];
const given = (fields: object = {}) => ({
  email: newEmail(),
  name: "Bob",
  role: "user",
  permissions: [],
  send_email: false,
  ...fields,
});

/** Invites a person and returns the invitation with the token of its link. */
async function invite(fields: object = {}, maker: Caller = admin) {
  const { status, body } = await maker.post("/admin/invites", given(fields));
  expect(status, JSON.stringify(body)).toBe(201);
  return { ...body.data, token: tokenIn(body.data.invitation_url) };
}

function tokenIn(text: string): string {
  return /[?&]token=([\w-]+)/.exec(text)?.[1] ?? "";
}

function accept(id: string, token: string | undefined, fields: object = {}, options: RequestOptions = {}) {
  const query = token === undefined ? "" : `?token=${token}`;
  const body = { password: PASSWORD, accept_terms: true, ...fields };
  return service.request("POST", `/admin/invites/${id}/accept${query}`, { key: null, body, ...options });
}

const logIn = (email: string) =>
  service.request("POST", "/auth/login", { key: null, body: { email, password: PASSWORD } });

async function read(id: string) {
  return (await admin.get(`/admin/invites/${id}`)).body.data;
}

describe("inviting a user", () => {
  it("returns the invitation with its link once, and mails a different link", async () => {
    const email = newEmail();
    const fields = {
      email: email.toUpperCase(),
      name: "Bob",
      role: "editor",
      permissions: ["memory:read"],
      metadata: { a: 1 },
    };
    const { status, body } = await admin.post("/admin/invites", fields);
    expect(status, JSON.stringify(body)).toBe(201);
    const { invitation_url, ...rest } = body.data;
    expect(rest).toEqual({
      ...fields,
      id: expect.stringMatching(/^inv_/),
      email,
      status: "pending",
      send_email: true,
      expires_at: expect.stringMatching(ISO),
      created_at: expect.stringMatching(ISO),
      created_by: expect.stringMatching(/^ak_/),
    });
    expect((Date.parse(rest.expires_at) - Date.parse(rest.created_at)) / 86_400_000).toBe(7);
    expect(invitation_url).toMatch(new RegExp(`^${BASE}/admin/invites/${rest.id}/accept\\?token=[\\w-]{43}$`));
    const mail = mails.filter(({ to }) => to === email);
    expect(mail).toHaveLength(1);
    expect(mail[0]?.text).toContain(`${BASE}/admin/invites/${rest.id}/accept?token=`);
    expect(mail[0]?.text).toContain(rest.expires_at.slice(0, 10));
    expect(tokenIn(mail[0]?.text ?? "")).not.toBe(tokenIn(invitation_url));
    expect(await read(rest.id)).toEqual(rest);
  });

  it("uses the role's permissions by default", async () => {
    expect((await invite({ role: "viewer" })).permissions).toEqual([
      "memory:read",
      "search:read",
      "skills:read",
      "agents:read",
    ]);
  });

  it("does not store the token of the link", async () => {
    const { id, token } = await invite();
    const { items } = await service.runtime.ports.records.query({ pk: `${org}#${id}`, limit: 10 });
    expect(items).toHaveLength(1);
    expect(JSON.stringify(items)).not.toContain(token);
    expect(JSON.stringify((await admin.get("/admin/invites")).body)).not.toContain(token);
  });

  it("sends no mail if send_email is false", async () => {
    const { email } = await invite({ send_email: false });
    expect(mails.filter(({ to }) => to === email)).toEqual([]);
  });

  it("limits the mails to one address, and removes links from the name", async () => {
    const [email, name] = [newEmail(), "See http://evil.example/now"];
    const statuses: number[] = [];
    for (let time = 0; time < 4; time++) {
      statuses.push((await admin.post("/admin/invites", given({ email, name, send_email: true }))).status);
    }
    expect(statuses).toEqual([201, 201, 201, 429]);
    expect((await admin.post("/admin/invites", given({ email }))).status).toBe(201);
    const sent = mails.filter(({ to }) => to === email);
    expect(sent).toHaveLength(3);
    for (const { text } of sent) expect(text.match(/\w+:\/\/\S+|\bevil\S*/g)).toEqual([expect.stringContaining(BASE)]);
  });

  it("rejects server-managed fields", async () => {
    const sneaked = {
      org: "org_operator",
      id: "inv_mine",
      status: "accepted",
      token_hash: "x",
      created_by: "user_1",
      user_id: "user_1",
    };
    const answer = await admin.post("/admin/invites", given(sneaked));
    expect(refused(answer)).toEqual([400, Object.keys(sneaked)]);
    const { id } = await invite();
    expect(await service.runtime.ports.records.get({ pk: `${org}#${id}`, sk: "invite" })).toMatchObject({
      org,
      status: "pending",
      created_by: expect.stringMatching(/^ak_/),
    });
  });

  it("is rejected for colleagues, and reveals nothing about users of other organizations", async () => {
    const colleague = await signInUser(service, { org, role: "user" });
    expect(outcome(await admin.post("/admin/invites", given({ email: colleague.user.email })))).toEqual([
      409,
      "EMAIL_EXISTS",
    ]);
    const stranger = await signInUser(service, { org: (await createOrganization(service)).org, role: "user" });
    const { id, token } = await invite({ email: stranger.user.email });
    expect(outcome(await accept(id, token))).toEqual([200, undefined]);
    expect((await read(id)).status).toBe("accepted");
  });

  it.each([
    ["no email", { email: undefined }, "email"],
    ["an invalid email", { email: "x" }, "email"],
    ["no name", { name: "" }, "name"],
    ["no role", { role: undefined }, "role"],
    ["no permissions", { permissions: undefined }, "permissions"],
    ["unknown permissions", { permissions: ["x"] }, "permissions.0"],
    ["zero days", { expires_in_days: 0 }, "expires_in_days"],
    ["too many days", { expires_in_days: 91 }, "expires_in_days"],
    ["metadata that is not an object", { metadata: "x" }, "metadata"],
  ])("is rejected for %s", async (_what, fields, field) => {
    const { status, body } = await admin.post("/admin/invites", given(fields));
    expect([status, body.error?.details.fields[0].field]).toEqual([400, field]);
  });

  it("requires admin:all", async () => {
    const editor = await signInUser(service, { org, role: "editor" });
    const ask = (method: string, path: string, body?: unknown) =>
      service.request(method, path, { key: null, headers: bearer(editor.token), body });
    const { id } = await invite();
    expect(outcome(await ask("POST", "/admin/invites", given({ role: "admin" })))).toEqual([403, "PERMISSION_DENIED"]);
    expect(outcome(await ask("GET", "/admin/invites"))).toEqual([403, "PERMISSION_DENIED"]);
    expect(outcome(await ask("DELETE", `/admin/invites/${id}`, {}))).toEqual([403, "PERMISSION_DENIED"]);
    expect(
      outcome(await ask("POST", `/admin/invites/${id}/accept`, { password: PASSWORD, accept_terms: true })),
    ).toEqual([403, "PERMISSION_DENIED"]);
  });
});

describe("listing invitations", () => {
  it("returns pages, newest first, and filters by status and address", async () => {
    const [first, accepted, cancelled] = [await invite(), await invite(), await invite()];
    await accept(accepted.id, accepted.token);
    await admin.delete(`/admin/invites/${cancelled.id}`, {});
    const listed = async (query: string) => {
      const { status, body } = await admin.get(`/admin/invites?${query}`);
      expect(status, JSON.stringify(body)).toBe(200);
      return body.data.invites.map(({ id }: { id: string }) => id);
    };
    await eventually(async () => {
      expect(await listed("")).toEqual([cancelled.id, accepted.id, first.id]);
      expect(await listed("status=pending")).toEqual([first.id]);
      expect(await listed("status=accepted")).toEqual([accepted.id]);
      expect(await listed("status=cancelled")).toEqual([cancelled.id]);
      expect(await listed("status=expired")).toEqual([]);
      expect(await listed(`email=${encodeURIComponent(first.email.toUpperCase())}`)).toEqual([first.id]);
      expect(await listed("limit=1&offset=1")).toEqual([accepted.id]);
    });
    const { pagination } = (await admin.get("/admin/invites")).body.data;
    expect(pagination).toEqual({ total: 3, limit: 50, offset: 0, has_next: false });
  });

  it.each(["limit=201", "offset=-1", "status=open", "email=x"])("rejects %s", async (query) => {
    expect(outcome(await admin.get(`/admin/invites?${query}`))).toEqual([400, "VALIDATION_ERROR"]);
  });
});

describe("accepting an invitation", () => {
  it("creates the invited user with the offered role and permissions", async () => {
    const { id, token, email } = await invite({
      role: "editor",
      permissions: ["memory:read", "skills:read"],
      metadata: { a: 1 },
    });
    const { status, body } = await accept(id, token);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.data).toEqual({
      id,
      status: "accepted",
      accepted_at: expect.stringMatching(ISO),
      user: {
        id: expect.stringMatching(/^user_/),
        email,
        name: "Bob",
        role: "editor",
        permissions: ["memory:read", "skills:read"],
        email_verified: false,
      },
    });
    const { user } = body.data;
    expect(await read(id)).toMatchObject({ status: "accepted", accepted_at: body.data.accepted_at, user_id: user.id });
    const seen = (await admin.get(`/admin/users/${user.id}`)).body.data;
    expect(seen).toMatchObject({
      role: "editor",
      permissions: ["memory:read", "skills:read"],
      metadata: { a: 1 },
      status: "active",
    });
    const signedIn = (await logIn(email)).body.data;
    expect(signedIn.user).toMatchObject({ id: user.id, permissions: ["memory:read", "skills:read"] });
    const headers = bearer(signedIn.access_token);
    expect((await service.request("GET", "/memories", { key: null, headers })).status).toBe(200);
    expect((await service.request("GET", "/admin/users", { key: null, headers })).status).toBe(403);
  });

  it("reads the token from the body too; the mailed token verifies the address", async () => {
    const { id, email } = await invite({ send_email: true });
    const mailed = tokenIn(mails.find(({ to }) => to === email)?.text ?? "");
    const { status, body } = await accept(id, undefined, { token: mailed });
    expect([status, body.data?.user.email_verified]).toEqual([200, true]);
  });

  it("succeeds once if several requests do it concurrently", async () => {
    const { id, token, email } = await invite();
    const all = await Promise.all([1, 2, 3, 4].map(() => accept(id, token)));
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    const [status, code] = outcome(await accept(id, token));
    expect([status, code]).toEqual([409, "INVITE_CLOSED"]);
    await eventually(async () => {
      const { users } = (await admin.get("/admin/users")).body.data;
      expect(users.map((user: { email: string }) => user.email)).toEqual([email]);
    });
  });

  it("is rejected once the invitation is cancelled, also concurrently", async () => {
    const { id, token } = await invite();
    const { body } = await admin.delete(`/admin/invites/${id}`, { reason: "a mistake" });
    expect(body.data).toMatchObject({
      status: "cancelled",
      cancelled_reason: "a mistake",
      cancelled_at: expect.stringMatching(ISO),
    });
    expect((await admin.delete(`/admin/invites/${id}`, { reason: "again" })).body.data).toEqual(body.data);
    const late = await accept(id, token);
    expect([...outcome(late), late.body.error?.details]).toEqual([
      409,
      "INVITE_CLOSED",
      { invite_id: id, status: "cancelled" },
    ]);
    const other = await invite();
    const [accepted, cancelled] = await Promise.all([
      accept(other.id, other.token),
      admin.delete(`/admin/invites/${other.id}`, {}),
    ]);
    expect([accepted.status, cancelled.status].toSorted()).toEqual([200, 409]);
  });

  it("cannot be undone by cancelling the invitation", async () => {
    const { id, token } = await invite();
    await accept(id, token);
    expect(outcome(await admin.delete(`/admin/invites/${id}`, {}))).toEqual([409, "INVITE_CLOSED"]);
  });

  it.each([
    ["terms that are not accepted", { accept_terms: false }, "accept_terms"],
    ["missing terms", { accept_terms: undefined }, "accept_terms"],
    ["terms as a string", { accept_terms: "true" }, "accept_terms"],
    ["a short password", { password: "short" }, "password"],
    ["a common password", { password: "password1234" }, "password"],
    ["no password", { password: undefined }, "password"],
  ])("is rejected for %s, and leaves the invitation pending", async (_what, fields, field) => {
    const { id, token } = await invite();
    const { status, body } = await accept(id, token, fields);
    expect([status, body.error?.details.fields[0].field]).toEqual([400, field]);
    expect((await read(id)).status).toBe("pending");
  });

  it("rejects fields that would grant privileges", async () => {
    const { id, token } = await invite({ role: "viewer" });
    const sneaked = {
      role: "admin",
      permissions: ["admin:all"],
      org: "org_operator",
      email: newEmail(),
      email_verified: true,
    };
    expect(refused(await accept(id, token, sneaked))).toEqual([400, Object.keys(sneaked)]);
    const { user } = (await accept(id, token)).body.data;
    const seen = (await admin.get(`/admin/users/${user.id}`)).body.data;
    expect(seen).toMatchObject({ role: "viewer", email_verified: false });
    expect(seen.permissions).not.toContain("admin:all");
  });

  it("requires this invitation's token: any other returns INVITE_NOT_FOUND", async () => {
    const [one, other] = [await invite(), await invite()];
    for (const [id, token] of [
      [one.id, other.token],
      [one.id, "x"],
      ["inv_none", one.token],
    ] as const) {
      const answer = await accept(id, token);
      expect([...outcome(answer), answer.body.error?.details]).toEqual([404, "INVITE_NOT_FOUND", { invite_id: id }]);
    }
    expect(outcome(await accept(one.id, undefined))).toEqual([401, "UNAUTHORIZED"]);
    expect(outcome(await accept(one.id, undefined, {}, { key: "ak_live_unknown" }))).toEqual([401, "UNAUTHORIZED"]);
    expect((await read(one.id)).status).toBe("pending");
  });

  it("can be done by an admin of the organization, but not of another", async () => {
    const { id } = await invite();
    const stranger = (await createOrganization(service)).key;
    expect(outcome(await accept(id, undefined, {}, { key: stranger }))).toEqual([404, "INVITE_NOT_FOUND"]);
    const headers = { "x-permission": "memory:read" };
    expect(outcome(await accept(id, undefined, {}, { key: admin.key, headers }))).toEqual([403, "PERMISSION_DENIED"]);
    const agent_id = (await admin.post("/agents", { name: "Guide", model: "m" })).body.data.id;
    const ofAgent = { name: "of an agent", permissions: ["admin:all"], agent_id };
    const { key } = (await admin.post("/api-keys", ofAgent)).body.data;
    expect(outcome(await accept(id, undefined, {}, { key }))).toEqual([403, "PERMISSION_DENIED"]);
    expect((await accept(id, undefined, {}, { key: admin.key })).status).toBe(200);
  });

  it("is rejected while the inviter lacks the offered permissions", async () => {
    const inviter = await signInUser(service, { org, role: "admin" });
    await signInUser(service, { org, role: "admin" });
    const made = await service.request("POST", "/admin/invites", {
      key: null,
      headers: bearer(inviter.token),
      body: given({ role: "admin" }),
    });
    const { id, invitation_url } = made.body.data;
    await admin.put(`/admin/users/${inviter.user.id}`, { role: "editor" });
    expect(outcome(await accept(id, tokenIn(invitation_url)))).toEqual([403, "FORBIDDEN"]);
    await admin.put(`/admin/users/${inviter.user.id}`, { role: "admin" });
    expect((await accept(id, tokenIn(invitation_url))).status).toBe(200);
  });

  it.each([
    ["suspended", (id: string) => admin.post(`/admin/users/${id}/suspend`, { reason: "x", notify_user: false })],
    ["deleted", (id: string) => admin.delete(`/admin/users/${id}`, { reason: "x" })],
  ])("is rejected once the inviter is %s", async (_what, act) => {
    const inviter = await signInUser(service, { org, role: "admin" });
    await signInUser(service, { org, role: "admin" });
    const made = await service.request("POST", "/admin/invites", {
      key: null,
      headers: bearer(inviter.token),
      body: given({ role: "viewer" }),
    });
    expect((await act(inviter.user.id)).status).toBe(200);
    const { id, invitation_url } = made.body.data;
    expect(outcome(await accept(id, tokenIn(invitation_url)))).toEqual([403, "FORBIDDEN"]);
  });

  it("is rejected while the user of the inviting API key lacks the offered permissions", async () => {
    const inviter = await signInUser(service, { org, role: "admin" });
    const made = await service.request("POST", "/api-keys", {
      key: null,
      headers: bearer(inviter.token),
      body: { name: "inviter", permissions: ["admin:all"] },
    });
    const { id, token } = await invite({ role: "admin" }, admin.as(made.body.data.key));
    await signInUser(service, { org, role: "admin" });
    await admin.put(`/admin/users/${inviter.user.id}`, { role: "editor" });
    expect(outcome(await accept(id, token))).toEqual([403, "FORBIDDEN"]);
    await admin.put(`/admin/users/${inviter.user.id}`, { role: "admin" });
    expect((await accept(id, token)).status).toBe(200);
  });

  it("is rejected once the inviting API key is revoked", async () => {
    const { body } = await admin.post("/api-keys", { name: "inviter", permissions: ["admin:all"] });
    const { id, token } = await invite({}, admin.as(body.data.key));
    await admin.delete(`/api-keys/${body.data.id}`, {});
    expect(outcome(await accept(id, token))).toEqual([403, "FORBIDDEN"]);
  });
});

describe("another organization", () => {
  it("cannot see an invitation", async () => {
    const { id } = await invite();
    const stranger = new Caller(service, (await createOrganization(service)).key);
    expect(outcome(await stranger.get(`/admin/invites/${id}`))).toEqual([404, "INVITE_NOT_FOUND"]);
    expect(outcome(await stranger.delete(`/admin/invites/${id}`, {}))).toEqual([404, "INVITE_NOT_FOUND"]);
    expect((await stranger.get("/admin/invites")).body.data.invites).toEqual([]);
  });
});

it("records who invited, accepted and cancelled, without the token", async () => {
  const [one, other] = [await invite(), await invite()];
  await accept(one.id, one.token);
  await admin.delete(`/admin/invites/${other.id}`, {});
  await eventually(async () => {
    const { items } = await service.runtime.ports.records.query({ index: "gsi1", pk: `${org}#audit`, limit: 100 });
    const actions = items.map(({ action, target, actor }) => [action, target, (actor as { kind: string }).kind]);
    expect(actions.toSorted()).toEqual(
      [
        ["invite.created", one.id, "api_key"],
        ["invite.created", other.id, "api_key"],
        ["invite.accepted", one.id, "user"],
        ["invite.cancelled", other.id, "api_key"],
      ].toSorted(),
    );
    expect(JSON.stringify(items)).not.toContain(one.token);
  });
});
