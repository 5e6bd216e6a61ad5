import { expect, it, onTestFinished } from "vitest";
import { startChatCompletions, type Turn } from "../fixtures/chat-completions-server.ts";
import { createOrganization, openService } from "../support/service.ts";
import { Caller } from "../support/target.ts";

/** Opens a service whose language model answers these turns, one per request. */
async function openWithModel(...turns: Turn[]) {
  const server = await startChatCompletions(...turns);
  onTestFinished(server.close);
  const service = await openService({
    LANGUAGE_MODEL: "openai",
    OPENAI_BASE_URL: server.baseUrl,
    OPENAI_MODEL: "small",
  });
  onTestFinished(service.close);
  const operator = new Caller(service, service.adminKey);
  const owner = new Caller(service, (await createOrganization(service)).key);
  const make = async (fields: object = {}): Promise<string> => {
    const draft = { name: "Refund", trigger: "a refund is due", action: "Refund {amount}.", domain: "support" };
    const { status, body } = await owner.post("/skills", { ...draft, ...fields });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.data.id;
  };
  return { server, operator, owner, make };
}

const saying = (answer: object): Turn => ({ says: JSON.stringify(answer) });

const DONE = { status: "completed", output: "Refunded 10 EUR.", context_used: ["amount"], explanation: "As asked." };

it("the model executes a skill, and the tokens and their price are returned", async () => {
  const { server, operator, owner, make } = await openWithModel(saying(DONE));
  const mode = { mode: "balanced", providers: { verify: { cost_per_1k: 0.5 } } };
  expect((await operator.put("/compression/mode", mode)).status).toBe(200);
  const id = await make();
  const { body } = await owner.post(`/skills/${id}/execute`, {
    context: { amount: "10 EUR" },
    options: { include_explanation: true, max_tokens: 77 },
  });
  expect(body.data).toMatchObject({
    result: {
      status: "completed",
      success: true,
      output: "Refunded 10 EUR.",
      context_used: ["amount"],
      missing: [],
      explanation: "As asked.",
      provider: "openai",
      model: "small",
      fallback: false,
      produced_by: "model",
      outcome: "unknown",
    },
    performance: { tokens_processed: 120, cost_estimate: 0.06 },
    updated_skill: { usage_count: 1, confidence: 0.5 },
  });
  const [request] = server.requests;
  expect(request?.body.max_tokens).toBe(77);
  expect(request?.body.messages.at(-1)?.content).toContain("Refund {amount}.");
});

it("an execution that the model calls failed counts as a failure", async () => {
  const { owner, make } = await openWithModel(saying({ ...DONE, status: "failed", explanation: "No such account." }));
  const id = await make();
  const { data } = (await owner.post(`/skills/${id}/execute`, { context: {} })).body;
  expect(data.result).toMatchObject({ status: "failed", success: false, outcome: "failure", produced_by: "model" });
  expect(data.updated_skill.confidence).toBe(0.5);
  const chain = await owner.post("/chains", { name: "c", trigger: "t", steps: [{ skill_id: id, order: 1 }] });
  expect((await owner.post(`/chains/${chain.body.data.id}/execute`, { context: {} })).body.data).toMatchObject({
    status: "failed",
    error: { code: "STEP_FAILED", message: "No such account.", order: 1 },
  });
});

it.each([
  ["result.output.contains('10 EUR')", true, 6 / 11],
  ["result.output.contains(context.amount)", true, 6 / 11],
  ["result.output == ''", false, 5 / 11],
  ["context.absent == 1", null, 0.5],
])("a check of the result changes the confidence: %s", async (check, passed, confidence) => {
  const { owner, make } = await openWithModel(saying(DONE));
  const id = await make();
  const body = { context: { amount: "10 EUR" }, options: { check } };
  const { data } = (await owner.post(`/skills/${id}/execute`, body)).body;
  expect(data.result.check).toMatchObject({ expression: check, passed });
  expect(data.result.outcome).toBe(passed === null ? "unknown" : passed ? "success" : "failure");
  expect(data.updated_skill.confidence).toBeCloseTo(confidence);
});

it("the template replaces the model while it is down, and the result says so", async () => {
  const { owner, make } = await openWithModel({ says: "I would rather not." });
  const id = await make({ confidence: 0.42 });
  for (let index = 0; index < 3; index++) {
    const { data } = (await owner.post(`/skills/${id}/execute`, { context: { amount: "10 EUR" } })).body;
    expect(data.result).toMatchObject({ status: "prepared", success: null, produced_by: "template", fallback: true });
    expect(data.updated_skill.confidence).toBe(0.42);
  }
});

it("conditions of a chain read the output of a model, not that of the template that replaces it", async () => {
  const { owner, make } = await openWithModel(saying(DONE), { says: "No." });
  const skill_id = await make();
  const steps = [1, 2].map((order) => ({ skill_id, order, continue_if: "last.output.contains('Refund')" }));
  const chain = (await owner.post("/chains", { name: "c", trigger: "t", steps })).body.data.id;
  const { data } = (await owner.post(`/chains/${chain}/execute`, { context: { amount: "10 EUR" } })).body;
  expect(data).toMatchObject({
    status: "failed",
    steps: [{ result: { produced_by: "model" } }, { result: { produced_by: "template" } }],
    error: { code: "EXPRESSION_FAILED", order: 2 },
  });
});

