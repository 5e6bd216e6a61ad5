import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Caller, eventually, IS_DEPLOYED, openTarget, type Target } from "../support/target.ts";

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ABSENT = "agent_01ARZ3NDEKTSV4RRFFQ69G5FAV";

let target: Target;
let caller: Caller;

beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());
beforeEach(async () => {
  caller = await target.organization();
});

async function makeAgent(fields: object = {}, by: Caller = caller) {
  const { status, body } = await by.post("/agents", { name: "Guide", model: "gpt-4o-mini", ...fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

let made = 0;
async function makeSkill(fields: object = {}, by: Caller = caller): Promise<string> {
  const skill = { name: `skill ${++made}`, trigger: "a guest asks for tea", action: "Serve tea.", domain: "house" };
  const { status, body } = await by.post("/skills", { ...skill, ...fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.id;
}

const makeSkills = async (count: number) => {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) ids.push(await makeSkill());
  return ids;
};

async function remember(content: string, fields: object = {}): Promise<string> {
  const { status, body } = await caller.post("/memories", { content, ...fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.id;
}

async function read(path: string, by: Caller = caller) {
  const { status, body } = await by.get(path);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

const fieldsAtFault = ({ body }: { body: { error: { details: { fields: { field: string }[] } } } }) =>
  body.error?.details.fields.map(({ field }) => field);
const soon = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code];

describe("a new agent", () => {
  it("is active and is returned with all its fields", async () => {
    const skills = await makeSkills(2);
    const fields = {
      name: "Guide",
      description: "Shows guests around.",
      model: "gpt-4o-mini",
      config: { temperature: 0.3, max_tokens: 500, system_prompt: "Be brief." },
      skills,
      memory_settings: { enabled: true, retention_days: 30, compression_enabled: false },
      metadata: { floor: 2 },
      department: "front desk",
    };
    const { id, ...agent } = await makeAgent(fields);
    expect(id).toMatch(/^agent_/);
    expect(agent).toEqual({
      ...fields,
      status: "active",
      version: 1,
      created_at: expect.stringMatching(ISO),
      updated_at: agent.created_at,
    });
    const { skills: shown, usage_stats, ...rest } = await read(`/agents/${id}`);
    expect({ ...rest, skills }).toEqual({ id, ...agent });
    expect(shown).toEqual(
      skills.map((skill) => ({ id: skill, name: expect.any(String), confidence: expect.any(Number) })),
    );
    expect(usage_stats).toEqual({ total_sessions: 0, avg_session_duration: null, success_rate: null });
  });

  it("gets defaults for omitted fields", async () => {
    expect(await makeAgent()).toMatchObject({
      config: {},
      skills: [],
      memory_settings: { enabled: true, compression_enabled: true },
      metadata: {},
    });
    expect(await makeAgent({ memory_settings: { enabled: false } })).toMatchObject({
      memory_settings: { enabled: false, compression_enabled: true },
    });
  });

  it("takes its department from the metadata by default", async () => {
    const metadata = { department: "kitchen" };
    expect(await makeAgent({ metadata })).toMatchObject({ department: "kitchen", metadata });
    expect(await makeAgent({ metadata, department: "bar" })).toMatchObject({ department: "bar", metadata });
    for (const department of [7, "", " ", "x".repeat(257), { a: 1 }]) {
      expect(await makeAgent({ metadata: { department } })).not.toHaveProperty("department");
    }
  });

  it.each([
    ["no name", { name: undefined }, ["name"]],
    ["an empty name", { name: " " }, ["name"]],
    ["no model", { model: undefined }, ["model"]],
    ["a temperature above 2", { config: { temperature: 2.1 } }, ["config.temperature"]],
    ["a temperature below 0", { config: { temperature: -0.1 } }, ["config.temperature"]],
    ["a fractional max_tokens", { config: { max_tokens: 1.5 } }, ["config.max_tokens"]],
    ["a max_tokens of zero", { config: { max_tokens: 0 } }, ["config.max_tokens"]],
    ["a prompt that is not a string", { config: { system_prompt: 1 } }, ["config.system_prompt"]],
    ["config that is a list", { config: [] }, ["config"]],
    ["a retention of zero days", { memory_settings: { retention_days: 0 } }, ["memory_settings.retention_days"]],
    ["a retention of half a day", { memory_settings: { retention_days: 0.5 } }, ["memory_settings.retention_days"]],
    ["skills that are not a list", { skills: "skill_1" }, ["skills"]],
    ["a duplicate skill", { skills: ["skill_1", "skill_1"] }, ["skills.1"]],
    ["too many skills", { skills: Array.from({ length: 33 }, (_, index) => `skill_${index}`) }, ["skills"]],
    ["an empty department", { department: "" }, ["department"]],
    ["metadata that is not an object", { metadata: "x" }, ["metadata"]],
  ])("is rejected with %s", async (_what, fields, expected) => {
    const answer = await caller.post("/agents", { name: "Guide", model: "m", ...fields });
    expect(codeOf(answer)).toEqual([400, "VALIDATION_ERROR"]);
    expect(fieldsAtFault(answer)).toEqual(expected);
  });

  it("is rejected with skills that do not exist or belong to another organization", async () => {
    const stranger = await target.organization();
    const foreign = await makeSkill({}, stranger);
    for (const missing of ["skill_absent", foreign]) {
      const answer = await caller.post("/agents", { name: "a", model: "m", skills: [await makeSkill(), missing] });
      expect(codeOf(answer)).toEqual([404, "SKILL_NOT_FOUND"]);
      expect(answer.body.error?.details.skill_ids).toEqual([missing]);
    }
    expect((await read("/agents")).agents).toEqual([]);
  });

  it("is created once if the request is repeated with the same Idempotency-Key", async () => {
    const headers = { "idempotency-key": "once" };
    const send = () => caller.post("/agents", { name: "Guide", model: "m" }, { headers });
    const [first, again] = [await send(), await send()];
    expect(again.body.data.id).toBe(first.body.data.id);
    await eventually(async () => expect((await read("/agents")).agents).toHaveLength(1));
  });
});

describe("the list of agents", () => {
  const ids: string[] = [];
  let lister: Caller;

  beforeAll(async () => {
    caller = lister = await target.organization();
    ids.length = 0;
    const [skill] = [await makeSkill()];
    for (const [index, department] of ["a", "b", undefined, "a"].entries()) {
      const fields = { name: `agent ${index}`, model: index < 2 ? "m1" : "m2", department, skills: [skill] };
      ids.push((await makeAgent(fields)).id);
    }
    await caller.put(`/agents/${ids[1]}`, { status: "paused" });
    await eventually(async () => expect((await read("/agents")).pagination.total).toBe(4));
  });

  const listed = async (query: string) =>
    (await read(`/agents?${query}`, lister)).agents.map(({ id }: { id: string }) => ids.indexOf(id));

  it.each([
    ["", [3, 2, 1, 0]],
    ["sort=created_at desc", [3, 2, 1, 0]],
    ["sort=created_at asc", [0, 1, 2, 3]],
    ["department=a", [3, 0]],
    ["department=a&sort=created_at asc", [0, 3]],
    ["status=active", [3, 2, 0]],
    ["status=paused", [1]],
    ["status=inactive", []],
    ["model=m1", [1, 0]],
    ["model=m2&department=a", [3]],
    ["model=m3", []],
    ["limit=1&offset=2", [1]],
    ["offset=4", []],
  ])("filters, sorts and pages by %s", async (query, expected) => {
    await eventually(async () => expect(await listed(query)).toEqual(expected));
  });

  it("returns the total on every page", async () => {
    expect((await read("/agents?limit=2&offset=1", lister)).pagination).toEqual({
      total: 4,
      limit: 2,
      offset: 1,
      has_next: true,
    });
    expect((await read("/agents?department=a&limit=1", lister)).pagination).toMatchObject({ total: 2, has_next: true });
  });

  it("returns a summary of each agent", async () => {
    const [agent] = (await read("/agents?limit=1", lister)).agents;
    expect(agent).toEqual({
      id: ids[3],
      name: "agent 3",
      model: "m2",
      status: "active",
      department: "a",
      skill_count: 1,
      memory_enabled: true,
      version: 1,
      created_at: expect.stringMatching(ISO),
      updated_at: expect.stringMatching(ISO),
    });
  });

  it("returns a null department for an agent without one", async () => {
    const { agents } = await read("/agents", lister);
    const told = (agents as { name: string; department?: string | null }[]).map((each) => [each.name, each.department]);
    expect(told.sort()).toEqual([
      ["agent 0", "a"],
      ["agent 1", "b"],
      ["agent 2", null],
      ["agent 3", "a"],
    ]);
  });

  it.each([
    ["limit=101", "limit"],
    ["limit=0", "limit"],
    ["offset=-1", "offset"],
    ["status=asleep", "status"],
    ["sort=name desc", "sort"],
    ["sort=created_at upwards", "sort"],
  ])("rejects %s", async (query, field) => {
    const answer = await lister.get(`/agents?${query}`);
    expect(codeOf(answer)).toEqual([400, "VALIDATION_ERROR"]);
    expect(fieldsAtFault(answer)).toEqual([field]);
  });
});

describe("changing an agent", () => {
  it("changes only the given fields", async () => {
    const config = { temperature: 1, max_tokens: 100 };
    const before = await makeAgent({ description: "old", department: "a", config, metadata: { a: 1 } });
    const { status, headers, body } = await caller.put(`/agents/${before.id}`, {
      name: "New",
      status: "inactive",
      config: { temperature: 0 },
      memory_settings: { retention_days: 7 },
    });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      ...before,
      name: "New",
      status: "inactive",
      config: { temperature: 0, max_tokens: 100 },
      memory_settings: { enabled: true, compression_enabled: true, retention_days: 7 },
      version: 2,
      updated_at: expect.stringMatching(ISO),
    });
    expect(headers.get("etag")).toBe('"2"');
    const { usage_stats, ...after } = await read(`/agents/${before.id}`);
    expect(after).toEqual(body.data);
  });

  it("removes fields that are set to null", async () => {
    const { id } = await makeAgent({ description: "old", department: "a", memory_settings: { retention_days: 7 } });
    const gone = { description: null, department: null, memory_settings: { retention_days: null } };
    const { data } = (await caller.put(`/agents/${id}`, gone)).body;
    expect(data).not.toHaveProperty("description");
    expect(data).not.toHaveProperty("department");
    expect(data.memory_settings).toEqual({ enabled: true, compression_enabled: true });
    await eventually(async () => expect((await read("/agents?department=a")).agents).toEqual([]));
    expect(await read(`/agents/${id}`)).not.toHaveProperty("description");
  });

  it("moves the agent to the department that its metadata or the request names", async () => {
    const { id } = await makeAgent({ department: "a" });
    await caller.put(`/agents/${id}`, { metadata: { department: "b" } });
    await eventually(async () => expect((await read("/agents?department=b")).agents).toHaveLength(1));
    await caller.put(`/agents/${id}`, { department: "c" });
    await eventually(async () => expect((await read("/agents?department=c")).agents).toHaveLength(1));
    expect((await read("/agents?department=b")).agents).toEqual([]);
    await caller.put(`/agents/${id}`, { metadata: {} });
    expect(await read(`/agents/${id}`)).toMatchObject({ department: "c" });
  });

  it.each([
    ["nothing", {}, "body"],
    ["an unknown status", { status: "asleep" }, "status"],
    ["a temperature above 2", { config: { temperature: 3 } }, "config.temperature"],
    ["an empty name", { name: "" }, "name"],
  ])("is rejected with %s", async (_what, change, field) => {
    const { id } = await makeAgent();
    const answer = await caller.put(`/agents/${id}`, change);
    expect(codeOf(answer)).toEqual([400, "VALIDATION_ERROR"]);
    expect(fieldsAtFault(answer)).toEqual([field]);
  });

  it("respects If-Match, also on DELETE", async () => {
    const { id } = await makeAgent();
    const ifMatch = (version: number) => ({ headers: { "if-match": `"${version}"` } });
    expect((await caller.put(`/agents/${id}`, { name: "b" }, ifMatch(1))).status).toBe(200);
    const stale = await caller.put(`/agents/${id}`, { name: "c" }, ifMatch(1));
    expect(codeOf(stale)).toEqual([412, "PRECONDITION_FAILED"]);
    expect(stale.body.error?.details).toEqual({ agent_id: id, current_version: 2 });
    expect(codeOf(await caller.delete(`/agents/${id}`, undefined, ifMatch(1)))[0]).toBe(412);
    expect((await caller.delete(`/agents/${id}`, undefined, ifMatch(2))).status).toBe(200);
  });

  it("loses no concurrent change", async () => {
    const { id } = await makeAgent();
    const names = Array.from({ length: 8 }, (_, index) => `m${index}`);
    const answers = await Promise.all(names.map((name) => caller.put(`/agents/${id}`, { metadata: { name }, name })));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    const versions = answers.map(({ body }) => body.data.version);
    expect(versions.toSorted((a, b) => a - b)).toEqual(names.map((_, index) => index + 2));
    const last = answers.find(({ body }) => body.data.version === 9)?.body.data;
    expect(await read(`/agents/${id}`)).toMatchObject({ name: last.name, metadata: last.metadata, version: 9 });
  });
});

describe("an agent's skills", () => {
  it("can be added, replaced and removed", async () => {
    const [a, b, c, d] = await makeSkills(4);
    const { id } = await makeAgent({ skills: [a] });
    const added = await caller.post(`/agents/${id}/skills`, { skill_ids: [a, b, c] });
    expect(added.status).toBe(200);
    expect(added.body.data).toEqual({
      agent_id: id,
      assigned_skills: [a, b, c],
      previous_skills: [a],
      added_skills: [b, c],
      total_skills: 3,
    });
    const replaced = await caller.post(`/agents/${id}/skills`, { skill_ids: [d, b], replace_existing: true });
    expect(replaced.body.data).toEqual({
      agent_id: id,
      assigned_skills: [d, b],
      previous_skills: [a, b, c],
      added_skills: [d],
      total_skills: 2,
    });
    const removed = await caller.delete(`/agents/${id}/skills`, { skill_ids: [b, a] });
    expect(removed.body.data).toEqual({
      agent_id: id,
      removed_skills: [b],
      assigned_skills: [d],
      total_skills: 1,
    });
    const list = await read(`/agents/${id}/skills`);
    expect(list).toMatchObject({ agent_id: id, total_skills: 1, pagination: { total: 1, has_next: false } });
    expect(list.skills).toEqual([
      { id: d, name: expect.any(String), trigger: "a guest asks for tea", confidence: 0.5, usage_count: 0 },
    ]);
    const none = await caller.post(`/agents/${id}/skills`, { skill_ids: [], replace_existing: true });
    expect(none.body.data).toMatchObject({ assigned_skills: [], previous_skills: [d], total_skills: 0 });
    expect(await read(`/agents/${id}`)).toMatchObject({ skills: [], version: 5 });
  });

  it.each([
    ["an empty list", { skill_ids: [] }, ["skill_ids"]],
    ["no skill_ids", {}, ["skill_ids"]],
    ["a duplicate", { skill_ids: ["skill_1", "skill_1"] }, ["skill_ids.1"]],
    ["a number", { skill_ids: [1] }, ["skill_ids.0"]],
    ["too many", { skill_ids: Array.from({ length: 33 }, (_, index) => `s${index}`) }, ["skill_ids"]],
    ["an invalid flag", { skill_ids: ["s"], replace_existing: "yes" }, ["replace_existing"]],
  ])("cannot be assigned as %s", async (_what, body, expected) => {
    const { id } = await makeAgent();
    const answer = await caller.post(`/agents/${id}/skills`, body);
    expect(codeOf(answer)).toEqual([400, "VALIDATION_ERROR"]);
    expect(fieldsAtFault(answer)).toEqual(expected);
  });

  it("are not assigned if one of them does not exist", async () => {
    const [skill] = await makeSkills(1);
    const { id } = await makeAgent();
    const answer = await caller.post(`/agents/${id}/skills`, { skill_ids: [skill, "skill_absent"] });
    expect(codeOf(answer)).toEqual([404, "SKILL_NOT_FOUND"]);
    expect((await read(`/agents/${id}`)).skills).toEqual([]);
  });

  it("are limited to 32 for each agent", async () => {
    const ids = await makeSkills(33);
    const { id } = await makeAgent({ skills: ids.slice(0, 32) });
    const answer = await caller.post(`/agents/${id}/skills`, { skill_ids: ids.slice(32) });
    expect(codeOf(answer)).toEqual([409, "CONFLICT"]);
    const others = await makeSkills(32);
    const replaced = await caller.post(`/agents/${id}/skills`, { skill_ids: others, replace_existing: true });
    expect(replaced.body.data).toMatchObject({ assigned_skills: others, previous_skills: ids.slice(0, 32) });
  }, 60_000);

  it("end in the state of some serial order of concurrent requests", async () => {
    const ids = await makeSkills(4);
    const some = fc.subarray(ids, { minLength: 1 });
    const request = fc.oneof(
      fc.record({ verb: fc.constantFrom("add" as const, "replace" as const, "remove" as const), skills: some }),
    );
    const apply = (state: string[], { verb, skills }: { verb: string; skills: string[] }) => {
      if (verb === "replace") return skills;
      if (verb === "remove") return state.filter((skill) => !skills.includes(skill));
      return [...new Set([...state, ...skills])];
    };
    const property = fc.asyncProperty(
      some,
      fc.array(request, { minLength: 2, maxLength: 4 }),
      async (first, requests) => {
        const { id } = await makeAgent({ skills: first });
        const path = `/agents/${id}/skills`;
        const answers = await Promise.all(
          requests.map(({ verb, skills: skill_ids }) =>
            verb === "remove"
              ? caller.delete(path, { skill_ids })
              : caller.post(path, { skill_ids, replace_existing: verb === "replace" }),
          ),
        );
        expect(answers.map(({ status }) => status)).toEqual(requests.map(() => 200));
        const after = (await read(`/agents/${id}`)).skills.map((skill: { id: string }) => skill.id);
        const possible = permutations(requests).map((order) => order.reduce(apply, first).toSorted());
        expect(possible).toContainEqual(after.toSorted());
      },
    );
    await fc.assert(property, { numRuns: 10 });
  }, 60_000);

  it("are removed from agents and groups when the skill is deleted", async () => {
    const [a, b] = await makeSkills(2);
    const [one, other] = [await makeAgent({ skills: [a, b] }), await makeAgent({ skills: [a] })];
    const group = (await caller.post("/groups", { name: "g", skills: [a] })).body.data;
    expect((await caller.delete(`/skills/${a}`)).status).toBe(200);
    const idsOf = async (path: string) => (await read(path)).skills.map(({ id }: { id: string }) => id);
    expect(await idsOf(`/agents/${one.id}`)).toEqual([b]);
    expect(await idsOf(`/agents/${other.id}/skills`)).toEqual([]);
    expect((await read(`/groups/${group.id}`)).skills).toEqual([]);
    await eventually(async () => {
      const counts = (await read("/agents")).agents.map((agent: { skill_count: number }) => agent.skill_count);
      expect(counts).toEqual([0, 1]);
      expect((await read("/groups")).groups).toMatchObject([{ skill_count: 0 }]);
    });
  });

  it("do not include a skill that is deleted while it is assigned", async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = await makeSkills(2);
      const { id } = await makeAgent();
      const [assigned] = await Promise.all([
        caller.post(`/agents/${id}/skills`, { skill_ids: [a, b] }),
        caller.delete(`/skills/${a}`),
      ]);
      expect([200, 404]).toContain(assigned.status);
      await eventually(async () => {
        const { agents } = await read("/agents?limit=1");
        expect(agents).toMatchObject([{ id, skill_count: assigned.status === 200 ? 1 : 0 }]);
      });
    }
  });
});

function permutations<T>(items: T[]): T[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, position) => permutations(items.toSpliced(position, 1)).map((rest) => [item, ...rest]));
}

