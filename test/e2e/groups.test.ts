import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let target: Target;
let caller: Caller;

beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());
beforeEach(async () => {
  caller = await target.organization();
});

async function make(path: string, fields: object) {
  const { status, body } = await caller.post(path, fields);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

const makeGroup = (fields: object = {}) => make("/groups", { name: "Front desk", ...fields });
const makeAgent = async (fields: object = {}): Promise<string> =>
  (await make("/agents", { name: "Guide", model: "m", ...fields })).id;
const join = (group: string, agent_id: string, role?: string) =>
  make(`/groups/${group}/members`, role === undefined ? { agent_id } : { agent_id, role });
const remember = async (content: string): Promise<string> => (await make("/memories", { content })).id;
const share = (agent: string, memory_id: string, fields: object = {}) =>
  make(`/agents/${agent}/memories`, { memory_id, access_type: "read", ...fields });

let made = 0;
const makeSkill = async (): Promise<string> => {
  const skill = { name: `skill ${++made}`, trigger: "a guest asks for tea", action: "Serve tea.", domain: "house" };
  return (await make("/skills", skill)).id;
};

async function read(path: string, by: Caller = caller) {
  const { status, body } = await by.get(path);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

const idsIn = (things: { id: string }[]) => things.map(({ id }) => id);
const fieldsAtFault = ({ body }: { body: { error: { details: { fields: { field: string }[] } } } }) =>
  body.error?.details.fields.map(({ field }) => field);
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code];

describe("a group", () => {
  it("has no members at first, and is returned with all its fields", async () => {
    const fields = {
      name: "Front desk",
      description: "Answers first.",
      config: { load_balancing: "round_robin", fallback_enabled: true, timeout_ms: 5000 },
      skills: [await makeSkill()],
      metadata: { floor: 1 },
      department: "support",
    };
    const { id, ...group } = await makeGroup(fields);
    expect(id).toMatch(/^group_/);
    expect(group).toEqual({
      ...fields,
      member_count: 0,
      version: 1,
      created_at: expect.stringMatching(ISO),
      updated_at: group.created_at,
    });
    expect(await read(`/groups/${id}`)).toEqual({ id, ...group, members: [] });
  });

  it("is listed newest first, and can be filtered by department", async () => {
    const ids: string[] = [];
    for (const fields of [{ department: "a" }, { metadata: { department: "b" } }, { department: "a" }]) {
      ids.unshift((await makeGroup(fields)).id);
    }
    await eventually(async () => expect(idsIn((await read("/groups")).groups)).toEqual(ids));
    expect(idsIn((await read("/groups?department=a")).groups)).toEqual([ids[0], ids[2]]);
    expect(idsIn((await read("/groups?department=b")).groups)).toEqual([ids[1]]);
    const page = await read("/groups?limit=1&offset=1");
    expect(idsIn(page.groups)).toEqual([ids[1]]);
    expect(page.pagination).toEqual({ total: 3, limit: 1, offset: 1, has_next: true });
    expect(page.groups[0]).toMatchObject({ member_count: 0, skill_count: 0, department: "b", config: {} });
  });

  it("changes only the given fields, and removes fields that are set to null", async () => {
    const config = { fallback_enabled: true, timeout_ms: 5000 };
    const [one, other] = [await makeSkill(), await makeSkill()];
    const before = await makeGroup({ description: "old", department: "a", config, skills: [one] });
    const change = { config: { timeout_ms: 1 }, skills: [other], description: null, name: "New" };
    const { status, headers, body } = await caller.put(`/groups/${before.id}`, change);
    expect([status, headers.get("etag")]).toEqual([200, '"2"']);
    const { description, ...rest } = before;
    expect(body.data).toEqual({
      ...rest,
      name: "New",
      config: { fallback_enabled: true, timeout_ms: 1 },
      skills: [other],
      version: 2,
      updated_at: expect.stringMatching(ISO),
    });
    expect(await read(`/groups/${before.id}`)).toEqual({ ...body.data, members: [] });
    const stale = await caller.put(`/groups/${before.id}`, { name: "x" }, { headers: { "if-match": '"1"' } });
    expect(codeOf(stale)).toEqual([412, "PRECONDITION_FAILED"]);
  });

  it("is removed when it is deleted, while its members remain", async () => {
    const [{ id }, agent] = [await makeGroup(), await makeAgent()];
    await join(id, agent);
    const { status, body } = await caller.delete(`/groups/${id}`);
    expect([status, body.data]).toEqual([200, { id, deleted_at: expect.stringMatching(ISO) }]);
    for (const path of ["", "/skills", "/memories", "/stats"]) {
      expect(codeOf(await caller.get(`/groups/${id}${path}`))).toEqual([404, "GROUP_NOT_FOUND"]);
    }
    expect(codeOf(await caller.post(`/groups/${id}/members`, { agent_id: agent }))).toEqual([404, "GROUP_NOT_FOUND"]);
    expect(codeOf(await caller.delete(`/groups/${id}/members/${agent}`))).toEqual([404, "GROUP_NOT_FOUND"]);
    expect((await caller.get(`/agents/${agent}`)).status).toBe(200);
    await eventually(async () => expect((await read("/groups")).groups).toEqual([]));
  });

  it.each([
    ["no name", { name: undefined }, "name"],
    ["config that is not an object", { config: "x" }, "config"],
    ["a load balancing that is not a string", { config: { load_balancing: 1 } }, "config.load_balancing"],
    ["an unknown load balancing", { config: { load_balancing: "moon" } }, "config.load_balancing"],
    ["an invalid fallback flag", { config: { fallback_enabled: "yes" } }, "config.fallback_enabled"],
    ["a zero timeout", { config: { timeout_ms: 0 } }, "config.timeout_ms"],
    ["a fractional timeout", { config: { timeout_ms: 0.5 } }, "config.timeout_ms"],
    ["a duplicate skill", { skills: ["s", "s"] }, "skills.1"],
  ])("is rejected with %s", async (_what, fields, field) => {
    const answer = await caller.post("/groups", { name: "g", ...fields });
    expect(codeOf(answer)).toEqual([400, "VALIDATION_ERROR"]);
    expect(fieldsAtFault(answer)).toEqual([field]);
  });

  it("is rejected with a missing skill, also on update", async () => {
    expect(codeOf(await caller.post("/groups", { name: "g", skills: ["skill_absent"] }))).toEqual([
      404,
      "SKILL_NOT_FOUND",
    ]);
    const { id } = await makeGroup();
    expect(codeOf(await caller.put(`/groups/${id}`, { skills: ["skill_absent"] }))).toEqual([404, "SKILL_NOT_FOUND"]);
    expect(codeOf(await caller.put(`/groups/${id}`, {}))).toEqual([400, "VALIDATION_ERROR"]);
  });

  it.each([
    ["limit=101", "limit"],
    ["offset=-1", "offset"],
    ["department=", "department"],
  ])("cannot be listed with %s", async (query, field) => {
    const answer = await caller.get(`/groups?${query}`);
    expect(codeOf(answer)).toEqual([400, "VALIDATION_ERROR"]);
    expect(fieldsAtFault(answer)).toEqual([field]);
  });
});

describe("members of a group", () => {
  it("join once with a role, and leave", async () => {
    const { id } = await makeGroup();
    const [one, other] = [await makeAgent({ name: "One" }), await makeAgent({ name: "Other" })];
    const first = await join(id, one, "primary");
    expect(first).toEqual({ group_id: id, agent_id: one, role: "primary", joined_at: expect.stringMatching(ISO) });
    const second = await join(id, other);
    expect(second.role).toBe("secondary");
    const again = await caller.post(`/groups/${id}/members`, { agent_id: one, role: "fallback" });
    expect(codeOf(again)).toEqual([409, "MEMBER_EXISTS"]);
    expect(again.body.error?.details).toEqual({ group_id: id, agent_id: one });
    const group = await read(`/groups/${id}`);
    expect(group).toMatchObject({ member_count: 2, version: 3 });
    expect(group.members).toEqual([
      { id: one, name: "One", role: "primary", joined_at: first.joined_at },
      { id: other, name: "Other", role: "secondary", joined_at: second.joined_at },
    ]);
    await caller.put(`/agents/${one}`, { name: "Renamed" });
    expect((await read(`/groups/${id}`)).members[0].name).toBe("Renamed");
    const left = await caller.delete(`/groups/${id}/members/${one}`);
    expect(left.body.data).toEqual({ group_id: id, agent_id: one, removed_at: expect.stringMatching(ISO) });
    const twice = await caller.delete(`/groups/${id}/members/${one}`);
    expect(codeOf(twice)).toEqual([404, "MEMBER_NOT_FOUND"]);
    expect(await read(`/groups/${id}`)).toMatchObject({ member_count: 1, members: [{ id: other }] });
    await eventually(async () => expect((await read("/groups")).groups).toMatchObject([{ member_count: 1 }]));
  });

  it("must be agents of the organization, with a valid role", async () => {
    const stranger = await target.organization();
    const foreign = (await stranger.post("/agents", { name: "a", model: "m" })).body.data.id;
    const { id } = await makeGroup();
    for (const agent_id of ["agent_absent", foreign]) {
      const answer = await caller.post(`/groups/${id}/members`, { agent_id });
      expect(codeOf(answer)).toEqual([404, "AGENT_NOT_FOUND"]);
      expect(answer.body.error?.details).toEqual({ agent_id });
    }
    for (const [body, field] of [
      [{}, "agent_id"],
      [{ agent_id: await makeAgent(), role: "boss" }, "role"],
    ] as const) {
      const answer = await caller.post(`/groups/${id}/members`, body);
      expect(codeOf(answer)).toEqual([400, "VALIDATION_ERROR"]);
      expect(fieldsAtFault(answer)).toEqual([field]);
    }
    expect(await read(`/groups/${id}`)).toMatchObject({ member_count: 0, version: 1 });
  });

  it("are counted exactly if they join and leave concurrently", async () => {
    const agents = await Promise.all(Array.from({ length: 4 }, () => makeAgent()));
    const step = fc.record({ agent: fc.constantFrom(...agents), comes: fc.boolean() });
    const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      const { id } = await makeGroup();
      const path = `/groups/${id}/members`;
      const answers = await Promise.all(
        steps.map(({ agent, comes }) =>
          comes ? caller.post(path, { agent_id: agent }) : caller.delete(`${path}/${agent}`),
        ),
      );
      const done = answers.map(({ status }) => status < 300);
      const balance = (agent: string) =>
        steps.reduce((sum, step, index) => sum + (step.agent === agent && done[index] ? (step.comes ? 1 : -1) : 0), 0);
      for (const [index, { comes }] of steps.entries()) {
        expect([comes ? 201 : 200, comes ? 409 : 404]).toContain(answers[index]?.status);
      }
      const { member_count, members, version } = await read(`/groups/${id}`);
      expect(idsIn(members).toSorted()).toEqual(agents.filter((agent) => balance(agent) === 1).toSorted());
      expect(member_count).toBe(members.length);
      expect(version).toBe(1 + done.filter(Boolean).length);
      const listed = async () => (await read("/groups?limit=1")).groups[0];
      await eventually(async () => expect(await listed()).toMatchObject({ id, member_count: members.length }));
    });
    await fc.assert(property, { numRuns: 10 });
  }, 60_000);

  it("are limited to 100", async () => {
    const { id } = await makeGroup();
    const agents: string[] = [];
    for (let count = 0; count < 101; count++) agents.push(await makeAgent());
    for (const agent of agents.slice(0, 100)) await join(id, agent);
    const answer = await caller.post(`/groups/${id}/members`, { agent_id: agents[100] });
    expect(codeOf(answer)).toEqual([409, "CONFLICT"]);
    expect((await read(`/groups/${id}`)).members).toHaveLength(100);
  }, 60_000);
});