it("a chain retries a failed step as often as its settings allow", async () => {
  const failing = saying({ ...DONE, status: "failed", explanation: "Busy." });
  const { owner, make } = await openWithModel(failing, failing, saying(DONE));
  const skill_id = await make();
  const steps = [{ skill_id, order: 1, retries: 2, check: "result.output.contains('Refunded')" }];
  const chain = (await owner.post("/chains", { name: "c", trigger: "t", steps })).body.data.id;
  const execute = async () =>
    (await owner.post(`/chains/${chain}/execute`, { context: {}, options: { include_trace: true } })).body.data;
  const done = await execute();
  expect(done).toMatchObject({ status: "completed", steps: [{ attempts: 3, result: { outcome: "success" } }] });
  expect(done.trace).toHaveLength(3);
  expect((await owner.get(`/skills/${skill_id}`)).body.data).toMatchObject({
    usage_count: 3,
    evidence: { outcomes: 1, successes: 1 },
  });
});

it("an execution whose model times out fails, with the filled template as its output", async () => {
  const { owner, make } = await openWithModel("silence");
  const id = await make();
  const { data } = (
    await owner.post(`/skills/${id}/execute`, { context: { amount: "10 EUR" }, options: { timeout_ms: 200 } })
  ).body;
  expect(data.result).toMatchObject({
    ...{ status: "failed", success: false, produced_by: "template", outcome: "failure" },
    ...{ output: "Refund 10 EUR.", provider: "openai", fallback: true },
  });
  expect(data.updated_skill.confidence).toBe(0.5);
  expect(data.performance.execution_time_ms).toBeGreaterThanOrEqual(190);
});

it("the model's output is truncated at max_tokens", async () => {
  const { owner, make } = await openWithModel(saying({ ...DONE, output: "word ".repeat(500) }));
  const id = await make();
  const { data } = (await owner.post(`/skills/${id}/execute`, { context: {}, options: { max_tokens: 10 } })).body;
  expect(data.result).toMatchObject({ truncated: true, fallback: false });
  expect(data.result.output.split(" ").length).toBeLessThanOrEqual(10);
});

it("each step of a chain has its own timeout, and no step starts after the chain's timeout", async () => {
  const { owner, make } = await openWithModel("silence");
  const skill_id = await make({ action: "Wait." });
  const steps = Array.from({ length: 6 }, (_, order) => ({ skill_id, order, on_failure: "continue" }));
  const chain = (await owner.post("/chains", { name: "c", trigger: "t", steps })).body.data.id;
  const { data } = (
    await owner.post(`/chains/${chain}/execute`, {
      context: {},
      options: { timeout_ms: 1_000, step_timeout_ms: 600, include_trace: true },
    })
  ).body;
  expect(data).toMatchObject({
    status: "failed",
    error: { code: "TIMEOUT", message: expect.stringContaining("1000") },
  });
  expect(data.steps.length).toBeGreaterThanOrEqual(2);
  expect(data.steps.length).toBeLessThan(6);
  expect(data.trace[0]).toMatchObject({ timeout_ms: 600, fallback: true });
  expect(data.trace.at(-1).timeout_ms).toBeLessThan(600);
  expect(data.performance.execution_time_ms).toBeGreaterThanOrEqual(990);
  expect(data.error.order).toBe(data.steps.length);
  expect(data.steps[0]).toMatchObject({ result: { status: "failed" }, error: { code: "TIMEOUT", order: 0 } });
  const strict = await owner.post("/chains", { name: "c", trigger: "t", steps: [{ skill_id, order: 0 }] });
  const options = { step_timeout_ms: 200 };
  expect(
    (await owner.post(`/chains/${strict.body.data.id}/execute`, { context: {}, options })).body.data,
  ).toMatchObject({
    status: "failed",
    error: { code: "TIMEOUT", order: 0, message: expect.stringContaining("200") },
  });
});

it("the model suggests, extracts and synthesizes skills, in the same form as the rules", async () => {
  const { server, owner, make } = await openWithModel(
    saying({
      drafts: [
        { name: "Call", trigger: "a refund is due", action: "Call.", confidence: 0.9, explanation: "It says so." },
      ],
    }),
    saying({ skills: [{ name: "Greet", trigger: "a guest arrives", action: "Greet {guest}.", confidence: 0.95 }] }),
    saying({
      trigger: "a refund is due or a guest arrives",
      action: "Be kind.",
      merged_triggers: ["a refund is due", "a guest arrives"],
      merged_actions: ["Refund {amount}.", "Greet {guest}."],
    }),
  );
  const refund = await make();
  const by = { provider: "openai", model: "small", fallback: false };
  const suggested = (await owner.post("/skills/suggest", { trigger: "refund due", context: "Be quick." })).body.data;
  expect(suggested).toMatchObject({ processing: by, total_suggestions: 2 });
  expect(suggested.suggestions).toMatchObject([
    { name: "Refund", source: "existing", skill_id: refund },
    { name: "Call", explanation: "It says so.", source: "draft" },
  ]);
  expect(server.requests[0]?.body.messages.at(-1)?.content).toContain("Refund {amount}.");
  const extracted = (await owner.post("/skills/extract", { content: "Greet guests." })).body.data;
  expect(extracted).toMatchObject({ processing: by, extracted_skills: [{ name: "Greet", confidence: 0.95 }] });
  const skill_ids = [refund, extracted.extracted_skills[0].id];
  const { status, body } = await owner.post("/skills/synthesize", { skill_ids, name: "Kindness" });
  expect(status).toBe(201);
  expect(body.data).toMatchObject({
    processing: by,
    synthesized_skill: { action: "Be kind.", source_skills: skill_ids },
    synthesis_summary: { merged_triggers: ["a refund is due", "a guest arrives"] },
  });
});

it("the rules replace a model whose answer is invalid", async () => {
  const { owner } = await openWithModel({ says: "I would rather not." });
  const { data } = (await owner.post("/skills/extract", { content: "When a guest arrives, offer tea." })).body;
  expect(data).toMatchObject({
    extracted_skills: [{ trigger: "a guest arrives", action: "Offer tea" }],
    processing: { provider: "openai", fallback: true },
  });
});
