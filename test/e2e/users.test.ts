import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Mail } from "../../shared/ports/mailer.ts";
import { mailboxOf } from "../support/mailbox.ts";
import { refused } from "../support/refused.ts";
import { type Answered, createOrganization, type TestedService } from "../support/service.ts";
import { Caller, eventually, onceAllKnow, openTestedService } from "../support/target.ts";
import { bearer, signInUser } from "../support/users.ts";

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const PASSWORD = "temporary but long enough";

let service: TestedService;
let mails: Mail[];
let admin: Caller;
let org: string;

beforeAll(async () => {
  service = await openTestedService({ PUBLIC_URL: "https://memory.example" });
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

/** Creates a user and returns the admin's view of them. */
async function make(fields: object = {}, maker: Caller = admin) {
  const given = { email: newEmail(), name: "Ada", password: PASSWORD, role: "user", ...fields };
  const { status, body } = await maker.post("/admin/users", given);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.user;
}

async function read(id: string) {
  const { status, body } = await admin.get(`/admin/users/${id}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

/** Creates a signed-in user without a temporary password. */
async function member(role: "admin" | "editor" | "user" = "user", given: object = {}) {
  const { user, token } = await signInUser(service, { org, role, ...given });
  const ask = (method: string, path: string, body?: unknown) =>
    service.request(method, path, { key: null, headers: bearer(token), body });
  return { id: user.id, email: user.email, token, ask };
}

async function listed(query = ""): Promise<string[]> {
  const { status, body } = await admin.get(`/admin/users?limit=200${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.users.map(({ id }: { id: string }) => id);
}

const logIn = (email: string, password: string) =>
  service.request("POST", "/auth/login", { key: null, body: { email, password } });

describe("creating a user", () => {
  it("returns the user as admins see it, and the temporary password once", async () => {
    const email = newEmail();
    const fields = {
      email: ` ${email.toUpperCase()} `,
      name: "Ada",
      role: "editor",
      organization: "Engines",
      department: "Analysis",
      metadata: { team: "a" },
    };
    const { status, body } = await admin.post("/admin/users", { ...fields, password: PASSWORD });
    expect(status, JSON.stringify(body)).toBe(201);
    const { user, credentials } = body.data;
    expect(credentials).toEqual({ temp_password: PASSWORD, expires_at: expect.stringMatching(ISO) });
    const days = (Date.parse(credentials.expires_at) - Date.parse(user.created_at)) / 86_400_000;
    expect(days).toBeCloseTo(7, 1);
    expect(user).toEqual({
      ...fields,
      id: expect.stringMatching(/^user_/),
      email,
      status: "active",
      timezone: "UTC",
      permissions: expect.arrayContaining(["memory:read", "memory:write", "agents:manage"]),
      email_verified: false,
      two_factor_enabled: false,
      security: {
        login_attempts: 0,
        account_locked: false,
        last_login: null,
        login_count: 0,
        password_changed_at: null,
      },
      usage_stats: { api_calls: 0, memories_created: 0, sessions_started: 0, searches_performed: 0 },
      created_at: expect.stringMatching(ISO),
      created_by: expect.stringMatching(/^ak_/),
      updated_at: user.created_at,
      last_login: null,
      login_count: 0,
    });
    expect(user.permissions).not.toContain("admin:all");
    const again = await admin.get(`/admin/users/${user.id}`);
    expect(again.body.data).toEqual(user);
    for (const text of [JSON.stringify(again.body), JSON.stringify((await admin.get("/admin/users")).body)]) {
      expect(text).not.toContain(PASSWORD);
      expect(text).not.toMatch(/argon2|"(password_hash|two_factor|identities|credential_epoch|org)"/);
    }
  });

  it("allows a sign-in with the temporary password, only to change it", async () => {
    const email = newEmail();
    await make({ email, role: "admin" });
    const { status, body } = await logIn(email, PASSWORD);
    expect([status, body.data.password_change_required, body.data.user.permissions]).toEqual([200, true, []]);
    const headers = bearer(body.data.access_token);
    const ask = (path: string) => service.request("GET", path, { key: null, headers });
    for (const path of ["/memories", "/admin/users", "/search?q=tea", "/skills"]) {
      const refused = await ask(path);
      expect([refused.status, refused.body.error.code]).toEqual([403, "PASSWORD_CHANGE_REQUIRED"]);
      expect(refused.body.error.details).toEqual({ route: "POST /auth/change-password" });
    }
    const change = {
      current_password: PASSWORD,
      new_password: "my own long password",
      confirm_password: "my own long password",
    };
    const changed = await service.request("POST", "/auth/change-password", { key: null, headers, body: change });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    const again = await logIn(email, "my own long password");
    expect(again.body.data.user.permissions).toEqual(["admin:all"]);
  });

  it("gives the named permissions instead of the role's", async () => {
    const user = await make({ role: "viewer", permissions: ["memory:read", "memory:read", "search:read"] });
    expect([user.role, user.permissions]).toEqual(["viewer", ["memory:read", "search:read"]]);
  });

  it("refuses fields that a client cannot set: organization, status, verification, plan", async () => {
    const sneaked = {
      org: "org_operator",
      org_id: "org_operator",
      operator: true,
      plan: "enterprise",
      status: "inactive",
      email_verified: true,
      id: "user_mine",
      must_change_password: false,
      credential_epoch: 99,
      created_by: "user_other",
      identities: [{ provider: "google", subject: "1" }],
    };
    const valid = { email: newEmail(), name: "A", password: PASSWORD, role: "viewer" };
    const answer = await admin.post("/admin/users", { ...valid, ...sneaked });
    expect(refused(answer)).toEqual([400, Object.keys(sneaked)]);
    const user = await make();
    expect(user).toMatchObject({ status: "active", email_verified: false, created_by: expect.stringMatching(/^ak_/) });
    expect((await service.runtime.ports.records.get({ pk: `org_operator#${user.id}`, sk: "user" })) === undefined).toBe(
      true,
    );
    const stored = await service.runtime.ports.records.get({ pk: `${org}#${user.id}`, sk: "user" });
    expect(stored).toMatchObject({ org, must_change_password: true, credential_epoch: 1, identities: [] });
  });

  it.each([
    ["no e-mail", { email: undefined }, "email"],
    ["what is no e-mail", { email: "ada" }, "email"],
    ["two lines of e-mail", { email: "ada@example.com\nbcc: x@example.com" }, "email"],
    ["an e-mail without an end", { email: `${"a".repeat(250)}@example.com` }, "email"],
    ["an empty name", { name: " " }, "name"],
    ["an unknown role", { role: "root" }, "role"],
    ["no role", { role: undefined }, "role"],
    ["a short password", { password: "short" }, "password"],
    ["a common password", { password: "password1234" }, "password"],
    ["an unknown permission", { permissions: ["all"] }, "permissions.0"],
    ["metadata that are none", { metadata: [] }, "metadata"],
  ])("is refused for %s", async (_what, fields, field) => {
    const given = { email: newEmail(), name: "Ada", password: PASSWORD, role: "user", ...fields };
    const { status, body } = await admin.post("/admin/users", given);
    expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(body.error?.details.fields.map((each: { field: string }) => each.field)).toContain(field);
  });

  it("is refused for a colleague's address, also concurrently, but not for another organization's", async () => {
    const email = newEmail();
    const given = { email, name: "Ada", password: PASSWORD, role: "user" };
    const all = await Promise.all([1, 2, 3].map(() => admin.post("/admin/users", given)));
    expect(all.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    const stranger = new Caller(service, (await createOrganization(service)).key);
    expect(outcome(await stranger.post("/admin/users", { ...given, email: email.toUpperCase() }))).toEqual([
      201,
      undefined,
    ]);
  });
});

describe("managing users", () => {
  it("requires admin:all, whatever the role", async () => {
    const editor = await member("editor");
    const raised = await member("editor", { permissions: ["admin:all"] });
    const body = { email: newEmail(), name: "Ada", password: PASSWORD, role: "admin" };
    expect(outcome(await editor.ask("POST", "/admin/users", body))).toEqual([403, "PERMISSION_DENIED"]);
    expect((await raised.ask("POST", "/admin/users", body)).status).toBe(201);
    expect(outcome(await editor.ask("PUT", `/admin/users/${editor.id}`, { role: "admin" }))).toEqual([
      403,
      "PERMISSION_DENIED",
    ]);
  });

  it("is refused for a request narrowed by X-Permission, and for a key with fewer permissions", async () => {
    const user = await make();
    const headers = { "x-permission": "agents:manage" };
    expect(outcome(await admin.put(`/admin/users/${user.id}`, { role: "admin" }, { headers }))).toEqual([
      403,
      "PERMISSION_DENIED",
    ]);
    const { body } = await admin.post("/api-keys", { name: "less", permissions: ["agents:manage", "memory:write"] });
    const less = admin.as(body.data.key);
    expect(outcome(await less.put(`/admin/users/${user.id}`, { permissions: ["admin:all"] }))).toEqual([
      403,
      "PERMISSION_DENIED",
    ]);
  });

  it("is refused for another organization", async () => {
    const user = await make();
    const stranger = new Caller(service, (await createOrganization(service)).key);
    for (const answer of [
      await stranger.get(`/admin/users/${user.id}`),
      await stranger.put(`/admin/users/${user.id}`, { role: "admin" }),
      await stranger.delete(`/admin/users/${user.id}`, { reason: "x" }),
      await stranger.post(`/admin/users/${user.id}/suspend`, { reason: "x" }),
      await stranger.post(`/admin/users/${user.id}/activate`, {}),
    ]) {
      expect(outcome(answer)).toEqual([404, "USER_NOT_FOUND"]);
      expect(answer.body.error?.details).toEqual({ user_id: user.id });
    }
    expect((await stranger.get("/admin/users")).body.data.users).toEqual([]);
    expect((await read(user.id)).status).toBe("active");
  });
});

describe("listing users", () => {
  it("returns pages, newest first", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 4; index++) ids.unshift((await make({ name: `user ${index}` })).id);
    await eventually(async () => expect(await listed()).toEqual(ids));
    const { data } = (await admin.get("/admin/users?limit=2&offset=1")).body;
    expect(data.users.map(({ id }: { id: string }) => id)).toEqual([ids[1], ids[2]]);
    expect(data.pagination).toEqual({ total: 4, limit: 2, offset: 1, has_next: true });
    expect((await admin.get("/admin/users")).body.data.pagination.limit).toBe(50);
  });

  it("filters by status, role and time", async () => {
    const [first, editor] = [await make(), await make({ role: "editor" })];
    const [suspended, deleted] = [await make(), await make()];
    await admin.post(`/admin/users/${suspended.id}/suspend`, { reason: "x", notify_user: false });
    await admin.delete(`/admin/users/${deleted.id}`, { reason: "x" });
    await eventually(async () => {
      expect(await listed()).toEqual([suspended.id, editor.id, first.id]);
      expect(await listed("&status=active")).toEqual([editor.id, first.id]);
      expect(await listed("&status=suspended")).toEqual([suspended.id]);
      expect(await listed("&status=deleted")).toEqual([deleted.id]);
      expect(await listed("&status=inactive")).toEqual([]);
      expect(await listed("&role=editor")).toEqual([editor.id]);
      expect(await listed(`&created_after=${editor.created_at}`)).toEqual([suspended.id, editor.id]);
      expect(await listed(`&created_before=${first.created_at}`)).toEqual([first.id]);
    });
  });

  it.each(["limit=0", "limit=201", "offset=-1", "status=asleep", "role=root", "created_after=yesterday"])(
    "refuses %s",
    async (query) => {
      const { status, body } = await admin.get(`/admin/users?${query}`);
      expect([status, body.error?.details.fields[0].field]).toEqual([400, query.split("=")[0]]);
    },
  );
});

describe("changing a user", () => {
  it("changes the named fields only", async () => {
    const user = await make({ department: "A", metadata: { a: 1 } });
    const change = { name: "Countess", department: "B", metadata: { b: 2 }, organization: "Engines" };
    const { status, body } = await admin.put(`/admin/users/${user.id}`, change);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.data).toEqual({ ...user, ...change, updated_at: expect.stringMatching(ISO) });
    expect((await admin.put(`/admin/users/${user.id}`, {})).body.data).toEqual(body.data);
  });

  it("applies to issued tokens immediately", async () => {
    const user = await member("user");
    expect((await user.ask("GET", "/memories")).status).toBe(200);
    expect((await user.ask("GET", "/admin/users")).status).toBe(403);
    expect((await admin.put(`/admin/users/${user.id}`, { role: "admin" })).body.data.permissions).toEqual([
      "admin:all",
    ]);
    await onceAllKnow(async () => expect((await user.ask("GET", "/admin/users")).status).toBe(200));
    await admin.post("/admin/users", { email: newEmail(), name: "B", password: PASSWORD, role: "admin" });
    const change = { role: "viewer", permissions: ["search:read"] };
    expect((await admin.put(`/admin/users/${user.id}`, change)).body.data).toMatchObject(change);
    await onceAllKnow(async () => expect((await user.ask("GET", "/memories")).status).toBe(403));
  });

  it("refuses fields that a client cannot change", async () => {
    const user = await make();
    const sneaked = {
      org: "org_operator",
      status: "deleted",
      email_verified: true,
      email: newEmail(),
      password_hash: "x",
      plan: "pro",
    };
    for (const [name, value] of Object.entries(sneaked)) {
      const answer = await admin.put(`/admin/users/${user.id}`, { [name]: value, name: "B" });
      expect(refused(answer)).toEqual([400, [name]]);
    }
    expect(await read(user.id)).toMatchObject({ name: user.name, email: user.email, status: "active" });
  });

  it("keeps the concurrent changes of two admins", async () => {
    const user = await make();
    const both = await Promise.all([
      admin.put(`/admin/users/${user.id}`, { name: "B" }),
      admin.put(`/admin/users/${user.id}`, { department: "D" }),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await read(user.id)).toMatchObject({ name: "B", department: "D" });
  });

  it.each([{ role: "root" }, { name: "" }, { permissions: ["x"] }, { metadata: 1 }, { department: 1 }])(
    "refuses %j",
    async (change) => {
      const user = await make();
      expect(outcome(await admin.put(`/admin/users/${user.id}`, change))).toEqual([400, "VALIDATION_ERROR"]);
    },
  );
});

describe("the last admin", () => {
  it.each([
    ["demoted", (id: string) => admin.put(`/admin/users/${id}`, { role: "editor" })],
    ["stripped of permissions", (id: string) => admin.put(`/admin/users/${id}`, { permissions: ["memory:read"] })],
    ["suspended", (id: string) => admin.post(`/admin/users/${id}/suspend`, { reason: "x", notify_user: false })],
    ["deleted", (id: string) => admin.delete(`/admin/users/${id}`, { reason: "x" })],
  ])("cannot be %s", async (_what, act) => {
    const { id } = await make({ role: "admin" });
    expect(outcome(await act(id))).toEqual([403, "FORBIDDEN"]);
    expect(await read(id)).toMatchObject({ role: "admin", status: "active" });
    await make({ role: "admin" });
    expect((await act(id)).status).toBe(200);
  });

  it("remains when all admins delete, suspend and demote each other concurrently", async () => {
    const admins = await Promise.all([1, 2, 3, 4].map(() => member("admin")));
    const acts = admins.flatMap((one, position) => {
      const other = admins[(position + 1) % admins.length]!.id;
      return [
        one.ask("DELETE", `/admin/users/${other}`, { reason: "x" }),
        one.ask("PUT", `/admin/users/${other}`, { role: "viewer" }),
        one.ask("POST", `/admin/users/${other}/suspend`, { reason: "x", notify_user: false }),
      ];
    });
    for (const { status } of await Promise.all(acts)) expect([200, 401, 403, 409]).toContain(status);
    const left = await Promise.all(admins.map(({ id }) => read(id)));
    const active = left.filter(({ role, status }) => role === "admin" && status === "active");
    expect(active.length).toBeGreaterThanOrEqual(1);
  });
});

describe("the own account", () => {
  it("cannot be deleted or suspended, with a token or a key", async () => {
    const me = await member("admin");
    await member("admin");
    const { body } = await me.ask("POST", "/api-keys", { name: "mine", permissions: ["admin:all"] });
    for (const ask of [
      me.ask,
      (method: string, path: string, given: unknown) =>
        service.request(method, path, { key: body.data.key, body: given }),
    ]) {
      expect(outcome(await ask("DELETE", `/admin/users/${me.id}`, { reason: "x" }))).toEqual([403, "FORBIDDEN"]);
      expect(outcome(await ask("POST", `/admin/users/${me.id}/suspend`, { reason: "x" }))).toEqual([403, "FORBIDDEN"]);
    }
    expect((await read(me.id)).status).toBe("active");
  });
});

describe("suspending a user", () => {
  it("stops sessions, refresh tokens and keys immediately, and returns the reason to them", async () => {
    const user = await member("editor");
    const { body: made } = await user.ask("POST", "/api-keys", { name: "mine", permissions: ["memory:read"] });
    const key = admin.as(made.data.key);
    expect((await key.get("/memories")).status).toBe(200);
    const { status, body } = await admin.post(`/admin/users/${user.id}/suspend`, {
      reason: "On leave",
      duration_hours: 48,
    });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.data).toMatchObject({ status: "suspended", suspension_reason: "On leave" });
    const hours = (Date.parse(body.data.suspended_until) - Date.parse(body.data.updated_at)) / 3_600_000;
    expect(hours).toBeCloseTo(48, 1);
    await onceAllKnow(async () => {
      expect((await user.ask("GET", "/memories")).status).toBe(401);
      expect((await key.get("/memories")).status).toBe(401);
    });
    const mail = mails.filter(({ to }) => to === user.email);
    expect(mail).toHaveLength(1);
    expect(mail[0]?.text).toContain("On leave");
    expect(mail[0]?.text).toContain(body.data.suspended_until.slice(0, 10));
    const active = await admin.post(`/admin/users/${user.id}/activate`, { reason: "back" });
    expect(active.body.data.status).toBe("active");
    expect(active.body.data.suspended_until).toBeUndefined();
    await onceAllKnow(async () => expect((await key.get("/memories")).status).toBe(200));
    expect((await user.ask("GET", "/memories")).status).toBe(401);
  });

  it("refuses the user's sign-in until the user is active again", async () => {
    const email = newEmail();
    const { id } = await make({ email });
    await admin.post(`/admin/users/${id}/suspend`, { reason: "x", notify_user: false });
    expect(mails.filter(({ to, subject }) => to === email && /suspended/.test(subject))).toEqual([]);
    expect((await logIn(email, PASSWORD)).status).toBe(403);
    expect((await read(id)).suspended_until).toBeUndefined();
    await admin.post(`/admin/users/${id}/activate`, {});
    expect((await logIn(email, PASSWORD)).status).toBe(200);
  });

  it("can be repeated with another end, and activating an active user changes nothing", async () => {
    const user = await make();
    const until = async (duration_hours: number) =>
      (await admin.post(`/admin/users/${user.id}/suspend`, { reason: "x", duration_hours, notify_user: false })).body
        .data.suspended_until;
    expect((await until(1)) < (await until(24))).toBe(true);
    const first = (await admin.post(`/admin/users/${user.id}/activate`, {})).body.data;
    expect((await admin.post(`/admin/users/${user.id}/activate`, {})).body.data).toEqual(first);
  });

  it.each([
    {},
    { reason: "" },
    { reason: "x", duration_hours: 0 },
    { reason: "x", duration_hours: 1.5 },
    { reason: "x", duration_hours: 1e9 },
  ])("refuses %j", async (given) => {
    const { id } = await make();
    expect(outcome(await admin.post(`/admin/users/${id}/suspend`, given))).toEqual([400, "VALIDATION_ERROR"]);
  });
});

describe("deleting a user", () => {
  it("is permanent, and records who did it and why", async () => {
    const user = await member("editor");
    const { body: made } = await user.ask("POST", "/api-keys", { name: "mine", permissions: ["memory:read"] });
    const { status, body } = await admin.delete(`/admin/users/${user.id}`, { reason: "left" });
    const gone = {
      id: user.id,
      status: "deleted",
      deleted_at: expect.stringMatching(ISO),
      deleted_by: expect.stringMatching(/^ak_/),
      reason: "left",
      data_transferred: false,
      transferred_to: null,
    };
    expect([status, body.data]).toEqual([200, gone]);
    await onceAllKnow(async () => {
      expect((await user.ask("GET", "/memories")).status).toBe(401);
      expect((await admin.as(made.data.key).get("/memories")).status).toBe(401);
    });
    expect((await admin.get(`/api-keys/${made.data.id}`)).body.data.status).toBe("revoked");
    expect(await read(user.id)).toMatchObject({
      status: "deleted",
      deletion_reason: "left",
      deleted_at: body.data.deleted_at,
    });
    expect((await admin.delete(`/admin/users/${user.id}`, { reason: "again" })).body.data).toEqual(body.data);
    for (const answer of [
      await admin.put(`/admin/users/${user.id}`, { name: "B" }),
      await admin.post(`/admin/users/${user.id}/suspend`, { reason: "x" }),
      await admin.post(`/admin/users/${user.id}/activate`, {}),
    ]) {
      expect(outcome(answer)).toEqual([409, "CONFLICT"]);
    }
  });

  it("frees the address for a new user", async () => {
    const email = newEmail();
    const old = await make({ email });
    await admin.delete(`/admin/users/${old.id}`, { reason: "x" });
    expect((await logIn(email, PASSWORD)).status).toBe(401);
    const next = await make({ email });
    expect(next.id).not.toBe(old.id);
    expect((await logIn(email, PASSWORD)).status).toBe(200);
  });

  it("transfers keys and memories to the named user", async () => {
    const [user, successor] = [await member("editor"), await member("user")];
    const { body: key } = await user.ask("POST", "/api-keys", {
      name: "k",
      permissions: ["memory:read", "skills:manage"],
    });
    const about = await user.ask("POST", "/memories", { content: "Ada prefers tea.", user_id: user.id });
    const made = await user.ask("POST", "/memories", { content: "Bob prefers coffee.", user_id: "bob" });
    const other = await admin.post("/memories", { content: "Nobody prefers water.", user_id: "bob" });
    const { status, body } = await admin.delete(`/admin/users/${user.id}`, {
      reason: "left",
      transfer_data: true,
      transfer_to: successor.id,
    });
    expect([status, body.data]).toMatchObject([200, { data_transferred: true, transferred_to: successor.id }]);
    await eventually(async () => {
      const { data } = (await admin.get(`/memories?user_id=${successor.id}`)).body;
      expect(data.memories.map(({ id }: { id: string }) => id)).toEqual([about.body.data.id]);
      expect((await admin.get(`/memories?user_id=${user.id}`)).body.data.memories).toEqual([]);
      const found = await admin.get(`/search?q=tea&user_id=${successor.id}`);
      expect(found.body.data.results).toHaveLength(1);
      const facts = (await admin.get(`/facts?user_id=${successor.id}`)).body.data;
      expect(facts.facts).toMatchObject([{ subject: "Ada", memory_id: about.body.data.id, user_id: successor.id }]);
      expect((await admin.get(`/facts?user_id=${user.id}`)).body.data.facts).toEqual([]);
    });
    const stored = async (id: string) => service.runtime.ports.records.get({ pk: `${org}#${id}`, sk: "memory" });
    expect(await stored(about.body.data.id)).toMatchObject({
      user_id: successor.id,
      created_by: successor.id,
      version: 1,
    });
    expect(await stored(made.body.data.id)).toMatchObject({ user_id: "bob", created_by: successor.id });
    expect((await stored(other.body.data.id))?.created_by).toMatch(/^ak_/);
    expect((await admin.as(key.data.key).get("/memories")).status).toBe(200);
    const keys = await successor.ask("GET", "/api-keys");
    expect(keys.body.data.api_keys.map(({ id }: { id: string }) => id)).toEqual([key.data.id]);
    await admin.post(`/admin/users/${successor.id}/suspend`, { reason: "x", notify_user: false });
    await onceAllKnow(async () => expect((await admin.as(key.data.key).get("/memories")).status).toBe(401));
  });

  it("transfers the user's sessions", async () => {
    const [user, successor] = [await member("editor"), await member("user")];
    const { body } = await user.ask("POST", "/sessions", { agent_id: "a", user_id: user.id });
    await user.ask("POST", `/sessions/${body.data.id}/messages`, { role: "user", content: "hello" });
    await admin.delete(`/admin/users/${user.id}`, { reason: "left", transfer_to: successor.id });
    await eventually(async () => {
      for (const sort of ["updated_at desc", "created_at desc"]) {
        const { data } = (await admin.get(`/sessions?user_id=${successor.id}&sort=${encodeURIComponent(sort)}`)).body;
        expect(data.sessions).toMatchObject([{ id: body.data.id, user_id: successor.id, message_count: 1 }]);
        const left = await admin.get(`/sessions?user_id=${user.id}&sort=${encodeURIComponent(sort)}`);
        expect(left.body.data.sessions).toEqual([]);
      }
    });
  });

  it("transfers what the user defined", async () => {
    const [user, successor] = [await member("editor"), await member("user")];
    const made = await Promise.all([
      user.ask("POST", "/agents", { name: "sample", model: "m" }),
      user.ask("POST", "/groups", { name: "sample" }),
      user.ask("POST", "/skills", { name: "sample", trigger: "when", action: "then", domain: "d" }),
    ]);
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    await admin.delete(`/admin/users/${user.id}`, { reason: "left", transfer_to: successor.id });
    for (const [position, sk] of ["agent", "group", "skill"].entries()) {
      const { id } = made[position]!.body.data;
      const record = await service.runtime.ports.records.get({ pk: `${org}#${id}`, sk });
      expect([sk, record?.created_by]).toEqual([sk, successor.id]);
    }
  });

  it("refuses an invalid successor", async () => {
    const [user, suspended] = [await make(), await make()];
    const stranger = await signInUser(service, { org: (await createOrganization(service)).org, role: "user" });
    await admin.post(`/admin/users/${suspended.id}/suspend`, { reason: "x", notify_user: false });
    for (const given of [
      { transfer_data: true },
      { transfer_data: true, transfer_to: user.id },
      { transfer_to: "user_none" },
      { transfer_to: suspended.id },
      { transfer_to: stranger.user.id },
    ]) {
      const { status, body } = await admin.delete(`/admin/users/${user.id}`, { reason: "x", ...given });
      expect([given, status, body.error?.details.fields[0].field]).toEqual([given, 400, "transfer_to"]);
    }
    expect(outcome(await admin.delete(`/admin/users/${user.id}`, {}))).toEqual([400, "VALIDATION_ERROR"]);
    expect((await read(user.id)).status).toBe("active");
  });
});

describe("a user's activity", () => {
  it("counts requests with tokens and keys", async () => {
    const user = await member("editor");
    const { body } = await user.ask("POST", "/api-keys", { name: "mine", permissions: ["memory:write"] });
    await user.ask("POST", "/memories", { content: "Ada prefers tea." });
    await admin.as(body.data.key).post("/memories", { content: "Ada lives in Zurich." });
    await user.ask("GET", "/search?q=tea");
    await user.ask("POST", "/sessions", { agent_id: "a", user_id: "u" });
    await user.ask("GET", "/memories/mem_none");
    await onceAllKnow(async () => {
      for (const path of ["/api-keys", "/memories", "/search/stats", "/sessions"]) await admin.get(path);
      expect((await read(user.id)).usage_stats).toEqual({
        api_calls: 6,
        memories_created: 2,
        sessions_started: 1,
        searches_performed: 1,
      });
    });
  });

  it("includes failed sign-ins and locked accounts", async () => {
    const email = newEmail();
    const { id } = await make({ email });
    expect((await logIn(email, PASSWORD)).status).toBe(200);
    for (let attempt = 0; attempt < 3; attempt++) await logIn(email, "a wrong password");
    expect(await read(id)).toMatchObject({
      security: { login_attempts: 3, account_locked: false, login_count: 1, last_login: expect.stringMatching(ISO) },
      login_count: 1,
    });
    for (let attempt = 0; attempt < 8; attempt++) await logIn(email, "a wrong password");
    expect((await read(id)).security).toMatchObject({ login_attempts: 10, account_locked: true });
  });
});

describe("the audit trail", () => {
  it("contains every action with its actor and target, and no password", async () => {
    const { id } = await make({ role: "viewer" });
    await admin.put(`/admin/users/${id}`, { role: "editor" });
    await admin.put(`/admin/users/${id}`, { name: "B" });
    await admin.post(`/admin/users/${id}/suspend`, { reason: "x", notify_user: false });
    await admin.post(`/admin/users/${id}/activate`, {});
    await admin.delete(`/admin/users/${id}`, { reason: "x" });
    await admin.put(`/admin/users/${id}`, { name: "C" });
    await eventually(async () => {
      const { items } = await service.runtime.ports.records.query({ index: "gsi1", pk: `${org}#audit`, limit: 100 });
      const entries = items.filter(({ target }) => target === id);
      expect(entries.map(({ action }) => action).toSorted()).toEqual([
        "user.activated",
        "user.created",
        "user.deleted",
        "user.role_changed",
        "user.suspended",
        "user.updated",
      ]);
      for (const { actor } of entries) expect(actor).toEqual({ kind: "api_key", id: expect.stringMatching(/^ak_/) });
      expect(JSON.stringify(entries)).not.toContain(PASSWORD);
    });
  });
});

it("has the plan's rate limit", async () => {
  const free = new Caller(service, (await createOrganization(service, "free")).key);
  const startedAt = performance.now();
  const answers = await Promise.all(Array.from({ length: 14 }, () => free.get("/admin/users?limit=1")));
  const passed = answers.filter(({ status }) => status === 200).length;
  // Tokens refilled meanwhile: none if requests are fast, some if functions start.
  const flowedIn = Math.floor((performance.now() - startedAt) / 6_000);
  expect(passed).toBeGreaterThanOrEqual(10);
  expect(passed).toBeLessThanOrEqual(10 + flowedIn);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.body.error?.details.limit).toBe("admin_users");
});