describe("the resources of a group", () => {
  it("include its own and its members' skills, each once", async () => {
    const [a, b, c, d] = [await makeSkill(), await makeSkill(), await makeSkill(), await makeSkill()];
    const { id } = await makeGroup({ skills: [b] });
    const [one, other] = [await makeAgent({ skills: [a, b] }), await makeAgent({ skills: [c, a] })];
    await makeAgent({ skills: [d] });
    await join(id, one);
    await join(id, other);
    const { skills, ...rest } = await read(`/groups/${id}/skills`);
    expect(rest).toEqual({
      group_id: id,
      total_skills: 3,
      pagination: { total: 3, limit: 20, offset: 0, has_next: false },
    });
    expect(
      skills.map(({ id, own, agent_ids }: { id: string; own: boolean; agent_ids: string[] }) => ({
        id,
        own,
        agent_ids,
      })),
    ).toEqual([
      { id: b, own: true, agent_ids: [one] },
      { id: a, own: false, agent_ids: [one, other] },
      { id: c, own: false, agent_ids: [other] },
    ]);
    expect(skills[0]).toMatchObject({ trigger: "a guest asks for tea", confidence: 0.5, usage_count: 0 });
    const page = await read(`/groups/${id}/skills?limit=1&offset=1`);
    expect(idsIn(page.skills)).toEqual([a]);
    expect(page.pagination).toEqual({ total: 3, limit: 1, offset: 1, has_next: true });
    await caller.delete(`/agents/${other}`);
    await eventually(async () => expect(idsIn((await read(`/groups/${id}/skills`)).skills)).toEqual([b, a]));
  });

  it("include the memories shared with its members, each once, with the widest access", async () => {
    const { id } = await makeGroup();
    const [one, other, outsider] = [await makeAgent(), await makeAgent(), await makeAgent()];
    await join(id, one);
    await join(id, other);
    const [tea, milk, beer] = [await remember("tea"), await remember("milk"), await remember("beer")];
    await share(one, tea);
    await share(one, milk);
    await share(other, tea, { access_type: "read_write" });
    await share(outsider, beer);
    await eventually(async () => {
      const { memories, ...rest } = await read(`/groups/${id}/memories`);
      expect(rest).toMatchObject({ group_id: id, total_memories: 2, pagination: { total: 2, has_next: false } });
      expect(memories).toMatchObject([
        { id: tea, content: "tea", access_type: "read_write", agent_ids: [one, other] },
        { id: milk, content: "milk", access_type: "read", agent_ids: [one] },
      ]);
    });
    const page = await read(`/groups/${id}/memories?limit=1&offset=1`);
    expect(idsIn(page.memories)).toEqual([milk]);
    expect(page.pagination).toEqual({ total: 2, limit: 1, offset: 1, has_next: false });
    await caller.delete(`/groups/${id}/members/${other}`);
    await caller.delete(`/memories/${milk}`);
    await eventually(async () => {
      expect((await read(`/groups/${id}/memories`)).memories).toMatchObject([{ id: tea, access_type: "read" }]);
    });
  });

  it("are counted", async () => {
    const skill = await makeSkill();
    const { id } = await makeGroup({ skills: [skill] });
    const [one, other] = [await makeAgent({ skills: [skill] }), await makeAgent()];
    await join(id, one, "primary");
    await join(id, other, "fallback");
    await caller.put(`/agents/${other}`, { status: "paused" });
    await share(one, await remember("Ada drinks tea."));
    for (const input of ["What does Ada drink?", "quantum chromodynamics"]) {
      expect((await caller.post(`/agents/${one}/execute`, { input })).status).toBe(200);
    }
    await eventually(async () => {
      expect(await read(`/groups/${id}/stats`)).toMatchObject({
        group_id: id,
        member_count: 2,
        members_by_role: { primary: 1, secondary: 0, fallback: 1 },
        members_by_status: { active: 1, inactive: 0, paused: 1 },
        total_sessions: 0,
        avg_session_duration: null,
        executions: { total: 2 },
        total_skills: 1,
        total_memories: 1,
      });
    });
  });
});