describe("sharing memories with an agent", () => {
  it("requires the permissions that are shared", async () => {
    const [agent, memory_id] = [await makeAgent(), await remember("Ada keeps the key under the mat.")];
    const shareBy = async (permissions: string[], access_type: string) => {
      const made = await caller.post("/api-keys", { name: "sharer", permissions });
      const by = caller.as(made.body.data.key);
      return codeOf(await by.post(`/agents/${agent.id}/memories`, { memory_id, access_type }));
    };
    expect(await shareBy(["agents:write"], "read")).toEqual([403, "FORBIDDEN"]);
    expect(await shareBy(["agents:write", "memory:read"], "read_write")).toEqual([403, "FORBIDDEN"]);
    expect((await read(`/agents/${agent.id}/memories`)).total_memories).toBe(0);
    expect(await shareBy(["agents:write", "memory:read"], "read")).toEqual([201, undefined]);
    expect(await shareBy(["agents:write", "memory:read", "memory:write"], "read_write")).toEqual([201, undefined]);
  });

  const share = async (agent: string, fields: object) => {
    const answer = await caller.post(`/agents/${agent}/memories`, fields);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.data;
  };

  it("lists the shared memories, newest share first", async () => {
    const [tea, milk] = [await remember("Ada drinks tea."), await remember("Ada drinks milk.")];
    const { id } = await makeAgent();
    const first = await share(id, { memory_id: tea, access_type: "read" });
    expect(first).toEqual({
      agent_id: id,
      memory_id: tea,
      access_type: "read",
      shared_at: expect.stringMatching(ISO),
    });
    const expires_at = soon(3_600_000);
    const second = await share(id, { memory_id: milk, access_type: "read_write", expires_at });
    expect(second).toMatchObject({ access_type: "read_write", expires_at });
    await eventually(async () => {
      expect(await read(`/agents/${id}/memories`)).toEqual({
        agent_id: id,
        memories: [
          {
            id: milk,
            content: "Ada drinks milk.",
            occurred_at: expect.stringMatching(ISO),
            access_type: "read_write",
            shared_at: second.shared_at,
            expires_at,
          },
          {
            id: tea,
            content: "Ada drinks tea.",
            occurred_at: expect.stringMatching(ISO),
            access_type: "read",
            shared_at: first.shared_at,
          },
        ],
        total_memories: 2,
        pagination: { total: 2, limit: 20, offset: 0, has_next: false },
      });
    });
    const idsOf = async (query: string) =>
      (await read(`/agents/${id}/memories?${query}`)).memories.map((memory: { id: string }) => memory.id);
    expect(await idsOf("access_type=read")).toEqual([tea]);
    expect(await idsOf("access_type=read_write")).toEqual([milk]);
    expect(await idsOf("limit=1&offset=1")).toEqual([tea]);
    expect((await read(`/agents/${id}/memories?limit=1`)).pagination).toMatchObject({ total: 2, has_next: true });
  });

  it("replaces an earlier share of the same memory", async () => {
    const memory_id = await remember("Ada drinks tea.");
    const { id } = await makeAgent();
    await share(id, { memory_id, access_type: "read", expires_at: soon(3_600_000) });
    await share(id, { memory_id, access_type: "read_write" });
    await eventually(async () => {
      const { memories, total_memories } = await read(`/agents/${id}/memories`);
      expect(memories).toMatchObject([{ id: memory_id, access_type: "read_write" }]);
      expect(memories[0]).not.toHaveProperty("expires_at");
      expect(total_memories).toBe(1);
    });
  });

  it("works for several agents concurrently", async () => {
    const memory_id = await remember("Ada drinks tea.");
    const agents = await Promise.all(Array.from({ length: 5 }, () => makeAgent()));
    await Promise.all(agents.map(({ id }) => share(id, { memory_id, access_type: "read" })));
    await eventually(async () => {
      for (const { id } of agents) expect((await read(`/agents/${id}/memories`)).total_memories).toBe(1);
    });
  });

  it("ends when the share expires or is removed, or the memory expires or is deleted", async () => {
    const { id } = await makeAgent();
    const [brief, taken, deleted, expired] = [
      await remember("one"),
      await remember("two"),
      await remember("three"),
      await remember("four"),
    ];
    await share(id, { memory_id: brief, access_type: "read", expires_at: soon(IS_DEPLOYED ? 5_000 : 400) });
    for (const memory_id of [taken, deleted, expired]) await share(id, { memory_id, access_type: "read" });
    const unshared = await caller.delete(`/agents/${id}/memories/${taken}`);
    expect(unshared.body.data).toEqual({ agent_id: id, memory_id: taken, removed_at: expect.stringMatching(ISO) });
    await caller.delete(`/memories/${deleted}`);
    await caller.post(`/memories/${expired}/expire`, {});
    await eventually(async () => {
      expect(await read(`/agents/${id}/memories`)).toMatchObject({ memories: [], total_memories: 0 });
    });
    expect(codeOf(await caller.delete(`/agents/${id}/memories/${taken}`))).toEqual([404, "MEMORY_NOT_FOUND"]);
    expect((await caller.get(`/memories/${taken}`)).status).toBe(200);
  });

  it.each([
    ["no memory", { access_type: "read" }, ["memory_id"]],
    ["no access", { memory_id: "mem_1" }, ["access_type"]],
    ["an unknown access", { memory_id: "mem_1", access_type: "write" }, ["access_type"]],
    ["an expiry in the past", { memory_id: "mem_1", access_type: "read", expires_at: "2001-01-01" }, ["expires_at"]],
    ["an invalid expiry", { memory_id: "mem_1", access_type: "read", expires_at: "soon" }, ["expires_at"]],
  ])("is rejected with %s", async (_what, body, expected) => {
    const { id } = await makeAgent();
    const answer = await caller.post(`/agents/${id}/memories`, body);
    expect(codeOf(answer)).toEqual([400, "VALIDATION_ERROR"]);
    expect(fieldsAtFault(answer)).toEqual(expected);
  });

  it("requires an existing memory and an existing agent", async () => {
    const stranger = await target.organization();
    const foreign = (await stranger.post("/memories", { content: "theirs" })).body.data.id;
    const { id } = await makeAgent();
    for (const memory_id of ["mem_absent", foreign]) {
      const answer = await caller.post(`/agents/${id}/memories`, { memory_id, access_type: "read" });
      expect(codeOf(answer)).toEqual([404, "MEMORY_NOT_FOUND"]);
    }
    const memory_id = await remember("mine");
    const answer = await caller.post(`/agents/${ABSENT}/memories`, { memory_id, access_type: "read" });
    expect(codeOf(answer)).toEqual([404, "AGENT_NOT_FOUND"]);
    expect(codeOf(await caller.get(`/agents/${id}/memories?access_type=own`))).toEqual([400, "VALIDATION_ERROR"]);
  });
});

