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

let made = 0;

async function makeSkill(action: string): Promise<string> {
  const draft = { name: `skill ${made++}`, trigger: "a guest arrives", action, domain: "house" };
  const { status, body } = await owner.post("/skills", draft);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.id;
}

const chainOf = (steps: object[], fields: object = {}) => ({
  name: "Welcome",
  trigger: "a guest arrives",
  steps,
  ...fields,
});

async function makeChain(steps: object[], fields: object = {}): Promise<string> {
  const { status, body } = await owner.post("/chains", chainOf(steps, fields));
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.id;
}

async function run(chain: string, context: object = {}, options: object = {}) {
  const { status, body } = await owner.post(`/chains/${chain}/execute`, { context, options });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

const outputs = ({ steps }: { steps: { result: { output: string } }[] }) => steps.map(({ result }) => result.output);

async function usesOf(skill: string): Promise<number> {
  return (await owner.get(`/skills/${skill}`)).body.data.usage_count;
}

const fieldsOf = (body: { error: { details: { fields: { field: string }[] } } }) =>
  body.error?.details.fields.map(({ field }) => field);

describe("creating a chain", () => {
  it("returns it with its steps in order", async () => {
    const [greet, seat] = [await makeSkill("Greet {guest}."), await makeSkill("Offer {guest} a seat.")];
    const steps = [
      { skill_id: seat, order: 20 },
      { skill_id: greet, order: 10, continue_if: "last.success && context.seats > 0" },
    ];
    const { status, body } = await owner.post("/chains", chainOf(steps, { conditions: ["has(context.guest)"] }));
    expect([status, body.data]).toEqual([
      201,
      {
        id: expect.stringMatching(/^chain_/),
        name: "Welcome",
        trigger: "a guest arrives",
        steps: [steps[1], steps[0]],
        conditions: ["has(context.guest)"],
        created_at: expect.stringMatching(ISO),
      },
    ]);
  });

  it.each([
    ["no steps", { steps: undefined }, "steps"],
    ["empty steps", { steps: [] }, "steps"],
    ["too many steps", { steps: Array.from({ length: 21 }, (_, order) => ({ skill_id: "skill_x", order })) }, "steps"],
    [
      "duplicate orders",
      {
        steps: [
          { skill_id: "skill_x", order: 1 },
          { skill_id: "skill_y", order: 1 },
        ],
      },
      "steps",
    ],
    ["a step without a skill", { steps: [{ order: 1 }] }, "steps.0.skill_id"],
    ["a step without an order", { steps: [{ skill_id: "skill_x" }] }, "steps.0.order"],
    ["a fractional order", { steps: [{ skill_id: "skill_x", order: 1.5 }] }, "steps.0.order"],
    ["no name", { name: " " }, "name"],
    ["no trigger", { trigger: undefined }, "trigger"],
    ["conditions that are not a list", { conditions: "true" }, "conditions"],
    ["an invalid condition", { conditions: [{ field: "a" }] }, "conditions.0"],
  ])("is rejected for %s", async (_what, fields, field) => {
    const { status, body } = await owner.post("/chains", chainOf([{ skill_id: "skill_x", order: 1 }], fields));
    expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(fieldsOf(body)).toContain(field);
  });

  it("returns every missing skill, including those of another organization", async () => {
    const known = await makeSkill("x");
    const foreign = await makeSkill("x");
    const stranger = await target.organization();
    const steps = [foreign, "skill_none", known].map((skill_id, order) => ({ skill_id, order }));
    const theirs = await stranger.post("/chains", chainOf(steps));
    expect([theirs.status, theirs.body.error?.code]).toEqual([404, "SKILL_NOT_FOUND"]);
    expect(theirs.body.error?.details).toEqual({ skill_ids: [foreign, "skill_none", known] });
    const { body } = await owner.post("/chains", chainOf(steps));
    expect(body.error?.details).toEqual({ skill_ids: ["skill_none"] });
  });

  it.each([
    "1 +",
    "context.a =",
    "context.a == 1; context.b",
    "process.exit(1)",
    "globalThis",
    "this.constructor",
    "constructor.constructor('return process')()",
    "context.constructor",
    "context['__proto__']",
    "last.__proto__.polluted == true",
    "require('fs')",
    "eval('1')",
    "(() => true)()",
    "context.a.matches('(a+)+$')",
    "context.l.map(x, x).size() > 0",
    "context.l.all(x, context.l.all(y, y == x))",
    "size(context.a)",
    `${"(".repeat(40)}true${")".repeat(40)}`,
    `${"true && ".repeat(60)}true`,
    `context.a == '${"x".repeat(600)}'`,
  ])("rejects the expression %s", async (expression) => {
    const skill_id = await makeSkill("x");
    const { status, body } = await owner.post("/chains", chainOf([{ skill_id, order: 1, continue_if: expression }]));
    expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(fieldsOf(body)).toEqual(["steps.0.continue_if"]);
  });

  it("accepts conditions on the context only, because no step has run yet", async () => {
    const steps = [{ skill_id: await makeSkill("x"), order: 1 }];
    const { status, body } = await owner.post("/chains", chainOf(steps, { conditions: ["true", "last.success"] }));
    expect([status, fieldsOf(body)]).toEqual([400, ["conditions.1"]]);
  });
});

describe("running a chain", () => {
  it("executes the steps in order, each with the result of the previous one", async () => {
    const [greet, note] = [await makeSkill("Greet {guest.name}."), await makeSkill("Note down: {last.output}")];
    const chain = await makeChain([
      { skill_id: note, order: 2 },
      { skill_id: greet, order: 1 },
    ]);
    const execution = await run(chain, { guest: { name: "Ada" } });
    expect(execution).toEqual({
      execution_id: expect.stringMatching(/^exec_/),
      chain_id: chain,
      status: "prepared",
      steps: [
        {
          order: 1,
          skill_id: greet,
          name: expect.any(String),
          attempts: 1,
          execution_time_ms: expect.any(Number),
          result: {
            status: "prepared",
            success: null,
            produced_by: "template",
            outcome: "unknown",
            output: "Greet Ada.",
            steps: ["Greet Ada."],
            context_used: ["guest.name"],
            missing: [],
            truncated: false,
          },
        },
        expect.objectContaining({ order: 2, skill_id: note }),
      ],
      result: expect.objectContaining({ output: "Note down: Greet Ada." }),
      performance: { execution_time_ms: expect.any(Number), tokens_processed: expect.any(Number), cost_estimate: 0 },
      started_at: expect.stringMatching(ISO),
      completed_at: expect.stringMatching(ISO),
    });
    expect(execution.performance.tokens_processed).toBeGreaterThan(10);
    expect([await usesOf(greet), await usesOf(note)]).toEqual([1, 1]);
  });

  it("returns a trace of the steps on request", async () => {
    const [a, b] = [await makeSkill("A"), await makeSkill("B")];
    const chain = await makeChain([
      { skill_id: a, order: 1, continue_if: "step.order == 1 && result.outcome == 'unknown'" },
      { skill_id: b, order: 2 },
    ]);
    const { trace } = await run(chain, {}, { include_trace: true, step_timeout_ms: 500 });
    expect(trace).toEqual([
      {
        order: 1,
        skill_id: a,
        skill_version: 1,
        started_at: expect.stringMatching(ISO),
        execution_time_ms: expect.any(Number),
        timeout_ms: 500,
        provider: "built-in",
        model: "rules",
        fallback: false,
        explanation: expect.stringContaining("a guest arrives"),
        continue_if: "step.order == 1 && result.outcome == 'unknown'",
        continued: true,
        next: 2,
      },
      expect.objectContaining({ order: 2, skill_id: b, continued: true }),
    ]);
    expect(await run(chain)).not.toHaveProperty("trace");
  });

  it("stops if continue_if is false", async () => {
    const [a, b] = [await makeSkill("A"), await makeSkill("B")];
    const chain = await makeChain([
      { skill_id: a, order: 1, continue_if: "context.go" },
      { skill_id: b, order: 2 },
    ]);
    const stopped = await run(chain, { go: false }, { include_trace: true });
    expect(stopped).toMatchObject({ status: "stopped", stopped_by: "context.go", result: { output: "A" } });
    expect(stopped.trace).toMatchObject([{ order: 1, continued: false }]);
    expect(outputs(stopped)).toEqual(["A"]);
    expect(await run(chain, { go: true })).toMatchObject({ status: "prepared", result: { output: "B" } });
    expect(await usesOf(b)).toBe(1);
  });

  it("does not start unless its conditions hold", async () => {
    const a = await makeSkill("A");
    const chain = await makeChain([{ skill_id: a, order: 1 }], {
      conditions: ["context.guests >= 1", "context.open"],
    });
    const never = { status: "stopped", steps: [], result: null };
    expect(await run(chain, { guests: 0, open: true })).toMatchObject({ ...never, stopped_by: "context.guests >= 1" });
    expect(await run(chain, { guests: 2, open: false })).toMatchObject({ ...never, stopped_by: "context.open" });
    expect(await run(chain, { guests: 2, open: true })).toMatchObject({ status: "prepared" });
    expect(await usesOf(a)).toBe(1);
  });

  it("fails at a step whose context is incomplete, and returns the results so far", async () => {
    const [a, b, c] = [await makeSkill("A"), await makeSkill("Write to {guest.mail}."), await makeSkill("C")];
    const chain = await makeChain([a, b, c].map((skill_id, order) => ({ skill_id, order })));
    const failed = await run(chain, { guest: { name: "Ada" } });
    expect(failed).toMatchObject({
      status: "failed",
      error: { code: "CONTEXT_INCOMPLETE", message: expect.stringContaining("guest.mail"), order: 1 },
      result: { status: "incomplete", success: false, missing: ["guest.mail"] },
    });
    expect(outputs(failed)).toEqual(["A", "Write to {guest.mail}."]);
    expect([await usesOf(a), await usesOf(c)]).toEqual([1, 0]);
  });

  it.each([
    ["context.missing == 1", "missing"],
    ["context.name", "neither true nor false"],
    ["context.name > 3", "overload"],
  ])("fails if %s does not evaluate to a boolean", async (expression, reason) => {
    const chain = await makeChain([
      { skill_id: await makeSkill("A"), order: 1, continue_if: expression },
      { skill_id: await makeSkill("B"), order: 2 },
    ]);
    const failed = await run(chain, { name: "Ada" });
    expect(failed).toMatchObject({ status: "failed", error: { code: "EXPRESSION_FAILED", order: 1 } });
    expect(failed.error.message).toContain(expression);
    expect(failed.error.message).toContain(reason);
    expect(outputs(failed)).toEqual(["A"]);
  });

  it("fails without executing a step if one of its skills was deleted", async () => {
    const [a, b] = [await makeSkill("A"), await makeSkill("B")];
    const chain = await makeChain([a, b].map((skill_id, order) => ({ skill_id, order })));
    await owner.delete(`/skills/${b}`);
    expect(await run(chain)).toMatchObject({
      status: "failed",
      steps: [],
      result: null,
      error: { code: "SKILL_NOT_FOUND", skill_ids: [b], message: expect.stringContaining(b) },
    });
    expect(await usesOf(a)).toBe(0);
  });

  it("executes a skill each time it occurs, in its current version", async () => {
    const a = await makeSkill("Old.");
    const chain = await makeChain([1, 2, 3].map((order) => ({ skill_id: a, order })));
    await owner.put(`/skills/${a}`, { action: "New." });
    expect(outputs(await run(chain))).toEqual(["New.", "New.", "New."]);
    expect(await usesOf(a)).toBe(3);
  });

  it("does not expose JavaScript built-ins to contexts and expressions", async () => {
    const a = await makeSkill("{constructor.name} {__proto__} {a.constructor} {toString}");
    const chain = await makeChain([{ skill_id: a, order: 1, continue_if: "has(context.toString)" }]);
    const failed = await run(chain, { a: "x" });
    expect(failed).toMatchObject({ status: "failed", error: { code: "CONTEXT_INCOMPLETE" } });
    expect(failed.result.missing.toSorted()).toEqual(["__proto__", "a.constructor", "constructor.name", "toString"]);
    const polluting = '{"context":{"__proto__":{"polluted":true}}}';
    expect((await owner.post(`/chains/${chain}/execute`, polluting)).status).toBe(200);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it.each([
    ["no context", {}, "context"],
    ["a context that is not an object", { context: "x" }, "context"],
    ["a context that is too large", { context: { x: "x".repeat(17_000) } }, "context"],
    ["a zero timeout", { context: {}, options: { timeout_ms: 0 } }, "options.timeout_ms"],
    ["an invalid step timeout", { context: {}, options: { step_timeout_ms: "1s" } }, "options.step_timeout_ms"],
    ["a timeout above the maximum", { context: {}, options: { timeout_ms: 60_000 } }, "options.timeout_ms"],
    ["an invalid trace flag", { context: {}, options: { include_trace: "yes" } }, "options.include_trace"],
  ])("is rejected for %s", async (_what, body, field) => {
    const chain = await makeChain([{ skill_id: await makeSkill("A"), order: 1 }]);
    const answer = await owner.post(`/chains/${chain}/execute`, body);
    expect([answer.status, fieldsOf(answer.body)]).toEqual([400, [field]]);
  });

  it("returns 404 for an unknown chain", async () => {
    for (const answer of [
      await owner.post("/chains/chain_none/execute", { context: {} }),
      await owner.get("/chains/chain_none/executions"),
    ]) {
      expect([answer.status, answer.body.error?.code]).toEqual([404, "CHAIN_NOT_FOUND"]);
    }
  });
});

describe("a chain with branches", () => {
  const fault = (order: number) => ({ code: "CONTEXT_INCOMPLETE", order });

  it("follows goto and else, and ends where they say", async () => {
    const [ask, approve, refuse] = [await makeSkill("Ask."), await makeSkill("Approve."), await makeSkill("Refuse.")];
    const chain = await makeChain([
      { skill_id: ask, order: 1, continue_if: "context.amount < 100", goto: 2, else: 3 },
      { skill_id: approve, order: 2, goto: "end" },
      { skill_id: refuse, order: 3 },
    ]);
    expect(outputs(await run(chain, { amount: 5 }))).toEqual(["Ask.", "Approve."]);
    const refused = await run(chain, { amount: 500 }, { include_trace: true });
    expect(outputs(refused)).toEqual(["Ask.", "Refuse."]);
    expect(refused.trace).toMatchObject([
      { order: 1, continued: false, next: 3 },
      { order: 3, next: "end" },
    ]);
  });

  it("ends after a bounded number of steps, even in a loop", async () => {
    const [a, b] = [await makeSkill("A"), await makeSkill("B")];
    for (const steps of [
      [{ skill_id: a, order: 1, goto: 1 }],
      [
        { skill_id: a, order: 1 },
        { skill_id: b, order: 2, continue_if: "false", else: 1 },
      ],
      [{ skill_id: await makeSkill("{absent}"), order: 1, on_failure: { goto: 1 } }],
    ]) {
      const endless = await run(await makeChain(steps));
      expect(endless).toMatchObject({ status: "failed", error: { code: "STEP_LIMIT" } });
      expect(endless.steps).toHaveLength(30);
    }
  });

  it.each([
    ["continue", ["A", "{absent}", "B", "C"]],
    [{ goto: 4 }, ["A", "{absent}", "C"]],
    [{ goto: "end" }, ["A", "{absent}"]],
  ])("continues after a failed step as its policy says: %j", async (on_failure, expected) => {
    const [a, lacking, b, c] = await Promise.all(["A", "{absent}", "B", "C"].map(makeSkill));
    const chain = await makeChain([
      { skill_id: a, order: 1 },
      { skill_id: lacking, order: 2, on_failure },
      { skill_id: b, order: 3 },
      { skill_id: c, order: 4 },
    ]);
    const done = await run(chain);
    expect(done).toMatchObject({ status: "prepared" });
    expect(done).not.toHaveProperty("error");
    expect(outputs(done)).toEqual(expected);
    expect(done.steps[1].error).toMatchObject(fault(2));
  });

  it("fails by default if a step fails", async () => {
    const [lacking, b] = [await makeSkill("{absent}"), await makeSkill("B")];
    for (const on_failure of [undefined, "stop"]) {
      const chain = await makeChain([
        { skill_id: lacking, order: 1, on_failure },
        { skill_id: b, order: 2 },
      ]);
      expect(await run(chain)).toMatchObject({ status: "failed", error: fault(1), steps: [{ error: fault(1) }] });
    }
  });

  it.each([
    ["goto to an unknown step", { goto: 9 }, "steps.0.goto"],
    ["else to an unknown step", { continue_if: "true", else: 9 }, "steps.0.else"],
    ["a policy with an unknown step", { on_failure: { goto: 9 } }, "steps.0.on_failure.goto"],
    ["an else without a condition", { else: 1 }, "steps.0.else"],
    ["an invalid target", { goto: "start" }, "steps.0.goto"],
    ["an invalid policy", { on_failure: "ignore" }, "steps.0.on_failure"],
    ["too many retries", { retries: 4 }, "steps.0.retries"],
    ["a check with a syntax error", { check: "result.output =" }, "steps.0.check"],
    ["a check of another step", { check: "last.success" }, "steps.0.check"],
  ])("is rejected for an invalid step: %s", async (_what, fields, field) => {
    const { status, body } = await owner.post("/chains", chainOf([{ skill_id: "skill_x", order: 1, ...fields }]));
    expect([status, fieldsOf(body)]).toEqual([400, [field]]);
  });

  it.each([
    "last.output == 'A'",
    "result.output.contains('refund')",
    "last['output'] != ''",
    "has(last.output)",
    "'A' in last.steps",
    "last.steps.exists(s, s == 'A')",
    "last == context.expected",
    "last[context.field] == 'A'",
  ])("rejects conditions on the text of a template: %s", async (continue_if) => {
    const { status, body } = await owner.post("/chains", chainOf([{ skill_id: "skill_x", order: 1, continue_if }]));
    expect([status, fieldsOf(body)]).toEqual([400, ["steps.0.continue_if"]]);
  });

  it("evaluates a template step by its outcome, which is unknown and not a success", async () => {
    const steps = (continue_if: string, a: string) => [
      { skill_id: a, order: 1, continue_if },
      { skill_id: a, order: 2 },
    ];
    const a = await makeSkill("A");
    const stopped = await run(await makeChain(steps("last.success", a)));
    expect(stopped).toMatchObject({ status: "stopped", stopped_by: "last.success", steps: [{ order: 1 }] });
    const goesOn = await run(await makeChain(steps("last.outcome != 'failure' && last.missing.size() == 0", a)));
    expect(outputs(goesOn)).toEqual(["A", "A"]);
  });

  it("does not start with a skill that a reviewer rejected", async () => {
    const [a, b] = [await makeSkill("A"), await makeSkill("B")];
    const chain = await makeChain([a, b].map((skill_id, order) => ({ skill_id, order })));
    const { review_id } = (await owner.get(`/skills/${b}`)).body.data;
    await owner.post(`/reviews/${review_id}`, { approved: false });
    const error = { code: "SKILL_RETIRED", skill_ids: [b] };
    expect(await run(chain)).toMatchObject({ status: "failed", steps: [], error });
    expect((await owner.post(`/skills/${b}/execute`, { context: {} })).status).toBe(409);
    await owner.put(`/skills/${b}`, { action: "C" });
    expect(outputs(await run(chain))).toEqual(["A", "C"]);
  });
});

describe("the chains of an organization", () => {
  it("are listed newest first, and can be read and deleted", async () => {
    const skill_id = await makeSkill("A");
    const ids: string[] = [];
    for (const order of [1, 2, 3]) ids.unshift(await makeChain([{ skill_id, order, retries: 1 }]));
    const [newest = ""] = ids;
    await run(newest);
    const listed = async (query = "") => (await owner.get(`/chains${query}`)).body.data;
    await eventually(async () => {
      const { chains, pagination } = await listed();
      expect(chains.map(({ id }: { id: string }) => id)).toEqual(ids);
      expect(pagination).toMatchObject({ total: 3, has_next: false });
    });
    const page = await listed("?limit=1&offset=1");
    expect([page.chains.length, page.chains[0].id, page.pagination.has_next]).toEqual([1, ids[1], true]);
    expect((await owner.get(`/chains/${newest}`)).body.data).toEqual((await listed("?limit=1")).chains[0]);
    const stranger = await target.organization();
    expect((await stranger.get("/chains")).body.data.chains).toEqual([]);
    expect((await stranger.get(`/chains/${newest}`)).status).toBe(404);
    expect((await stranger.delete(`/chains/${newest}`)).status).toBe(404);
    const gone = await owner.delete(`/chains/${newest}`);
    expect([gone.status, gone.body.data]).toEqual([200, { id: newest, deleted_at: expect.stringMatching(ISO) }]);
    for (const answer of [await owner.get(`/chains/${newest}`), await owner.delete(`/chains/${newest}`)]) {
      expect([answer.status, answer.body.error?.code]).toEqual([404, "CHAIN_NOT_FOUND"]);
    }
    await eventually(async () => expect((await listed()).pagination.total).toBe(2));
  });
});

describe("the history of a chain", () => {
  it("contains each execution as it was returned, newest first, in pages", async () => {
    const chain = await makeChain([
      { skill_id: await makeSkill("Greet {guest}."), order: 1, continue_if: "context.ok" },
    ]);
    const runs = [
      await run(chain, { guest: "Ada", ok: true }, { include_trace: true }),
      await run(chain, { guest: "Bob", ok: false }),
      await run(chain, {}),
    ].reverse();
    expect(runs.map(({ status }) => status)).toEqual(["failed", "stopped", "prepared"]);
    const { data } = (await owner.get(`/chains/${chain}/executions`)).body;
    expect(data).toEqual({
      chain_id: chain,
      executions: runs,
      pagination: { total: 3, limit: 20, offset: 0, has_next: false },
    });
    const page = (await owner.get(`/chains/${chain}/executions?limit=1&offset=1`)).body.data;
    expect(page.executions).toEqual([runs[1]]);
    expect(page.pagination).toEqual({ total: 3, limit: 1, offset: 1, has_next: true });
  });

  it.each(["limit=101", "limit=0", "offset=-1"])("rejects %s", async (query) => {
    const chain = await makeChain([{ skill_id: await makeSkill("A"), order: 1 }]);
    expect((await owner.get(`/chains/${chain}/executions?${query}`)).status).toBe(400);
  });

  it("is not visible to another organization", async () => {
    const chain = await makeChain([{ skill_id: await makeSkill("A"), order: 1 }]);
    const stranger = await target.organization();
    expect((await stranger.get(`/chains/${chain}/executions`)).status).toBe(404);
    expect((await stranger.post(`/chains/${chain}/execute`, { context: {} })).status).toBe(404);
  });
});
