import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const BUILT_IN = { provider: "built-in", model: "rules", fallback: false };
const BY_RULE = { ...BUILT_IN, produced_by: "rules" };

let target: Target;
let owner: Caller;

beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());
beforeEach(async () => {
  owner = await target.organization();
});

async function make(fields: object = {}) {
  const draft = { name: "Refund", trigger: "a customer asks for a refund", action: "Refund it.", domain: "support" };
  const { status, body } = await owner.post("/skills", { ...draft, ...fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

async function read(id: string) {
  return (await owner.get(`/skills/${id}`)).body.data;
}

const fieldsOf = (body: { error: { details: { fields: { field: string }[] } } }) =>
  body.error?.details.fields.map(({ field }) => field);

describe("executing a skill", () => {
  const execute = async (id: string, body: object) => {
    const answer = await owner.post(`/skills/${id}/execute`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.data;
  };

  it("fills its action from the context, explains how, and counts a use with an unknown outcome", async () => {
    const { id } = await make({
      action: "Check order {order.number}. Then refund {{order.amount}} to {customer.name} by e-mail address.",
    });
    const context = {
      order: { number: 42, amount: "10 EUR" },
      customer: { name: "Ada" },
      email_address: "ada@example.com",
      weather: "fine",
    };
    const done = await execute(id, { context, options: { include_explanation: true } });
    expect(done).toEqual({
      skill_id: id,
      execution_id: expect.stringMatching(/^exec_/),
      result: {
        status: "prepared",
        success: null,
        produced_by: "template",
        outcome: "unknown",
        output: "Check order 42. Then refund 10 EUR to Ada by e-mail address.",
        steps: ["Check order 42.", "Then refund 10 EUR to Ada by e-mail address."],
        context_used: ["order.number", "order.amount", "customer.name", "order"],
        missing: [],
        truncated: false,
        explanation: expect.stringContaining("order.number"),
        ...BUILT_IN,
      },
      performance: { execution_time_ms: expect.any(Number), tokens_processed: expect.any(Number), cost_estimate: 0 },
      updated_skill: { usage_count: 1, confidence: 0.5 },
    });
    expect(done.performance.tokens_processed).toBeGreaterThan(20);
    expect(await read(id)).toMatchObject({ usage_count: 1, confidence: done.updated_skill.confidence });
  });

  it("reports what is missing in the context, which does not count as a failure of the skill", async () => {
    const { id } = await make({ action: "Write to {customer.mail} and {customer.phone}." });
    const { result, updated_skill } = await execute(id, { context: { customer: { mail: null } } });
    expect(result).toMatchObject({
      status: "incomplete",
      success: false,
      output: "Write to {customer.mail} and {customer.phone}.",
      missing: ["customer.mail", "customer.phone"],
    });
    expect(result).not.toHaveProperty("explanation");
    expect(updated_skill).toEqual({ usage_count: 1, confidence: 0.5 });
  });

  it("truncates the output at max_tokens", async () => {
    const { id } = await make({ action: "Say every word of this long sentence, one after the other, to {name}." });
    const { result } = await execute(id, { context: { name: "Ada" }, options: { max_tokens: 5 } });
    expect(result).toMatchObject({ truncated: true, status: "prepared" });
    expect("Say every word of this long sentence".startsWith(result.output)).toBe(true);
    expect(result.output.split(" ").length).toBeLessThanOrEqual(5);
  });

  it("never changes the confidence, however often, until a client reports the outcome", async () => {
    const { id } = await make({ action: "Refund {amount}." });
    for (let index = 0; index < 21; index++) {
      const { result, updated_skill } = await execute(id, {
        context: index % 2 === 0 ? { amount: 1 } : {},
        options: { check: "result.success || result.missing.size() > 0" },
      });
      expect(result).toMatchObject({ produced_by: "template", outcome: "unknown", check: { passed: null } });
      expect(updated_skill).toEqual({ usage_count: index + 1, confidence: 0.5 });
    }
    const { data } = (await owner.post(`/skills/${id}/use`, { success: true })).body;
    expect(data.confidence).toBeCloseTo(6 / 11);
  });

  it("stays within its limits whatever the context contains", async () => {
    const { id } = await make({ action: "{a}".repeat(3_000) });
    const { result } = await execute(id, { context: { a: "ab ".repeat(4_000) }, options: { max_tokens: 2_000 } });
    expect(result.output.length).toBeLessThanOrEqual(4_000);
    expect(result.truncated).toBe(true);
  });

  it.each([
    ["no context", {}, "context"],
    ["a context that is a list", { context: [] }, "context"],
    ["a context too deep", { context: JSON.parse(`${'{"a":'.repeat(25)}1${"}".repeat(25)}`) }, "context"],
    ["no tokens", { context: {}, options: { max_tokens: 0 } }, "options.max_tokens"],
    ["too many tokens", { context: {}, options: { max_tokens: 100_000 } }, "options.max_tokens"],
    ["no time", { context: {}, options: { timeout_ms: 0 } }, "options.timeout_ms"],
    ["too much time", { context: {}, options: { timeout_ms: 60_000 } }, "options.timeout_ms"],
    ["options that are none", { context: {}, options: "fast" }, "options"],
    ["a check that is no expression", { context: {}, options: { check: "result." } }, "options.check"],
    ["a check of what is unknown", { context: {}, options: { check: "last.success" } }, "options.check"],
  ])("is refused for %s", async (_what, body, field) => {
    const { id } = await make();
    const answer = await owner.post(`/skills/${id}/execute`, body);
    expect([answer.status, fieldsOf(answer.body)]).toEqual([400, [field]]);
    expect(await read(id)).toMatchObject({ usage_count: 0 });
  });
});

describe("extracting skills", () => {
  const POLICY = `Support handbook.
When a customer asks for a refund, check the order number first. If the payment failed then retry it once.
Always greet the customer by name. Before closing a ticket, send a summary.
Never share a password unless a manager agrees. When I started here, we had two customers.`;

  async function extract(body: object) {
    const answer = await owner.post("/skills/extract", body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.data;
  }

  it("stores the rules of the text, each with a pending review", async () => {
    const data = await extract({ content: POLICY, domain: "support" });
    expect(data).toMatchObject({ skipped: [], total_extracted: 5, processing: BY_RULE });
    const rules = data.extracted_skills.map(({ trigger, action }: { trigger: string; action: string }) => [
      trigger,
      action,
    ]);
    expect(rules).toEqual(
      expect.arrayContaining([
        ["a customer asks for a refund", "Check the order number first"],
        ["the payment failed", "Retry it once"],
        ["greet the customer by name", "Always greet the customer by name"],
        ["Before closing a ticket", "Send a summary"],
        ["share a password", "Never share a password unless a manager agrees"],
      ]),
    );
    const [first] = data.extracted_skills;
    expect(first).toEqual({
      id: expect.stringMatching(/^skill_/),
      name: expect.any(String),
      trigger: expect.any(String),
      action: expect.any(String),
      domain: "support",
      confidence: expect.any(Number),
      created_at: expect.stringMatching(ISO),
      review_id: expect.stringMatching(/^rev_/),
    });
    expect(await read(first.id)).toMatchObject({ ...first, verified: false, version: 1 });
    expect((await owner.get(`/reviews/${first.review_id}`)).body.data).toMatchObject({
      reason: "extracted",
      status: "pending",
    });
  });

  it("are not found, suggested, executed or chained before a reviewer approves them, even if changed", async () => {
    const data = await extract({ content: "When a zeppelin lands, tie it to the mast.", domain: "airfield" });
    const [{ id, name, trigger }] = data.extracted_skills;
    const firing = async () => {
      const query = `domain=airfield&threshold=0&trigger=${encodeURIComponent(trigger)}`;
      const found = (await owner.get(`/skills/search?${query}`)).body.data;
      const suggested = (await owner.post("/skills/suggest", { trigger, domain: "airfield", context: trigger })).body
        .data;
      const { status } = await owner.post(`/skills/${id}/execute`, { context: {} });
      const step = { skill_id: id, order: 1 };
      const chain = await owner.post("/chains", { name: `${name} ${Math.random()}`, trigger, steps: [step] });
      const ran = await owner.post(`/chains/${chain.body.data.id}/execute`, { context: {} });
      return {
        isFound: JSON.stringify(found).includes(id),
        isSuggested: JSON.stringify(suggested).includes(id),
        execution: status,
        chain: ran.body.data?.error?.code ?? ran.body.data?.status,
      };
    };
    const silent = { isFound: false, isSuggested: false, execution: 409, chain: "SKILL_RETIRED" };
    expect(await firing()).toEqual(silent);
    expect((await owner.put(`/skills/${id}`, { tags: ["mast"] })).status).toBe(200);
    expect(await firing()).toEqual(silent);
    const { review_id } = await read(id);
    expect((await owner.post(`/reviews/${review_id}`, { approved: true })).status).toBe(200);
    await eventually(async () => expect(await firing()).toMatchObject({ isFound: true, execution: 200 }));
    expect(await firing()).not.toMatchObject({ chain: "SKILL_RETIRED" });
  });

  it("omits skills below the requested confidence", async () => {
    const data = await extract({ content: POLICY, confidence_threshold: 0.8 });
    expect(data).toMatchObject({ total_extracted: 2, below_threshold: 3 });
    for (const { confidence, domain } of data.extracted_skills) {
      expect(confidence).toBeGreaterThanOrEqual(0.8);
      expect(domain).toBe("general");
    }
  });

  it("skips what it extracted before, and says so", async () => {
    const first = await extract({ content: POLICY });
    const again = await extract({ content: POLICY });
    expect(again).toMatchObject({ extracted_skills: [], total_extracted: 0 });
    expect(again.skipped.map(({ skill_id }: { skill_id: string }) => skill_id).toSorted()).toEqual(
      first.extracted_skills.map(({ id }: { id: string }) => id).toSorted(),
    );
  });

  it("returns nothing if the text contains no rule", async () => {
    const data = await extract({ content: "I like tea. We went home. Is it late?" });
    expect(data).toMatchObject({ extracted_skills: [], skipped: [], below_threshold: 0, total_extracted: 0 });
  });

  it.each([
    ["no content", {}, "content"],
    ["an empty content", { content: " " }, "content"],
    ["a threshold above 1", { content: "x", confidence_threshold: 2 }, "confidence_threshold"],
    ["a threshold below 0", { content: "x", confidence_threshold: -1 }, "confidence_threshold"],
    ["an empty domain", { content: "x", domain: "" }, "domain"],
    ["a content too long", { content: "x".repeat(100_001) }, "content"],
  ])("is refused for %s", async (_what, body, field) => {
    const answer = await owner.post("/skills/extract", body);
    expect([answer.status, fieldsOf(answer.body)]).toEqual([400, [field]]);
  });
});

describe("suggesting skills", () => {
  async function suggest(body: object) {
    const answer = await owner.post("/skills/suggest", body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.data;
  }

  it("ranks existing skills and drafts from the context, and explains each", async () => {
    const { id } = await make();
    await make({ name: "Deploy", trigger: "it is time to deploy", action: "Ship.", domain: "ops" });
    const context =
      "When a customer wants a refund, ask for the order number. If the weather is fine, open the window.";
    await eventually(async () => {
      const data = await suggest({ trigger: "customer asks for refund", context });
      expect(data).toMatchObject({ trigger: "customer asks for refund", context, total_suggestions: 3 });
      expect(data.suggestions).toEqual([
        {
          name: "Refund",
          trigger: "a customer asks for a refund",
          action: "Refund it.",
          confidence: 0.5,
          explanation: expect.stringContaining("not verified"),
          source: "existing",
          skill_id: id,
        },
        {
          name: "Ask for the order number when a customer wants a refund",
          trigger: "a customer wants a refund",
          action: "Ask for the order number",
          confidence: expect.any(Number),
          explanation: expect.stringContaining("When a customer wants a refund"),
          source: "draft",
        },
        expect.objectContaining({ action: "Open the window", source: "draft" }),
      ]);
    });
    expect((await owner.get("/skills")).body.data.pagination.total).toBe(2);
  });

  it("drafts from instructions in the context that name no occasion", async () => {
    const data = await suggest({
      trigger: "the kettle is empty",
      context: "Fill it with fresh water. Descale it every month.",
    });
    expect(data.suggestions).toMatchObject([
      { trigger: "the kettle is empty", action: expect.stringContaining("Fill it with fresh water."), source: "draft" },
    ]);
    expect(data.suggestions[0].confidence).toBeLessThan(0.5);
  });

  it("drafts general rules for the requested trigger", async () => {
    const { suggestions } = await suggest({
      trigger: "the parcel is lost",
      context: "Always apologise first. Call the courier. Never share a password.",
    });
    expect(suggestions).toMatchObject([
      { name: "Call the courier when the parcel is lost", trigger: "the parcel is lost", action: "Call the courier." },
      {
        name: "Always apologise first",
        trigger: "the parcel is lost",
        action: "Always apologise first",
        explanation: expect.stringContaining("holds on any occasion"),
      },
      { trigger: "share a password", action: "Never share a password" },
    ]);
  });

  it("suggests nothing if there is nothing to suggest", async () => {
    const data = await suggest({ trigger: "the kettle is empty", context: "I like tea." });
    expect(data).toMatchObject({ suggestions: [], total_suggestions: 0 });
  });

  it("stays within the domain and the limit", async () => {
    await make();
    await eventually(async () => {
      expect((await suggest({ trigger: "refund", context: "x" })).total_suggestions).toBe(1);
    });
    expect((await suggest({ trigger: "refund", context: "x", domain: "ops" })).total_suggestions).toBe(0);
    const context = Array.from({ length: 12 }, (_, index) => `If case ${index} comes up, call number ${index}.`).join(
      " ",
    );
    expect((await suggest({ trigger: "case", context })).total_suggestions).toBe(5);
    expect((await suggest({ trigger: "case", context, limit: 10 })).total_suggestions).toBe(10);
  });

  it.each([
    ["no trigger", { context: "x" }, "trigger"],
    ["no context", { trigger: "x" }, "context"],
    ["a context that is none", { trigger: "x", context: {} }, "context"],
    ["too many wanted", { trigger: "x", context: "x", limit: 11 }, "limit"],
    ["none wanted", { trigger: "x", context: "x", limit: 0 }, "limit"],
  ])("is refused for %s", async (_what, body, field) => {
    const answer = await owner.post("/skills/suggest", body);
    expect([answer.status, fieldsOf(answer.body)]).toEqual([400, [field]]);
  });
});

describe("synthesizing skills", () => {
  it("combines several into a new one, explains how, and leaves them unchanged", async () => {
    const one = await make({
      name: "one",
      trigger: "a refund is due",
      action: "Refund it.",
      tags: ["a"],
      confidence: 0.4,
    });
    const two = await make({
      name: "two",
      trigger: "an item is broken",
      action: "Refund it.",
      tags: ["b"],
      confidence: 0.6,
    });
    const three = await make({
      name: "three",
      trigger: "an item is broken",
      action: "Send a new one to {customer}.",
      domain: "shipping",
      confidence: 0.8,
    });
    for (let index = 0; index < 10; index++) await owner.post(`/skills/${three.id}/use`, { success: true });
    const ids = [one.id, two.id, three.id];
    const { status, body } = await owner.post("/skills/synthesize", {
      skill_ids: ids,
      name: "Make it good",
      description: "Whatever went wrong",
    });
    expect(status, JSON.stringify(body)).toBe(201);
    const third = (8 + 10) / 20;
    const pooled = (0.4 * 10 + 0.6 * 10 + third * 20) / 40;
    expect(body.data).toEqual({
      synthesized_skill: {
        id: expect.stringMatching(/^skill_/),
        name: "Make it good",
        trigger: "a refund is due or an item is broken",
        action: "1. Refund it.\n2. Send a new one to {customer}.",
        domain: "support",
        confidence: expect.closeTo(pooled),
        source_skills: ids,
        created_at: expect.stringMatching(ISO),
        review_id: expect.stringMatching(/^rev_/),
      },
      synthesis_summary: {
        input_skills: 3,
        merged_triggers: ["a refund is due", "an item is broken"],
        merged_actions: ["Refund it.", "Send a new one to {customer}."],
        confidence_improvement: expect.closeTo(pooled - (0.4 + 0.6 + third) / 3),
      },
      processing: BY_RULE,
    });
    const { id, review_id } = body.data.synthesized_skill;
    expect(await read(id)).toMatchObject({
      tags: ["a", "b"],
      metadata: { description: "Whatever went wrong" },
      usage_count: 0,
      verified: false,
    });
    expect((await owner.get(`/reviews/${review_id}`)).body.data).toMatchObject({
      reason: "synthesized",
      source_skills: ids,
    });
    for (const source of ids) expect(await read(source)).toMatchObject({ version: 1 });
  });

  it("refuses a name that is taken", async () => {
    const ids = [(await make({ name: "one" })).id, (await make({ name: "two" })).id];
    const { status, body } = await owner.post("/skills/synthesize", { skill_ids: ids, name: "ONE" });
    expect([status, body.error?.code, body.error?.details.skill_id]).toEqual([409, "SKILL_NAME_EXISTS", ids[0]]);
  });

  it("names every skill that does not exist", async () => {
    const { id } = await make();
    const skill_ids = ["skill_a", id, "skill_b"];
    const { status, body } = await owner.post("/skills/synthesize", { skill_ids, name: "n" });
    expect([status, body.error?.code, body.error?.details]).toEqual([
      404,
      "SKILL_NOT_FOUND",
      { skill_ids: ["skill_a", "skill_b"] },
    ]);
  });

  it("is refused for fewer than two skills, and for ones without words", async () => {
    const { id } = await make();
    const mute = [
      await make({ name: "mute", trigger: "...", action: "!" }),
      await make({ name: "still", trigger: "?", action: "-" }),
    ];
    for (const skill_ids of [[], [id], mute.map((each) => each.id)]) {
      const { status, body } = await owner.post("/skills/synthesize", { skill_ids, name: "n" });
      expect([status, body.error?.code]).toEqual([404, "INSUFFICIENT_RESULTS"]);
    }
  });

  it("refuses a result too long to store", async () => {
    const skill_ids: string[] = [];
    for (const name of ["a", "b", "c", "d", "e"]) {
      skill_ids.push((await make({ name, action: `${name} `.repeat(4_500) })).id);
    }
    const { status, body } = await owner.post("/skills/synthesize", { skill_ids, name: "n" });
    expect([status, fieldsOf(body)]).toEqual([400, ["skill_ids"]]);
    expect((await owner.post("/skills/synthesize", { skill_ids: skill_ids.slice(1), name: "n" })).status).toBe(201);
  });

  it.each([
    ["no ids", { name: "n" }, "skill_ids"],
    ["ids that are none", { name: "n", skill_ids: "skill_a" }, "skill_ids"],
    ["an id named twice", { name: "n", skill_ids: ["skill_a", "skill_b", "skill_a"] }, "skill_ids"],
    ["too many ids", { name: "n", skill_ids: Array.from({ length: 21 }, (_, index) => `skill_${index}`) }, "skill_ids"],
    ["no name", { skill_ids: ["skill_a", "skill_b"] }, "name"],
  ])("is refused for %s", async (_what, body, field) => {
    const answer = await owner.post("/skills/synthesize", body);
    expect([answer.status, fieldsOf(answer.body)]).toEqual([400, [field]]);
  });
});
