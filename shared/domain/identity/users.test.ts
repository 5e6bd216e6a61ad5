import { afterAll, describe, expect, it } from "vitest";
import { openService } from "../../../test/support/service.ts";
import { findUserByEmail } from "../../../test/support/users.ts";
import { type NewUser, newUser } from "./registration.ts";
import {
  changeUser,
  findUser,
  findUserByIdentity,
  heldPermissions,
  listUsers,
  NO_END,
  putUser,
  reviseUser,
  statusAt,
  type User,
  type UserChange,
  type UserFilter,
  writeUser,
} from "./users.ts";

const GOOGLE = { provider: "google", subject: "1001" };
const START = Date.parse("2026-01-31T12:00:00Z");
const MINUTE = 60_000;

let now = START;
let made = 0;

const service = await openService({}, () => now);
afterAll(() => service.close());

const records = () => service.runtime.ports.records;
const at = (milliseconds: number) => new Date(milliseconds).toISOString();
const newOrg = () => `org_${made++}`;

async function make(given: Partial<NewUser> = {}): Promise<User> {
  const own = { org: newOrg(), email: `${made++}@example.com` };
  const user = newUser(service.runtime, { ...own, name: "Ada", role: "admin", ...given });
  await writeUser(records(), ...putUser(user));
  return user;
}

async function change(user: User, fields: UserChange): Promise<User> {
  const { user: changed, writes } = changeUser(user, fields, at(now));
  await writeUser(records(), ...writes);
  return changed;
}

describe("an address", () => {
  it("belongs to one user of an organization", async () => {
    const user = await make({ email: " Ada@Example.COM" });
    expect(user.email).toBe("ada@example.com");
    expect(await findUserByEmail(records(), "ADA@example.com ")).toEqual(user);
    await expect(make({ email: "ada@example.com", org: user.org })).rejects.toMatchObject({ code: "EMAIL_EXISTS" });
  });

  it("is free after its user is deleted, unless another user took it meanwhile", async () => {
    const { org } = await make();
    const user = await make({ org, identities: [GOOGLE] });
    const gone = await change(user, { status: "deleted" });
    expect(await findUserByEmail(records(), user.email)).toBeUndefined();
    expect(await findUserByIdentity(records(), GOOGLE)).toBeUndefined();
    expect(await findUser(records(), org, user.id)).toEqual(gone);
    const successor = await make({ email: user.email, org });
    await expect(change(gone, { status: "active" })).rejects.toMatchObject({ code: "EMAIL_EXISTS" });
    expect(await findUserByEmail(records(), user.email)).toEqual(successor);
  });
});

describe("an account at a provider", () => {
  it("belongs to one user, and is free after it is unlinked", async () => {
    const identity = { provider: "github", subject: "7" };
    const [user, other] = [await make(), await make()];
    const linked = await change(user, { identities: [identity] });
    expect(await findUserByIdentity(records(), identity)).toEqual(linked);
    await expect(change(other, { identities: [identity] })).rejects.toMatchObject({ code: "CONFLICT" });
    await change(linked, { identities: [] });
    const taken = await change(other, { identities: [identity] });
    expect(await findUserByIdentity(records(), identity)).toEqual(taken);
  });
});

