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

const TEA = { name: "Serve tea", trigger: "a guest asks for tea", action: "Serve tea.", domain: "house" };

async function make(fields: object = {}) {
  const { status, body } = await owner.post("/skills", { ...TEA, ...fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

async function skill(id: string) {
  return (await owner.get(`/skills/${id}`)).body.data;
}

async function review(id: string) {
  return (await owner.get(`/reviews/${id}`)).body.data;
}

async function listed(query = ""): Promise<string[]> {
  const { status, body } = await owner.get(`/reviews?limit=100${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.reviews.map(({ id }: { id: string }) => id);
}

describe("a review", () => {
  it("is created for each new skill and shows what to review", async () => {
    const { id, review_id } = await make({ confidence: 0.7 });
    expect(await review(review_id)).toEqual({
      id: review_id,
      skill_id: id,
      skill_version: 1,
      reason: "created",
      skill: { ...TEA, confidence: 0.7 },
      status: "pending",
      approved: null,
      notes: null,
      reviewed_by: null,
      reviewed_at: null,
      created_at: expect.stringMatching(ISO),
    });
  });

  it("cannot be decided with an agent's key, whatever its permissions", async () => {
    const { id, review_id } = await make();
    const agent = (await owner.post("/agents", { name: "Guide", model: "m" })).body.data;
    const key = { name: "an agent's", permissions: ["skills:read", "skills:manage"], agent_id: agent.id };
    const own = owner.as((await owner.post("/api-keys", key)).body.data.key);
    expect((await own.get(`/reviews/${review_id}`)).status).toBe(200);
    const { status, body } = await own.post(`/reviews/${review_id}`, { approved: true });
    expect([status, body.error?.code]).toEqual([403, "PERMISSION_DENIED"]);
    expect(await skill(id)).toMatchObject({ verified: false, human_reviewed: false, review_id });
  });

  it.each([
    [true, "approved", { verified: true, human_reviewed: true }],
    [false, "rejected", { verified: false, human_reviewed: true }],
  ])("answers approved: %s with %s, and updates the skill", async (approved, status, judged) => {
    const { id, review_id } = await make();
    const answer = await owner.post(`/reviews/${review_id}`, { approved, notes: "Read it twice." });
    expect([answer.status, answer.body.data]).toEqual([
      200,
      expect.objectContaining({
        id: review_id,
        status,
        approved,
        notes: "Read it twice.",
        reviewed_by: expect.stringMatching(/^ak_/),
        reviewed_at: expect.stringMatching(ISO),
      }),
    ]);
    expect(await review(review_id)).toEqual(answer.body.data);
    expect(await skill(id)).toMatchObject({ ...judged, review_id: null, version: 1 });
  });

  it("takes one decision: a second reviewer gets the first decision", async () => {
    const { id, review_id } = await make();
    await owner.post(`/reviews/${review_id}`, { approved: false });
    const { status, body } = await owner.post(`/reviews/${review_id}`, { approved: true });
    expect([status, body.error?.code]).toEqual([409, "CONFLICT"]);
    expect(body.error?.details).toEqual({ review_id, status: "rejected", skill_id: id });
    expect(await skill(id)).toMatchObject({ verified: false, human_reviewed: true });
  });

  it("takes one of many concurrent decisions, and skill and review agree on it", async () => {
    const { id, review_id } = await make();
    const decisions = Array.from({ length: 8 }, (_, index) => ({ approved: index % 2 === 0 }));
    const answers = await Promise.all(decisions.map((decision) => owner.post(`/reviews/${review_id}`, decision)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)]);
    const [{ approved }] = answers.flatMap(({ status, body }) => (status === 200 ? [body.data] : []));
    expect(await review(review_id)).toMatchObject({ approved });
    expect(await skill(id)).toMatchObject({ verified: approved, human_reviewed: true });
  });

  it("of an older version cannot verify a newer one", async () => {
    const { id, review_id } = await make();
    const { data } = (await owner.put(`/skills/${id}`, { action: "Serve it hot." })).body;
    expect(await review(review_id)).toMatchObject({ status: "superseded" });
    const { status, body } = await owner.post(`/reviews/${review_id}`, { approved: true });
    expect([status, body.error?.details.status]).toEqual([409, "superseded"]);
    expect(await skill(id)).toMatchObject({ verified: false, human_reviewed: false, review_id: data.review_id });
    expect(await review(data.review_id)).toMatchObject({ reason: "updated", skill_version: 2, status: "pending" });
    expect((await owner.post(`/reviews/${data.review_id}`, { approved: true })).status).toBe(200);
    expect(await skill(id)).toMatchObject({ verified: true });
  });

  it("that is decided during a concurrent change verifies the reviewed version or nothing", async () => {
    for (let round = 0; round < 5; round++) {
      const { id, review_id } = await make({ name: `round ${round}` });
      const [decision, change] = await Promise.all([
        owner.post(`/reviews/${review_id}`, { approved: true }),
        owner.put(`/skills/${id}`, { action: "Serve it hot." }),
      ]);
      expect(change.status).toBe(200);
      expect([200, 409]).toContain(decision.status);
      expect(await skill(id)).toMatchObject({ verified: false, human_reviewed: false, version: 2 });
      expect((await review(review_id)).status).toBe(decision.status === 200 ? "approved" : "superseded");
    }
  });

  it("stays as decided when the skill changes later", async () => {
    const { id, review_id } = await make();
    await owner.post(`/reviews/${review_id}`, { approved: true });
    await owner.put(`/skills/${id}`, { action: "Serve it hot." });
    await owner.delete(`/skills/${id}`);
    expect(await review(review_id)).toMatchObject({ status: "approved" });
  });

  it.each([
    ["nothing", {}, "approved"],
    ["a decision that is none", { approved: "yes" }, "approved"],
    ["notes that are none", { approved: true, notes: 5 }, "notes"],
    ["notes that are too long", { approved: true, notes: "x".repeat(2001) }, "notes"],
  ])("refuses %s", async (_what, decision, field) => {
    const { review_id } = await make();
    const { status, body } = await owner.post(`/reviews/${review_id}`, decision);
    expect([status, body.error?.details.fields[0].field]).toEqual([400, field]);
    expect(await review(review_id)).toMatchObject({ status: "pending" });
  });

  it("returns 404 for an unknown review", async () => {
    for (const answer of [
      await owner.get("/reviews/rev_none"),
      await owner.post("/reviews/rev_none", { approved: true }),
    ]) {
      expect([answer.status, answer.body.error?.code]).toEqual([404, "REVIEW_NOT_FOUND"]);
      expect(answer.body.error?.details).toEqual({ review_id: "rev_none" });
    }
  });
});

describe("listing reviews", () => {
  it("returns the pending ones, newest first, page by page", async () => {
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) ids.unshift((await make({ name })).review_id);
    await eventually(async () => expect(await listed()).toEqual(ids));
    const { data } = (await owner.get("/reviews?limit=1&offset=1")).body;
    expect(data.reviews.map(({ id }: { id: string }) => id)).toEqual([ids[1]]);
    expect(data.pagination).toEqual({ total: 3, limit: 1, offset: 1, has_next: true });
  });

  it("filters by status and by skill", async () => {
    const [one, two, three] = [await make({ name: "1" }), await make({ name: "2" }), await make({ name: "3" })];
    await owner.post(`/reviews/${one.review_id}`, { approved: true });
    await owner.post(`/reviews/${two.review_id}`, { approved: false });
    await owner.put(`/skills/${three.id}`, { action: "x" });
    const { review_id: newer } = await skill(three.id);
    await eventually(async () => {
      expect(await listed("&status=approved")).toEqual([one.review_id]);
      expect(await listed("&status=rejected")).toEqual([two.review_id]);
      expect(await listed("&status=superseded")).toEqual([three.review_id]);
      expect(await listed()).toEqual([newer]);
      expect(await listed(`&skill_id=${three.id}`)).toEqual([newer]);
      expect(await listed(`&skill_id=${one.id}`)).toEqual([]);
    });
  });

  it.each(["status=open", "limit=101", "offset=-1"])("refuses %s", async (query) => {
    expect((await owner.get(`/reviews?${query}`)).body.error?.code).toBe("VALIDATION_ERROR");
  });
});
