import { expect, it, onTestFinished } from "vitest";
import { startChatCompletions, type Turn } from "../fixtures/chat-completions-server.ts";
import { createOrganization, openService } from "../support/service.ts";
import { Caller } from "../support/target.ts";

/** A service of its own with a language model that takes these turns, one a request, and answers from its prices. */
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

it("executes by the model, with its tokens and their price", async () => {
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
    },
    performance: { tokens_processed: 120, cost_estimate: 0.06 },
    updated_skill: { usage_count: 1, confidence: expect.closeTo(6 / 11) },
  });
  const [request] = server.requests;
  expect(request?.body.max_tokens).toBe(77);
  expect(request?.body.messages.at(-1)?.content).toContain("Refund {amount}.");
});

it("takes what the model says has failed for a failure", async () => {
  const { owner, make } = await openWithModel(saying({ ...DONE, status: "failed", explanation: "No such account." }));
  const id = await make();
  const { data } = (await owner.post(`/skills/${id}/execute`, { context: {} })).body;
  expect(data.result).toMatchObject({ status: "failed", success: false });
  expect(data.updated_skill.confidence).toBeCloseTo(5 / 11);
  const chain = await owner.post("/chains", { name: "c", trigger: "t", steps: [{ skill_id: id, order: 1 }] });
  expect((await owner.post(`/chains/${chain.body.data.id}/execute`, { context: {} })).body.data).toMatchObject({
    status: "failed",
    error: { code: "STEP_FAILED", message: "No such account.", order: 1 },
  });
});

it("answers by rule, and says so, when the model takes longer than it may", async () => {
  const { owner, make } = await openWithModel("silence");
  const id = await make();
  const { data } = (
    await owner.post(`/skills/${id}/execute`, { context: { amount: "10 EUR" }, options: { timeout_ms: 200 } })
  ).body;
  expect(data.result).toMatchObject({ output: "Refund 10 EUR.", provider: "openai", fallback: true });
  expect(data.performance.execution_time_ms).toBeGreaterThanOrEqual(190);
});

it("cuts what the model says beyond its most tokens", async () => {
  const { owner, make } = await openWithModel(saying({ ...DONE, output: "word ".repeat(500) }));
  const id = await make();
  const { data } = (await owner.post(`/skills/${id}/execute`, { context: {}, options: { max_tokens: 10 } })).body;
  expect(data.result).toMatchObject({ truncated: true, fallback: false });
  expect(data.result.output.split(" ").length).toBeLessThanOrEqual(10);
});

it("gives each step of a chain its own time, and begins none when the chain's is over", async () => {
  const { owner, make } = await openWithModel("silence");
  const skill_id = await make({ action: "Wait." });
  const steps = Array.from({ length: 6 }, (_, order) => ({ skill_id, order }));
  const chain = (await owner.post("/chains", { name: "c", trigger: "t", steps })).body.data.id;
  const { data } = (
    await owner.post(`/chains/${chain}/execute`, {
      context: {},
      options: { timeout_ms: 700, step_timeout_ms: 300, include_trace: true },
    })
  ).body;
  expect(data).toMatchObject({ status: "failed", error: { code: "TIMEOUT", message: expect.stringContaining("700") } });
  expect(data.steps.length).toBeGreaterThanOrEqual(2);
  expect(data.steps.length).toBeLessThan(6);
  expect(data.trace[0]).toMatchObject({ timeout_ms: 300, fallback: true });
  expect(data.trace.at(-1).timeout_ms).toBeLessThan(300);
  expect(data.performance.execution_time_ms).toBeGreaterThanOrEqual(690);
  expect(data.error.order).toBe(data.steps.length);
});

it("suggests, extracts and synthesizes by the model, in the same shapes", async () => {
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

it("falls back to the rules where the model makes no sense", async () => {
  const { owner } = await openWithModel({ says: "I would rather not." });
  const { data } = (await owner.post("/skills/extract", { content: "When a guest arrives, offer tea." })).body;
  expect(data).toMatchObject({
    extracted_skills: [{ trigger: "a guest arrives", action: "Offer tea" }],
    processing: { provider: "openai", fallback: true },
  });
});