describe("an organization", () => {
  it("keeps its last admin, whatever the change", async () => {
    const user = await make();
    for (const fields of [
      { status: "deleted" },
      { status: "inactive" },
      { status: "suspended", suspended_until: NO_END },
      { role: "viewer", permissions: ["memory:read"] },
    ] as UserChange[]) {
      await expect(change(user, fields)).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
    expect(await findUser(records(), user.org, user.id)).toEqual(user);
  });

  it("keeps one of two admins who remove each other concurrently", async () => {
    const { org } = await make();
    const [one, other] = [await make({ org }), await make({ org })];
    const [first] = (await listUsers(records(), org, { now: at(now) }, { limit: 10, offset: 2 })).items;
    await change(first as User, { status: "inactive" });
    const both = await Promise.allSettled([change(one, { status: "deleted" }), change(other, { status: "deleted" })]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("counts a restored admin", async () => {
    const { org } = await make();
    const user = await make({ org });
    const away = await change(user, { status: "inactive" });
    const back = await change(away, { status: "active" });
    await change(back, { status: "deleted" });
  });
});

describe("a change", () => {
  it("is refused after a concurrent change, unless it is retried", async () => {
    const user = await make();
    await change(user, { name: "Bea" });
    await expect(change(user, { department: "x" })).rejects.toMatchObject({ name: "ConditionFailedError" });
    const revised = await reviseUser(service.runtime, user, () => ({ department: "x" }));
    expect(revised).toMatchObject({ name: "Bea", department: "x", version: 3 });
    expect(await findUser(records(), user.org, user.id)).toEqual(revised);
  });

  it("of many concurrent ones loses none", async () => {
    const user = await make({ metadata: { count: 0 } });
    const raise = ({ metadata }: User) => ({ metadata: { count: Number(metadata.count) + 1 } });
    await Promise.all(Array.from({ length: 5 }, () => reviseUser(service.runtime, user, raise)));
    expect((await findUser(records(), user.org, user.id))?.metadata).toEqual({ count: 5 });
  });

  it("removes fields that are given as undefined", async () => {
    const user = await make({ department: "x", must_change_password: true });
    expect(heldPermissions(user)).toEqual([]);
    const changed = await change(user, { department: undefined, must_change_password: undefined });
    const stored = await findUser(records(), user.org, user.id);
    expect([stored?.department, stored?.must_change_password]).toEqual([undefined, undefined]);
    expect(heldPermissions(changed)).toEqual(["admin:all"]);
  });

  it("ends sessions only if it concerns credentials or the status", async () => {
    const { org } = await make();
    const user = await make({ org });
    const epochAfter = (fields: UserChange) => changeUser(user, fields, at(now)).user.credential_epoch;
    const two_factor = { enabled: false, secret: "s", recovery_codes: [], last_step: 0 };
    const raised = [
      { password_hash: "h" },
      { status: "inactive" },
      { two_factor: { ...two_factor, enabled: true } },
      { credential_epoch: 2 },
    ] as UserChange[];
    for (const fields of raised) expect([fields, epochAfter(fields)]).toEqual([fields, 2]);
    const kept = [{ name: "B" }, { role: "user", permissions: [] }, { two_factor }, { email_verified: true }];
    for (const fields of kept as UserChange[]) expect([fields, epochAfter(fields)]).toEqual([fields, 1]);
  });
});

describe("the list of users", () => {
  it("shows their current state, newest first", async () => {
    now = START;
    const org = newOrg();
    const [active, ended, suspended, forever, inactive, deleted] = [
      await make({ org }),
      await make({ org, status: "suspended", suspended_until: at(START + MINUTE) }),
      await make({ org, status: "suspended", suspended_until: at(START + 9 * MINUTE) }),
      await make({ org, status: "suspended", suspended_until: NO_END, role: "viewer" }),
      await make({ org, status: "inactive" }),
      await make({ org, status: "deleted" }),
    ];
    now = START + 2 * MINUTE;
    const ids = async (filter: Partial<UserFilter>) => {
      const { items: users } = await listUsers(records(), org, { now: at(now), ...filter }, { limit: 50, offset: 0 });
      return users.map(({ id }) => id);
    };
    const newestFirst = (...users: User[]) => users.map(({ id }) => id).reverse();
    expect(await ids({})).toEqual(newestFirst(active, ended, suspended, forever, inactive));
    expect(await ids({ status: "active" })).toEqual(newestFirst(active, ended));
    expect(await ids({ status: "suspended" })).toEqual(newestFirst(suspended, forever));
    expect(await ids({ status: "inactive" })).toEqual(newestFirst(inactive));
    expect(await ids({ status: "deleted" })).toEqual(newestFirst(deleted));
    expect(await ids({ role: "viewer" })).toEqual(newestFirst(forever));
    const statuses = [ended, suspended, forever].map((user) => statusAt(user, now));
    expect(statuses).toEqual(["active", "suspended", "suspended"]);
  });

  it("may be limited to an inclusive range of creation times", async () => {
    const org = newOrg();
    const users: User[] = [];
    for (let minute = 0; minute < 4; minute++) {
      now = START + minute * MINUTE;
      users.push(await make({ org }));
    }
    const filter = { now: at(now), created_after: users[1]?.created_at, created_before: users[2]?.created_at };
    const page = await listUsers(records(), org, filter, { limit: 1, offset: 0 });
    expect([page.items.map(({ id }) => id), page.total, page.hasNext]).toEqual([[users[2]?.id], 2, true]);
  });
});
