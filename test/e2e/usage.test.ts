import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { timestamp } from "../../shared/kernel/clock.ts";
import { DAY_MS } from "../../shared/kernel/durations.ts";
import { type Answered, createOrganization, type TestedService } from "../support/service.ts";
import { Caller, openTestedService } from "../support/target.ts";
import { bearer, signInUser } from "../support/users.ts";

const NONE = { api_calls: 0, failed_calls: 0, memories_created: 0, sessions_started: 0, searches_performed: 0 };

let service: TestedService;
let admin: Caller;
let org: string;
const dayAt = (time: number) => timestamp(time).slice(0, 10);

beforeAll(async () => {
  service = await openTestedService();
});
afterAll(() => service.close());
beforeEach(async () => {
  const made = await createOrganization(service);
  admin = new Caller(service, made.key);
  org = made.org;
});

/** Requests of a user who is signed in. */
const signedIn = (token: string) => ({
  get: (path: string) => service.request("GET", path, { key: null, headers: bearer(token) }),
  post: (path: string, body: object) => service.request("POST", path, { key: null, headers: bearer(token), body }),
});

const outcome = ({ status, body }: Answered) => [status, body.error?.code];

async function make(
  permissions: string[],
  maker: Pick<Caller, "post"> = admin,
): Promise<{ id: string; caller: Caller }> {
  const { body } = await maker.post("/api-keys", { name: permissions.join(), permissions });
  return { id: body.data.id, caller: new Caller(service, body.data.key) };
}

async function usage(query = "", caller: Pick<Caller, "get"> = admin) {
  const { status, body } = await caller.get(`/usage${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

it("counts requests, failures, memories, searches and sessions by day and key", async () => {
  const { id, caller } = await make(["memory:read", "memory:write", "search:read"]);
  const { id: reader } = await make(["memory:read"]);
  await caller.post("/memories", { content: "I live in Zurich.", user_id: "ada" });
  await caller.get("/search?q=Zurich");
  await caller.post("/sessions", { agent_id: "guide", user_id: "ada" });
  await caller.get("/memories/mem_none");
  const use = { api_calls: 4, failed_calls: 1, memories_created: 1, sessions_started: 1, searches_performed: 1 };
  const { api_keys, days, total, users, left_out, is_partial, from, to } = await usage();
  expect(api_keys.find((each: { id: string }) => each.id === id)).toEqual({
    ...{ id, name: "memory:read,memory:write,search:read" },
    ...use,
  });
  expect(api_keys.map((each: { id: string }) => each.id)).not.toContain(reader);
  const today = dayAt(Date.now());
  expect([users, left_out, is_partial, to]).toEqual([[], { users: 0, api_keys: 0 }, false, today]);
  expect(Date.parse(to) - Date.parse(from)).toBe(29 * DAY_MS);
  // The admin made two keys.
  expect(total).toEqual({ ...use, api_calls: 6 });
  expect(days).toEqual([{ day: today, ...total }]);
  expect((await usage(`?api_key_id=${id}`)).days).toEqual([{ day: today, ...use }]);
});

it("counts for the responsible user what the user and their keys did", async () => {
  const { token, user } = await signInUser(service, { org, role: "admin", name: "Grace" });
  const person = signedIn(token);
  const { id, caller } = await make(["memory:read"], person);
  await caller.get("/memories");
  const { users } = await usage();
  expect(users).toEqual([{ id: user.id, name: "Grace", ...NONE, api_calls: 2 }]);
  const own = await usage(`?user_id=${user.id}`);
  expect([own.total.api_calls, own.users.length, own.api_keys]).toEqual([2, 1, []]);
  expect((await usage(`?api_key_id=${id}`)).total.api_calls).toBe(1);
});

it("shows a user without admin:all only their own use, and a key only its own", async () => {
  const grace = await signInUser(service, { org, role: "viewer", name: "Grace" });
  const mary = await signInUser(service, { org, role: "viewer", name: "Mary" });
  const person = signedIn(grace.token);
  await signedIn(mary.token).get("/whoami");
  await person.get("/whoami");
  const { users, api_keys, total, days } = await usage("", person);
  expect(users).toEqual([{ id: grace.user.id, name: "Grace", ...NONE, api_calls: 1 }]);
  expect([api_keys, total.api_calls, days.length]).toEqual([[], 1, 1]);
  expect(outcome(await person.get(`/usage?user_id=${mary.user.id}`))).toEqual([404, "USER_NOT_FOUND"]);

  const { id, caller } = await make(["memory:read"]);
  const { id: other, caller: another } = await make(["memory:read"]);
  await another.get("/memories");
  await caller.get("/memories");
  const own = await usage("", caller);
  expect(own.api_keys.map((each: { id: string }) => each.id)).toEqual([id]);
  expect([own.users, own.total.api_calls]).toEqual([[], 1]);
  expect(outcome(await caller.get(`/usage?api_key_id=${other}`))).toEqual([404, "API_KEY_NOT_FOUND"]);
  expect(outcome(await caller.get(`/usage?user_id=${grace.user.id}`))).toEqual([404, "USER_NOT_FOUND"]);
});

it("shows nothing of another organization", async () => {
  const other = await createOrganization(service);
  const stranger = new Caller(service, other.key);
  const { id } = await make(["memory:read"]);
  expect((await usage("", stranger)).total).toEqual(NONE);
  expect(outcome(await stranger.get(`/usage?api_key_id=${id}`))).toEqual([404, "API_KEY_NOT_FOUND"]);
});

it("reads the days of the range, and keeps a day apart from the next", async () => {
  const { id, caller } = await make(["memory:read"]);
  await caller.get("/memories");
  const now = Date.now();
  const today = dayAt(now);
  const yesterday = dayAt(now - DAY_MS);
  expect((await usage(`?from=${today}&to=${today}&api_key_id=${id}`)).total.api_calls).toBe(1);
  expect((await usage(`?from=${today}&to=${today}`)).api_keys).toHaveLength(2);
  expect((await usage(`?from=${yesterday}&to=${yesterday}`)).total).toEqual(NONE);
  expect((await usage(`?to=${yesterday}`)).api_keys).toEqual([]);
});

it("shows those with the most requests, and says how many are left out", async () => {
  for (let requests = 1; requests <= 3; requests += 1) {
    const { caller } = await make(["memory:read"]);
    for (let sent = 0; sent < 10 * requests; sent += 1) await caller.get("/whoami");
  }
  const { api_keys, left_out } = await usage("?limit=2");
  expect(api_keys.map((each: { api_calls: number }) => each.api_calls)).toEqual([30, 20]);
  expect(left_out).toEqual({ users: 0, api_keys: 2 });
});

it.each([
  "from=2026-02-01&to=2026-01-31",
  "from=2026-01-01&to=2026-02-01",
  "from=yesterday",
  "limit=101",
  "user_id=user_a&api_key_id=ak_b",
])("refuses %s", async (query) => {
  expect(outcome(await admin.get(`/usage?${query}`))).toEqual([400, "VALIDATION_ERROR"]);
});