describe("deleting an agent", () => {
  it("removes every reference to it", async () => {
    const [skill] = await makeSkills(1);
    const { id } = await makeAgent({ skills: [skill], department: "a" });
    const memory = await remember("Ada drinks tea.");
    await caller.post(`/agents/${id}/memories`, { memory_id: memory, access_type: "read" });
    const group = (await caller.post("/groups", { name: "g" })).body.data.id;
    await caller.post(`/groups/${group}/members`, { agent_id: id });
    const made = await caller.post("/api-keys", { name: "k", permissions: ["memory:read"], agent_id: id });
    const { status, body } = await caller.delete(`/agents/${id}`);
    expect([status, body.data]).toEqual([200, { id, deleted_at: expect.stringMatching(ISO) }]);
    for (const path of ["", "/skills", "/memories", "/stats"]) {
      expect(codeOf(await caller.get(`/agents/${id}${path}`))).toEqual([404, "AGENT_NOT_FOUND"]);
    }
    expect(codeOf(await caller.delete(`/agents/${id}`))).toEqual([404, "AGENT_NOT_FOUND"]);
    expect(await read(`/groups/${group}`)).toMatchObject({ members: [], member_count: 0 });
    expect((await caller.as(made.body.data.key).get("/memories")).status).toBe(401);
    await eventually(async () => {
      expect((await read("/agents")).agents).toEqual([]);
      expect((await read("/groups")).groups).toMatchObject([{ member_count: 0 }]);
      expect(await read(`/groups/${group}/memories`)).toMatchObject({ memories: [], total_memories: 0 });
      expect(await read(`/groups/${group}/skills`)).toMatchObject({ skills: [], total_skills: 0 });
      expect(await read(`/api-keys/${made.body.data.id}`)).toMatchObject({
        status: "revoked",
        revoked_reason: "agent deleted",
      });
    });
    expect((await caller.get(`/memories/${memory}`)).status).toBe(200);
    expect((await caller.delete(`/skills/${skill}`)).status).toBe(200);
  });

  it("also removes shares and group memberships that are created concurrently", async () => {
    for (let round = 0; round < 4; round++) {
      const { id } = await makeAgent();
      const memory_id = await remember("Ada drinks tea.");
      const group = (await caller.post("/groups", { name: "g" })).body.data.id;
      await Promise.all([
        caller.post(`/agents/${id}/memories`, { memory_id, access_type: "read" }),
        caller.post(`/groups/${group}/members`, { agent_id: id }),
        caller.delete(`/agents/${id}`),
      ]);
      await eventually(async () => {
        expect(await read(`/groups/${group}`)).toMatchObject({ members: [], member_count: 0 });
        expect((await read("/groups?limit=1")).groups).toMatchObject([{ member_count: 0 }]);
        const again = await caller.delete(`/agents/${id}/memories/${memory_id}`);
        expect(codeOf(again)).toEqual([404, "AGENT_NOT_FOUND"]);
      });
    }
  });
});