describe("executing a group", () => {
  const execute = (group: string, body: object = {}) =>
    caller.post(`/groups/${group}/execute`, { input: "What does Ada prefer?", ...body });
  /** Creates an agent that knows what Ada prefers, or nothing. */
  const knowing = async (what?: string): Promise<string> => {
    const id = await makeAgent();
    if (what !== undefined) await share(id, await remember(`Ada prefers ${what}.`));
    return id;
  };
  const attemptsOf = ({ body }: Awaited<ReturnType<typeof execute>>) =>
    body.data.attempts.map((each: { agent_id: string; status: string }) => [each.agent_id, each.status]);

  it("asks primary members first, then the others if those have no answer", async () => {
    const { id } = await makeGroup();
    const [last, second, first] = [await knowing("tea"), await knowing("coffee"), await knowing()];
    const paused = await knowing("milk");
    await caller.put(`/agents/${paused}`, { status: "paused" });
    await join(id, last, "fallback");
    await join(id, second);
    await join(id, paused, "primary");
    // Members of one role are asked in the order in which they joined, by the millisecond.
    await setTimeout(2);
    await join(id, first, "primary");
    const answer = await eventually(async () => {
      const given = await execute(id);
      expect(given.status, JSON.stringify(given.body)).toBe(200);
      expect(given.body.data.status).toBe("completed");
      return given;
    });
    expect(answer.body.data).toMatchObject({
      group_id: id,
      agent_id: second,
      role: "secondary",
      result: { answer: "Ada prefers coffee." },
    });
    expect(attemptsOf(answer)).toEqual([
      [paused, "skipped"],
      [first, "unanswered"],
      [second, "completed"],
    ]);
    await caller.put(`/groups/${id}`, { config: { fallback_enabled: false } });
    const alone = await execute(id);
    expect(alone.body.data).toMatchObject({ agent_id: first, status: "unanswered" });
    expect(attemptsOf(alone)).toEqual([
      [paused, "skipped"],
      [first, "unanswered"],
    ]);
  });

  it("uses the group's skills", async () => {
    const skill = (
      await make("/skills", { name: "Greet", trigger: "a guest arrives", action: "Say hello.", domain: "x" })
    ).id;
    const { id } = await makeGroup({ skills: [skill] });
    await join(id, await knowing());
    const { body } = await execute(id, { input: "A guest arrives." });
    expect(body.data).toMatchObject({ used_skills: [{ id: skill }], result: { answer: "Greet: Say hello." } });
  });

  it.each(["round_robin", "priority", "random"])("distributes executions by %s", async (load_balancing) => {
    const { id } = await makeGroup({ config: { load_balancing, fallback_enabled: false } });
    const members = [await knowing(), await knowing()];
    for (const member of members) await join(id, member);
    const asked: string[] = [];
    for (let time = 0; time < 4; time++) asked.push((await execute(id)).body.data.agent_id);
    if (load_balancing === "round_robin") expect(asked).toEqual([...members, ...members]);
    else if (load_balancing === "priority") expect(new Set(asked)).toEqual(new Set([members[0]]));
    else for (const each of asked) expect(members).toContain(each);
  });

  it("respects the timeout, and returns CONFLICT if no member can answer", async () => {
    const { id } = await makeGroup({ config: { timeout_ms: 1 } });
    const member = await knowing();
    await join(id, member);
    expect(codeOf(await execute(id))).toEqual([409, "CONFLICT"]);
    const { id: empty } = await makeGroup();
    expect(codeOf(await execute(empty))).toEqual([409, "CONFLICT"]);
    expect(codeOf(await execute("group_absent"))).toEqual([404, "GROUP_NOT_FOUND"]);
  });
});
