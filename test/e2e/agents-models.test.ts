import { expect, it, onTestFinished } from "vitest";
import { startChatCompletions, type Turn } from "../fixtures/chat-completions-server.ts";
import { createOrganization, openService } from "../support/service.ts";
import { Caller, eventually } from "../support/target.ts";

const ANSWER = { answer: "Within 30 days, so by 2026-12-23.", confidence: 0.9, explanation: "As stored." };

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
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await owner.post(path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.data.id;
  };
  return { server, operator, owner, make };
}

it.each([
  ["small", "small"],
  ["large", "large"],
  ["of another deployment", "large"],
])("executes an agent on its model if the deployment has it, with the agent's settings: %s", async (model, asked) => {
  const { server, operator, owner, make } = await openWithModel({ says: "{}" });
  const verify = { provider: "openai", model: "large", cost_per_1k: 0.5 };
  expect((await operator.put("/compression/mode", { mode: "balanced", providers: { verify } })).status).toBe(200);
  const options = { extract_facts: false, extract_entities: false, compress: false };
  const content = "A refund is due within 30 days.";
  const memory = await make("/memories", { content, options });
  const skill = await make("/skills", { name: "Refund", trigger: "a refund is due", action: "Pay back.", domain: "x" });
  const other = await make("/skills", { name: "Water", trigger: "the plants are dry", action: "Water.", domain: "x" });
  const config = { temperature: 0.7, system_prompt: "Speak like a pirate." };
  const agent = await make("/agents", { name: "Guide", model, config, skills: [skill, other] });
  expect((await owner.post(`/agents/${agent}/memories`, { memory_id: memory, access_type: "read" })).status).toBe(201);
  const quotes = [
    { memory_id: memory, text: "within 30 days" },
    { memory_id: memory, text: "by 2026-12-23" },
  ];
  const says = JSON.stringify({ ...ANSWER, used_skills: [skill, other], quotes });
  await eventually(async () => {
    server.requests.length = 0;
    server.say({ says });
    const { body } = await owner.post(`/agents/${agent}/execute`, { input: "A refund is due, when?" });
    expect(body.data).toMatchObject({
      result: { answer: ANSWER.answer, quotes: [quotes[0]], unsupported: ["2026-12-23"] },
      used_memories: [{ id: memory, content }],
      used_skills: [{ id: skill, fit: expect.any(Number) }],
      processing: { provider: "openai", model: asked, requested_model: model, temperature: 0.7, fallback: false },
    });
    expect(body.data.used_skills).toHaveLength(1);
  });
  const [request] = server.requests;
  expect(request?.body).toMatchObject({ model: asked, temperature: 0.7 });
  expect(request?.body.messages[0]?.content).toContain("Speak like a pirate.");
});
