import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let target: Target;
let owner: Caller;

beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());
beforeEach(async () => {
  owner = await target.organization();
});

interface Skill {
  id: string;
  name: string;
  review_id: string;
  version: number;
}

const draft = (fields: object = {}) => ({
  name: "Refund an order",
  trigger: "a customer asks for a refund",
  action: "Check order {order.number}, then refund {order.amount}.",
  domain: "support",
  ...fields,
});

/** Creates a skill and returns the answer's data. */
async function make(fields: object = {}, caller: Caller = owner): Promise<Skill> {
  const { status, body } = await caller.post("/skills", draft(fields));
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

async function read(id: string) {
  const { status, body } = await owner.get(`/skills/${id}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

async function listed(query = "", caller: Caller = owner): Promise<string[]> {
  const { status, body } = await caller.get(`/skills?limit=100${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.skills.map(({ name }: { name: string }) => name);
}

async function found(query: string, caller: Caller = owner): Promise<string[]> {
  const { status, body } = await caller.get(`/skills/search?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.results.map(({ name }: { name: string }) => name);
}

const fieldsOf = (body: { error: { details: { fields: { field: string }[] } } }) =>
  body.error?.details.fields.map(({ field }) => field);

describe("creating a skill", () => {
  it("returns it as stored, unused and not reviewed", async () => {
    const fields = draft({
      confidence: 0.8,
      tags: ["billing", "money", "billing"],
      examples: ["I want my money back"],
    });
    const { status, headers, body } = await owner.post("/skills", { ...fields, metadata: { team: "a" } });
    expect(status).toBe(201);
    expect(headers.get("etag")).toBe('"1"');
    expect(body.data).toEqual({
      ...fields,
      id: expect.stringMatching(/^skill_/),
      tags: ["billing", "money"],
      metadata: { team: "a" },
      usage_count: 0,
      last_used: null,
      superseded_by: null,
      files: [],
      evidence: { stated_confidence: 0.8, outcomes: 0, successes: 0, lower_bound: expect.closeTo(0.6016, 3) },
      verified: false,
      human_reviewed: false,
      review_id: expect.stringMatching(/^rev_/),
      version: 1,
      created_at: expect.stringMatching(ISO),
      updated_at: body.data.created_at,
    });
    expect(await read(body.data.id)).toEqual(body.data);
  });

  it("requires only name, trigger, action and domain", async () => {
    expect(await make()).toMatchObject({ confidence: 0.5, tags: [], examples: [], metadata: {} });
  });

  it.each([
    ["no name", { name: undefined }, ["name"]],
    ["an empty trigger", { trigger: "  " }, ["trigger"]],
    ["no action, no domain", { action: undefined, domain: undefined }, ["action", "domain"]],
    ["a confidence above 1", { confidence: 1.01 }, ["confidence"]],
    ["a confidence below 0", { confidence: -0.01 }, ["confidence"]],
    ["a confidence that is none", { confidence: "high" }, ["confidence"]],
    ["tags that are none", { tags: "a,b" }, ["tags"]],
    ["a tag with a comma", { tags: ["a,b"] }, ["tags.0"]],
    ["too many examples", { examples: Array(21).fill("x") }, ["examples"]],
    ["a name that is too long", { name: "x".repeat(129) }, ["name"]],
    ["metadata that are none", { metadata: [] }, ["metadata"]],
  ])("is refused for %s", async (_what, fields, names) => {
    const { status, body } = await owner.post("/skills", draft(fields));
    expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(fieldsOf(body).toSorted()).toEqual(names);
  });

  it("accepts the smallest confidence, and names of any script", async () => {
    expect(await make({ confidence: 1e-300 })).toMatchObject({ confidence: 0 });
    for (const name of ["返金する", "ﷺ".repeat(128), "🧾".repeat(64), "İ".repeat(128), "\u{1D160}".repeat(64)]) {
      const { id } = await make({ name });
      expect(await read(id)).toMatchObject({ name });
    }
  });
});

describe("names", () => {
  it("are unique in an organization, regardless of case and spaces", async () => {
    const { id } = await make({ name: "Refund an Order" });
    for (const name of ["Refund an Order", " refund  AN order\t"]) {
      const { status, body } = await owner.post("/skills", draft({ name }));
      expect([status, body.error?.code]).toEqual([409, "SKILL_NAME_EXISTS"]);
      expect(body.error?.details).toEqual({ name, skill_id: id });
    }
    await make({ name: "Refund an Order" }, await target.organization());
  });

  it("are given to one of several concurrent requests", async () => {
    const wanted = Array.from({ length: 8 }, (_, index) => draft({ name: index % 2 ? "One Name" : "one  name" }));
    const answers = await Promise.all(wanted.map((body) => owner.post("/skills", body)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(409)]);
    await eventually(async () => expect(await listed()).toHaveLength(1));
  });

  it("can be reused after their skill is renamed or deleted", async () => {
    const first = await make({ name: "First" });
    expect((await owner.put(`/skills/${first.id}`, { name: "Second" })).status).toBe(200);
    const second = await make({ name: "First" });
    expect((await owner.put(`/skills/${second.id}`, { name: "SECOND" })).body.error?.code).toBe("SKILL_NAME_EXISTS");
    expect(await read(second.id)).toMatchObject({ name: "First", version: 1 });
    expect((await owner.delete(`/skills/${first.id}`)).status).toBe(200);
    expect((await owner.put(`/skills/${second.id}`, { name: "Second" })).status).toBe(200);
    await make({ name: "First" });
  });

  it("are given to one of two concurrent renames, and the other skill keeps its name", async () => {
    const [one, other] = [await make({ name: "One" }), await make({ name: "Other" })];
    const both = await Promise.all(
      [one, other].map(({ id }) => owner.put(`/skills/${id}`, { name: "Wanted", action: "Do it." })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await eventually(async () => expect((await listed("&sort=name asc")).length).toBe(2));
    const names = await listed("&sort=name asc");
    expect(names).toContain("Wanted");
    const freed = both[0]?.status === 200 ? "One" : "Other";
    await make({ name: freed });
  });

  it("may change their case", async () => {
    const { id } = await make({ name: "refund" });
    expect((await owner.put(`/skills/${id}`, { name: "Refund" })).body.data).toMatchObject({ name: "Refund" });
    expect((await owner.post("/skills", draft({ name: "REFUND" }))).status).toBe(409);
  });
});

describe("listing skills", () => {
  it("returns pages, the most used first, then the newest", async () => {
    for (const name of ["a", "b", "c", "d"]) await make({ name });
    const ids = new Map((await owner.get("/skills")).body.data.skills.map((each: Skill) => [each.name, each.id]));
    for (const name of ["b", "b", "d"]) await owner.post(`/skills/${ids.get(name)}/use`, {});
    await eventually(async () => expect(await listed()).toEqual(["b", "d", "c", "a"]));
    expect(await listed("&sort=usage_count asc")).toEqual(["a", "c", "d", "b"]);
    const { data } = (await owner.get("/skills?limit=2&offset=1")).body;
    expect(data.skills.map((each: Skill) => each.name)).toEqual(["d", "c"]);
    expect(data.pagination).toEqual({ total: 4, limit: 2, offset: 1, has_next: true });
    expect(Object.keys(data.skills[0]).sort()).toEqual([
      "action",
      "confidence",
      "created_at",
      "domain",
      "id",
      "name",
      "trigger",
      "usage_count",
      "verified",
    ]);
  });

  it("sorts by creation, update and name", async () => {
    const [b, a, c] = [await make({ name: "b" }), await make({ name: "A" }), await make({ name: "c" })];
    await owner.put(`/skills/${a.id}`, { action: "Do something else." });
    await owner.put(`/skills/${b.id}`, { action: "Do something else." });
    expect(c.version).toBe(1);
    await eventually(async () => {
      expect(await listed("&sort=created_at")).toEqual(["c", "A", "b"]);
      expect(await listed("&sort=created_at asc")).toEqual(["b", "A", "c"]);
      expect(await listed("&sort=updated_at desc")).toEqual(["b", "A", "c"]);
      expect(await listed("&sort=name asc")).toEqual(["A", "b", "c"]);
      expect(await listed("&sort=name desc")).toEqual(["c", "b", "A"]);
    });
  });

  it.each(["usage_count desc", "created_at desc", "updated_at desc", "name asc"])(
    "filters by domain, trigger, tags and verification (sort=%s)",
    async (sort) => {
      await make({ name: "tea", trigger: "a guest asks for Tea", domain: "house", tags: ["drink", "hot"] });
      await make({ name: "ice", trigger: "a guest asks for ice", domain: "house", tags: ["cold"] });
      const checked = await make({ name: "fix", trigger: "the build breaks", domain: "work", tags: ["drink"] });
      await owner.post(`/reviews/${checked.review_id}`, { approved: true });
      const names = async (query: string) => (await listed(`&sort=${sort}&${query}`)).toSorted();
      await eventually(async () => {
        expect(await names("domain=house")).toEqual(["ice", "tea"]);
        expect(await names("domain=hous")).toEqual([]);
        expect(await names("trigger=asks for")).toEqual(["ice", "tea"]);
        expect(await names("trigger=A GUEST  asks for tea")).toEqual(["tea"]);
        expect(await names("tags=drink")).toEqual(["fix", "tea"]);
        expect(await names("tags=cold, hot")).toEqual(["ice", "tea"]);
        expect(await names("tags=col")).toEqual([]);
        expect(await names("verified=true")).toEqual(["fix"]);
        expect(await names("verified=false&domain=house&tags=drink")).toEqual(["tea"]);
      });
    },
  );

  it("counts and pages through the filtered skills", async () => {
    for (let index = 0; index < 5; index++) await make({ name: `s${index}`, domain: index % 2 ? "odd" : "even" });
    await eventually(async () => {
      const { data } = (await owner.get("/skills?domain=even&limit=2&sort=name asc")).body;
      expect(data.skills.map((each: Skill) => each.name)).toEqual(["s0", "s2"]);
      expect(data.pagination).toEqual({ total: 3, limit: 2, offset: 0, has_next: true });
    });
  });

  it.each([
    ["sort=confidence", "sort"],
    ["sort=usage_count sideways", "sort"],
    ["sort=name asc extra", "sort"],
    ["limit=101", "limit"],
    ["limit=0", "limit"],
    ["offset=-1", "offset"],
    ["verified=perhaps", "verified"],
    ["tags=,", "tags.0"],
    ["trigger=", "trigger"],
  ])("refuses %s", async (query, field) => {
    const { status, body } = await owner.get(`/skills?${query}`);
    expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(fieldsOf(body)).toContain(field);
  });
});

describe("changing a skill", () => {
  it("creates a new version, which is not reviewed", async () => {
    const made = await make();
    await owner.post(`/reviews/${made.review_id}`, { approved: true });
    expect(await read(made.id)).toMatchObject({ verified: true, human_reviewed: true });
    const change = { trigger: "a refund is due", tags: ["new"], metadata: { a: 1 }, domain: "sales", examples: ["x"] };
    const { status, headers, body } = await owner.put(`/skills/${made.id}`, change);
    expect([status, headers.get("etag")]).toEqual([200, '"2"']);
    expect(body.data).toMatchObject({ ...change, name: made.name, version: 2, verified: false, human_reviewed: false });
    expect(body.data.review_id).not.toBe(made.review_id);
    expect(await read(made.id)).toEqual(body.data);
  });

  it("honours If-Match", async () => {
    const { id } = await make();
    const first = await owner.put(`/skills/${id}`, { action: "One." }, { headers: { "if-match": '"1"' } });
    expect(first.status).toBe(200);
    for (const verb of ["put", "delete"] as const) {
      const { status, body } = await owner[verb](`/skills/${id}`, verb === "put" ? { action: "Two." } : undefined, {
        headers: { "if-match": '"1"' },
      });
      expect([status, body.error?.code, body.error?.details.current_version]).toEqual([412, "PRECONDITION_FAILED", 2]);
    }
    expect((await owner.delete(`/skills/${id}`, undefined, { headers: { "if-match": '"2"' } })).status).toBe(200);
  });

  it("loses none of the concurrent changes and uses", async () => {
    const { id } = await make();
    const answers = await Promise.all([
      owner.put(`/skills/${id}`, { action: "Do it." }),
      owner.put(`/skills/${id}`, { tags: ["t"] }),
      owner.put(`/skills/${id}`, { metadata: { a: 1 } }),
      ...Array.from({ length: 6 }, () => owner.post(`/skills/${id}/use`, { success: true })),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(200));
    const skill = await read(id);
    expect(skill).toMatchObject({ action: "Do it.", tags: ["t"], metadata: { a: 1 }, version: 4, usage_count: 6 });
    const { versions } = (await owner.get(`/skills/${id}/versions`)).body.data;
    const outcomes = versions.map(({ evidence }: { evidence: { outcomes: number } }) => evidence.outcomes);
    expect(outcomes.reduce((sum: number, count: number) => sum + count, 0)).toBe(6);
    expect(skill.confidence).toBeCloseTo((0.5 * 10 + outcomes.at(-1)) / (10 + outcomes.at(-1)));
    const pending = (await owner.get(`/reviews?skill_id=${id}`)).body.data.reviews;
    await eventually(async () => expect(pending).toHaveLength(1));
    expect(pending[0]).toMatchObject({ id: skill.review_id, skill_version: 4 });
  });

  it.each([
    ["nothing", {}, "body"],
    ["what is read-only and differs", { action: "x", verified: true }, "verified"],
    ["a confidence outside 0 to 1", { confidence: 2 }, "confidence"],
    ["an empty name", { name: "" }, "name"],
  ])("is refused for %s", async (_what, change, field) => {
    const { id } = await make();
    const { status, body } = await owner.put(`/skills/${id}`, change);
    expect([status, fieldsOf(body)]).toEqual([400, [field]]);
  });
});

describe("deleting a skill", () => {
  it("removes it from reads, lists and searches, with its review", async () => {
    const { id, review_id } = await make();
    await eventually(async () => expect(await found("trigger=refund")).toHaveLength(1));
    const { status, body } = await owner.delete(`/skills/${id}`);
    expect([status, body.data]).toEqual([200, { id, deleted_at: expect.stringMatching(ISO) }]);
    expect((await owner.get(`/skills/${id}`)).body.error).toMatchObject({
      code: "SKILL_NOT_FOUND",
      details: { skill_id: id },
    });
    await eventually(async () => {
      expect(await listed()).toEqual([]);
      expect(await listed("&sort=name")).toEqual([]);
      expect(await found("trigger=refund")).toEqual([]);
      expect((await owner.get("/reviews")).body.data.reviews).toEqual([]);
    });
    expect((await owner.get(`/reviews/${review_id}`)).body.data).toMatchObject({ status: "withdrawn", approved: null });
    for (const [verb, path, given] of [
      ["put", "", { action: "x" }],
      ["delete", "", undefined],
      ["post", "/use", { context: "x" }],
      ["post", "/execute", { context: {} }],
      ["get", "/similar", undefined],
    ] as const) {
      const answer = await (verb === "get"
        ? owner.get(`/skills/${id}${path}`)
        : owner[verb](`/skills/${id}${path}`, given));
      expect([verb, path, answer.status, answer.body.error?.code]).toEqual([verb, path, 404, "SKILL_NOT_FOUND"]);
    }
  });
});

describe("the versions of a skill", () => {
  const versionsOf = async (id: string, query = "") => (await owner.get(`/skills/${id}/versions${query}`)).body.data;

  it("keep their former fields and their own evidence", async () => {
    const { id, review_id } = await make({ confidence: 0.9 });
    for (const success of [false, false, true]) await owner.post(`/skills/${id}/use`, { success });
    await owner.post(`/reviews/${review_id}`, { approved: true });
    expect((await read(id)).confidence).toBeCloseTo((9 + 2) / 14);
    const { data } = (await owner.put(`/skills/${id}`, { action: "Call the customer." })).body;
    expect(data).toMatchObject({ confidence: 0.9, evidence: { outcomes: 0, successes: 0 }, usage_count: 3 });
    await owner.post(`/skills/${id}/use`, { success: true });
    const { versions, pagination, skill_id } = await versionsOf(id);
    expect([skill_id, pagination]).toEqual([id, { total: 2, limit: 20, offset: 0, has_next: false }]);
    expect(versions).toEqual([
      {
        version: 1,
        ...draft(),
        tags: [],
        examples: [],
        metadata: {},
        confidence: expect.closeTo((9 + 2) / 14),
        evidence: { stated_confidence: 0.9, outcomes: 4, successes: 2, lower_bound: expect.any(Number) },
        verified: true,
        human_reviewed: true,
        created_at: expect.stringMatching(ISO),
      },
      expect.objectContaining({
        version: 2,
        action: "Call the customer.",
        verified: false,
        evidence: expect.objectContaining({ outcomes: 1, successes: 1 }),
      }),
    ]);
    const page = await versionsOf(id, "?limit=1&offset=1");
    expect([page.versions, page.pagination]).toEqual([
      [versions[1]],
      { total: 2, limit: 1, offset: 1, has_next: false },
    ]);
    expect((await versionsOf(id, "?limit=1")).pagination.has_next).toBe(true);
    expect((await versionsOf(id, "?offset=2")).versions).toEqual([]);
  });

  it("count the outcome of a use that names them", async () => {
    const { id } = await make();
    await owner.put(`/skills/${id}`, { action: "Call the customer." });
    const late = await owner.post(`/skills/${id}/use`, { success: false, version: 1 });
    expect(late.body.data).toMatchObject({ usage_count: 1, confidence: 0.5 });
    const { versions } = await versionsOf(id);
    expect(versions).toMatchObject([{ evidence: { outcomes: 1, successes: 0 } }, { evidence: { outcomes: 0 } }]);
    const absent = await owner.post(`/skills/${id}/use`, { success: true, version: 3 });
    expect([absent.status, absent.body.error?.code]).toEqual([404, "VERSION_NOT_FOUND"]);
    expect(await read(id)).toMatchObject({ usage_count: 1 });
  });

  it("are restored as a new version, which is not reviewed", async () => {
    const { id } = await make({ confidence: 0.8, tags: ["a"] });
    await owner.put(`/skills/${id}`, { name: "Other", trigger: "t", tags: [], metadata: { a: 1 }, confidence: 0.1 });
    const { status, headers, body } = await owner.post(`/skills/${id}/restore`, { version: 1 });
    expect([status, headers.get("etag")]).toEqual([200, '"3"']);
    expect(body.data).toMatchObject({ ...draft(), confidence: 0.8, tags: ["a"], metadata: {}, version: 3 });
    expect(body.data).toMatchObject({ verified: false, evidence: { outcomes: 0 } });
    expect(await read(id)).toEqual(body.data);
    expect((await versionsOf(id)).versions).toHaveLength(3);
    const stale = await owner.post(`/skills/${id}/restore`, { version: 1 }, { headers: { "if-match": '"1"' } });
    expect(stale.status).toBe(412);
    for (const [version, code] of [
      [9, [404, "VERSION_NOT_FOUND"]],
      [0, [400, "VALIDATION_ERROR"]],
    ] as const) {
      const answer = await owner.post(`/skills/${id}/restore`, { version });
      expect([answer.status, answer.body.error?.code]).toEqual(code);
    }
    expect((await owner.post(`/skills/${id}/restore`, { version: 2 })).status).toBe(200);
    await make();
    expect((await owner.post(`/skills/${id}/restore`, { version: 1 })).body.error?.code).toBe("SKILL_NAME_EXISTS");
  });

  it("are inaccessible to other organizations, and deleted with the skill", async () => {
    const { id } = await make();
    const stranger = await target.organization();
    expect((await stranger.get(`/skills/${id}/versions`)).status).toBe(404);
    expect((await stranger.post(`/skills/${id}/restore`, { version: 1 })).status).toBe(404);
    await owner.delete(`/skills/${id}`);
    expect((await owner.get(`/skills/${id}/versions`)).body.error?.code).toBe("SKILL_NOT_FOUND");
  });
});

describe("using a skill", () => {
  it("counts it, stores the time, and changes the confidence by the outcome", async () => {
    const { id } = await make({ confidence: 0.5 });
    const use = (body: object) => owner.post(`/skills/${id}/use`, body);
    const { status, body } = await use({ context: "a guest", success: true, execution_time_ms: 12 });
    expect([status, body.data]).toEqual([
      200,
      {
        skill_id: id,
        usage_count: 1,
        total_usage: 1,
        confidence: expect.closeTo(6 / 11),
        last_used: expect.stringMatching(ISO),
      },
    ]);
    expect((await use({ success: false })).body.data).toMatchObject({
      usage_count: 2,
      confidence: expect.closeTo(6 / 12),
    });
    expect((await use({})).body.data).toMatchObject({ usage_count: 3, confidence: expect.closeTo(6 / 12) });
    const skill = await read(id);
    expect(skill).toMatchObject({ usage_count: 3, confidence: expect.closeTo(0.5), version: 1 });
    expect(skill.last_used >= body.data.last_used).toBe(true);
  });

  it("restarts the evidence when a client sets the confidence", async () => {
    const { id } = await make({ confidence: 0.9 });
    for (let index = 0; index < 5; index++) await owner.post(`/skills/${id}/use`, { success: false });
    expect((await read(id)).confidence).toBeCloseTo(9 / 15);
    expect((await owner.put(`/skills/${id}`, { confidence: 1 })).body.data).toMatchObject({ confidence: 1 });
    const { data } = (await owner.post(`/skills/${id}/use`, { success: true })).body;
    expect(data).toMatchObject({ usage_count: 6, confidence: 1 });
  });

  it("keeps the confidence between 0 and 1, however often it is used", async () => {
    const sure = await make({ name: "sure", confidence: 1 });
    const doubted = await make({ name: "doubted", confidence: 0 });
    for (let index = 0; index < 3; index++) {
      await owner.post(`/skills/${sure.id}/use`, { success: true });
      await owner.post(`/skills/${doubted.id}/use`, { success: false });
    }
    expect([(await read(sure.id)).confidence, (await read(doubted.id)).confidence]).toEqual([1, 0]);
  });

  it("counts fifty concurrent uses, and updates the order of the list", async () => {
    const [busy, idle] = [await make({ name: "busy" }), await make({ name: "idle" })];
    await owner.post(`/skills/${idle.id}/use`, {});
    const uses = Array.from({ length: 50 }, (_, index) => ({ success: index % 5 !== 0 }));
    const answers = await Promise.all(uses.map((use) => owner.post(`/skills/${busy.id}/use`, use)));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(await read(busy.id)).toMatchObject({ usage_count: 50, confidence: expect.closeTo((5 + 40) / 60) });
    await eventually(async () => expect(await listed()).toEqual(["busy", "idle"]));
  });

  it("counts once if the request is repeated with the same Idempotency-Key", async () => {
    const { id } = await make();
    const headers = { "idempotency-key": "once" };
    const [first, again] = [
      await owner.post(`/skills/${id}/use`, { success: true }, { headers }),
      await owner.post(`/skills/${id}/use`, { success: true }, { headers }),
    ];
    expect(again.body.data).toEqual(first.body.data);
    expect(await read(id)).toMatchObject({ usage_count: 1 });
  });

  it.each([
    ["an outcome that is none", { success: "yes" }, "success"],
    ["a negative time", { execution_time_ms: -1 }, "execution_time_ms"],
    ["half a millisecond", { execution_time_ms: 0.5 }, "execution_time_ms"],
    ["a context that is none", { context: { a: 1 } }, "context"],
  ])("is refused for %s", async (_what, use, field) => {
    const { id } = await make();
    const { status, body } = await owner.post(`/skills/${id}/use`, use);
    expect([status, fieldsOf(body)]).toEqual([400, [field]]);
    expect(await read(id)).toMatchObject({ usage_count: 0 });
  });
});

describe("finding skills by a trigger", () => {
  beforeEach(async () => {
    await make({ name: "refund", trigger: "a customer asks for a refund", domain: "support" });
    await make({ name: "exchange", trigger: "a customer wants to exchange an item", domain: "support" });
    await make({ name: "deploy", trigger: "someone asks to deploy to production", domain: "ops" });
    await make({ name: "rollback", trigger: "a deployment to production failed", domain: "ops" });
  });

  it("returns them ranked, with scores above the threshold", async () => {
    await eventually(async () => {
      const { body } = await owner.get("/skills/search?trigger=customer refund");
      expect(body.data).toMatchObject({ query: "customer refund", total_results: body.data.results.length });
      const [best] = body.data.results;
      expect(best).toEqual({
        id: expect.stringMatching(/^skill_/),
        name: "refund",
        trigger: "a customer asks for a refund",
        action: expect.any(String),
        confidence: 0.5,
        similarity_score: expect.any(Number),
        rank: 1,
      });
      for (const { similarity_score } of body.data.results) {
        expect(similarity_score).toBeGreaterThanOrEqual(0.7);
        expect(similarity_score).toBeLessThanOrEqual(1);
      }
    });
    expect(await found("trigger=The customer would like a refund, please")).toContain("refund");
    expect((await found("trigger=deployment failed"))[0]).toBe("rollback");
    expect(await found("trigger=weather in Paris")).toEqual([]);
  });

  it("is limited by domain, limit and threshold", async () => {
    await eventually(async () => expect(await found("trigger=customer&threshold=0&limit=50")).toHaveLength(4));
    expect(await found("trigger=customer&threshold=0&domain=support")).toHaveLength(2);
    expect(await found("trigger=customer&threshold=0&domain=none")).toEqual([]);
    expect(await found("trigger=customer&threshold=0&limit=1")).toHaveLength(1);
    expect(await found("trigger=someone asks to deploy to production&threshold=0.9")).toEqual(["deploy"]);
  });

  it("finds the current version", async () => {
    const { id } = await make({ name: "tea", trigger: "a guest is thirsty" });
    await owner.put(`/skills/${id}`, { trigger: "a guest is hungry" });
    await eventually(async () => {
      expect(await found("trigger=hungry guest")).toEqual(["tea"]);
      expect(await found("trigger=thirsty")).toEqual([]);
    });
  });

  it("finds them also by their names, actions, examples and tags", async () => {
    await make({
      ...{ name: "Zebra protocol", trigger: "t", action: "Fetch the giraffe.", tags: ["elephant"] },
      examples: ["a hippo got out"],
    });
    await eventually(async () => {
      for (const word of ["zebra", "giraffe", "elephant", "hippo"]) {
        expect(await found(`trigger=${word}`), word).toEqual(["Zebra protocol"]);
      }
    });
  });

  it("ranks the more proven of two equally similar skills first", async () => {
    const fields = { trigger: "the kettle is empty", action: "Fill it." };
    const [plain, proven] = [await make({ ...fields, name: "Kettle A" }), await make({ ...fields, name: "Kettle B" })];
    const kettles = async () => (await found("trigger=the kettle is empty")).slice(0, 2);
    for (let index = 0; index < 3; index++) await owner.post(`/skills/${proven.id}/use`, { success: true });
    await eventually(async () => expect(await kettles()).toEqual(["Kettle B", "Kettle A"]));
    for (let index = 0; index < 9; index++) await owner.post(`/skills/${plain.id}/use`, { success: true });
    await eventually(async () => expect(await kettles()).toEqual(["Kettle A", "Kettle B"]));
  });

  it("never finds rejected skills, nor replaced ones", async () => {
    const { id, review_id } = await make({ name: "tea", trigger: "a guest is thirsty" });
    const other = await make({ name: "coffee", trigger: "a visitor is tired" });
    const suggested = async () =>
      (await owner.post("/skills/suggest", { trigger: "thirsty guest", context: "x" })).body.data.suggestions;
    await eventually(async () => expect(await found("trigger=thirsty guest")).toEqual(["tea"]));
    await owner.post(`/reviews/${review_id}`, { approved: false });
    expect([await found("trigger=thirsty guest"), await suggested()]).toEqual([[], []]);
    await owner.put(`/skills/${id}`, { action: "Serve it hot." });
    await eventually(async () => expect(await found("trigger=thirsty guest")).toEqual(["tea"]));
    const { data } = (await owner.put(`/skills/${id}`, { superseded_by: other.id })).body;
    expect(data).toMatchObject({ superseded_by: other.id });
    await eventually(async () => expect(await found("trigger=visitor tired")).toEqual(["coffee"]));
    expect([await found("trigger=thirsty guest"), await suggested()]).toEqual([[], []]);
    expect((await owner.post(`/skills/${id}/execute`, { context: {} })).status).toBe(409);
    expect((await owner.put(`/skills/${id}`, { superseded_by: null })).body.data.superseded_by).toBeNull();
    await eventually(async () => expect(await found("trigger=thirsty guest")).toEqual(["tea"]));
    for (const superseded_by of [id, "skill_none"]) {
      const { status, body } = await owner.put(`/skills/${id}`, { superseded_by });
      expect([status, fieldsOf(body)]).toEqual([400, ["superseded_by"]]);
    }
  });

  it("finds skills similar to a skill, and returns the domain they share", async () => {
    await eventually(async () => expect(await found("trigger=production&threshold=0")).toHaveLength(4));
    const [deploy] = (await owner.get("/skills/search?trigger=asks to deploy")).body.data.results;
    const { body } = await owner.get(`/skills/${deploy.id}/similar?threshold=0.6`);
    expect(body.data.skill_id).toBe(deploy.id);
    const [nearest] = body.data.similar_skills;
    expect(nearest).toEqual({
      id: expect.stringMatching(/^skill_/),
      name: "rollback",
      similarity_score: expect.any(Number),
      common_domains: ["ops"],
    });
    const all = (await owner.get(`/skills/${deploy.id}/similar?threshold=0`)).body.data.similar_skills;
    expect(all.map(({ name }: { name: string }) => name).toSorted()).toEqual(["exchange", "refund", "rollback"]);
    expect(all.find(({ name }: { name: string }) => name === "refund").common_domains).toEqual([]);
    expect((await owner.get(`/skills/${deploy.id}/similar?limit=1&threshold=0`)).body.data.similar_skills).toHaveLength(
      1,
    );
  });

  it("keeps skills and memories apart", async () => {
    const before = (await owner.get("/memories/stats")).body.data;
    await owner.post("/memories", { content: "A customer asks for a refund of the kettle." });
    await eventually(async () => {
      expect((await owner.get("/memories/stats")).body.data.total_count).toBe(before.total_count + 1);
      const { results } = (await owner.get("/search?q=customer refund&threshold=0")).body.data;
      expect(results.map(({ id }: { id: string }) => id.slice(0, 4))).toEqual(["mem_"]);
    });
    expect(before.total_count).toBe(0);
    const memories = (await owner.get("/memories")).body.data;
    expect(memories.pagination.total).toBe(1);
    expect((await found("trigger=kettle&threshold=0")).toSorted()).toEqual([
      "deploy",
      "exchange",
      "refund",
      "rollback",
    ]);
  });

  it.each([
    ["no trigger", "", "trigger"],
    ["an empty trigger", "trigger=", "trigger"],
    ["a trigger that is too long", `trigger=${"x".repeat(1001)}`, "trigger"],
    ["too many wanted", "trigger=x&limit=51", "limit"],
    ["a threshold above 1", "trigger=x&threshold=1.1", "threshold"],
    ["a threshold that is none", "trigger=x&threshold=low", "threshold"],
  ])("refuses %s", async (_what, query, field) => {
    const { status, body } = await owner.get(`/skills/search?${query}`);
    expect([status, fieldsOf(body)]).toEqual([400, [field]]);
  });

  it("finds nothing by a trigger without words", async () => {
    expect(await found("trigger=!!!")).toEqual([]);
  });
});

describe("an agent's key", () => {
  it("finds, uses and executes the organization's skills, and creates one only with the permission", async () => {
    const { id } = await make();
    const agent = await owner.post("/agents", { name: "Guide", model: "small" });
    expect(agent.status, JSON.stringify(agent.body)).toBe(201);
    const permissions = ["skills:read", "skills:execute", "search:read", "memory:read"];
    const key = await owner.post("/api-keys", { name: "a key", permissions, agent_id: agent.body.data.id });
    expect(key.status, JSON.stringify(key.body)).toBe(201);
    const caller = owner.as(key.body.data.key);
    await owner.post("/memories", { content: "A customer asks for a refund of the kettle." });
    await eventually(async () => expect(await found("trigger=refund", caller)).toEqual(["Refund an order"]));
    expect((await caller.get("/search?q=refund&threshold=0")).body.data.results).toEqual([]);
    expect(await listed("", caller)).toEqual(["Refund an order"]);
    expect((await caller.post(`/skills/${id}/use`, {})).status).toBe(200);
    expect((await caller.post(`/skills/${id}/execute`, { context: {} })).status).toBe(200);
    expect((await caller.post("/skills", draft({ name: "other" }))).status).toBe(403);
  });
});

describe("other organizations", () => {
  it("cannot read, find or use a skill", async () => {
    const { id, review_id } = await make();
    const stranger = await target.organization();
    expect(await listed("", stranger)).toEqual([]);
    expect(await found("trigger=refund&threshold=0", stranger)).toEqual([]);
    expect((await stranger.post(`/skills/${id}/use`, {})).status).toBe(404);
    expect((await stranger.get(`/reviews/${review_id}`)).status).toBe(404);
    expect((await stranger.get("/reviews")).body.data.reviews).toEqual([]);
    expect(
      (await stranger.post("/skills/synthesize", { skill_ids: [id, id.replace(/.$/, "x")], name: "n" })).status,
    ).toBe(404);
    expect(await read(id)).toMatchObject({ usage_count: 0 });
  });
});