describe("an agent's execution", () => {
  it("answers from visible memories and matching skills, and is counted", async () => {
    const skill = await makeSkill({
      name: "Order a drink",
      trigger: "order a drink",
      action: "Order {drink} for {guest}.",
    });
    const { id } = await makeAgent({ skills: [skill, await makeSkill({ trigger: "water the plants" })] });
    const [shared] = [await remember("Ada prefers green tea."), await remember("Ada prefers hidden coffee.")];
    await caller.post(`/agents/${id}/memories`, { memory_id: shared, access_type: "read" });
    const answer = await eventually(async () => {
      const { status, body } = await caller.post(`/agents/${id}/execute`, {
        input: "Which drink does Ada prefer? Order a drink.",
        context: { drink: "green tea", guest: "Ada" },
      });
      expect(status, JSON.stringify(body)).toBe(200);
      expect(body.data.used_memories).toHaveLength(1);
      return body.data;
    });
    expect(answer).toEqual({
      agent_id: id,
      execution_id: expect.stringMatching(/^exec_/),
      status: "completed",
      result: {
        answer: expect.any(String),
        confidence: expect.any(Number),
        explanation: expect.any(String),
        quotes: [{ memory_id: shared, text: "Ada prefers green tea." }],
        unsupported: [],
      },
      used_memories: [{ id: shared, content: "Ada prefers green tea.", score: expect.any(Number) }],
      used_skills: [
        { id: skill, name: "Order a drink", trigger: "order a drink", action: "Order {drink} for {guest}.", fit: 1 },
      ],
      performance: {
        execution_time_ms: expect.any(Number),
        tokens_processed: expect.any(Number),
        cost_estimate: 0,
      },
      processing: expect.objectContaining({
        provider: "built-in",
        model: expect.any(String),
        fallback: false,
        requested_model: expect.any(String),
      }),
    });
    expect(answer.result.answer).toMatch(/green tea/);
    expect(answer.result.answer).toContain("Order green tea for Ada.");
    expect(JSON.stringify(answer)).not.toContain("hidden");
    expect(answer.performance.tokens_processed).toBeGreaterThan(10);
    const nothing = await caller.post(`/agents/${id}/execute`, { prompt: "quantum chromodynamics" });
    expect(nothing.body.data).toMatchObject({
      status: "unanswered",
      result: { confidence: 0 },
      used_memories: [],
      used_skills: [],
    });
    const { usage_stats } = await read(`/agents/${id}`);
    const stats = await read(`/agents/${id}/stats`);
    expect(stats.executions.total).toBeGreaterThanOrEqual(2);
    expect(stats.executions.failed).toBeGreaterThanOrEqual(1);
    expect(usage_stats.success_rate).toBeCloseTo(stats.executions.succeeded / stats.executions.total);
    expect(stats).toMatchObject({
      agent_id: id,
      status: "active",
      total_sessions: 0,
      memories: { own: 0, read: 1, read_write: 0 },
      skills: { total: 2, avg_confidence: 0.5 },
    });
    expect(stats.executions.tokens).toBeGreaterThanOrEqual(answer.performance.tokens_processed);
  });

  it("respects the token limit, and uses no memories if they are disabled", async () => {
    const { id } = await makeAgent({ config: { max_tokens: 5 } });
    const memory_id = await remember("Ada prefers green tea with a little milk and two spoons of brown sugar in it.");
    await caller.post(`/agents/${id}/memories`, { memory_id, access_type: "read" });
    const ask = async (more: object = {}) =>
      (await caller.post(`/agents/${id}/execute`, { input: "What does Ada prefer?", ...more })).body.data;
    await eventually(async () => expect((await ask()).used_memories).toHaveLength(1));
    expect((await ask()).result.answer.length).toBeLessThan(40);
    expect((await ask({ options: { max_tokens: 100 } })).result.answer.length).toBeLessThan(40);
    expect((await ask({ options: { memory_limit: 0 } })).used_memories).toEqual([]);
    await caller.put(`/agents/${id}`, { memory_settings: { enabled: false } });
    expect((await ask()).used_memories).toEqual([]);
  });

  it.each(["paused", "inactive"])("is rejected while the agent is %s", async (status) => {
    const { id } = await makeAgent();
    await caller.put(`/agents/${id}`, { status });
    const answer = await caller.post(`/agents/${id}/execute`, { input: "hello" });
    expect(codeOf(answer)).toEqual([409, "CONFLICT"]);
    expect(answer.body.error?.details).toEqual({ agent_id: id, status });
  });

  it.each([
    ["no input", {}, "input"],
    ["both an input and a prompt", { input: "a", prompt: "b" }, "input"],
    ["an empty input", { input: " " }, "input"],
    ["context that is a list", { input: "a", context: [] }, "context"],
    ["a zero timeout", { input: "a", options: { timeout_ms: 0 } }, "options.timeout_ms"],
    ["a max_tokens of zero", { input: "a", options: { max_tokens: 0 } }, "options.max_tokens"],
  ])("is rejected with %s", async (_what, body, field) => {
    const { id } = await makeAgent();
    const answer = await caller.post(`/agents/${id}/execute`, body);
    expect(codeOf(answer)).toEqual([400, "VALIDATION_ERROR"]);
    expect(fieldsAtFault(answer)).toEqual([field]);
  });
});
