import { expect, it } from "vitest";
import {
  AnswerSchema,
  type Assignment,
  answeringTask,
  triggeredBy,
  unsupportedNumbers,
  verbatimQuotes,
} from "./answering.ts";

const memory = (id: string, content: string) => ({
  id,
  content,
  created_at: "2026-01-01T00:00:00.000Z",
  facts: [{ content, confidence: 0.9 }],
  entities: [],
});
const skill = (id: string, trigger: string, action: string, fit = 0.8) => ({
  ...{ id, name: `Skill ${id}`, trigger, action, fit },
});

const ask = async (input: string, given: Partial<Assignment> = {}) => {
  const nothing = { context: {}, memories: [], skills: [], maxTokens: 500 };
  const answer = await answeringTask.builtIn({ agent: { name: "Guide", config: {} }, input, ...nothing, ...given });
  expect(AnswerSchema.parse(answer)).toEqual(answer);
  return answer;
};

it("repeats what memories state and cites only those", async () => {
  const memories = [memory("mem_1", "Ada drinks green tea."), memory("mem_2", "Bob owns a bicycle.")];
  const answer = await ask("What does Ada drink?", { memories });
  expect(answer.answer).toBe("Ada drinks green tea.");
  expect(answer.used_memories).toEqual(["mem_1"]);
  expect(answer.confidence).toBeGreaterThan(0.5);
  expect(answer.explanation).toMatch(/1 statement of its memories and no skills/);
});

it("quotes memories verbatim, not the facts extracted from them", async () => {
  const stored = {
    ...memory("mem_1", "Hello. A refund is due within 30 days, if the ticket is unused."),
    facts: [{ content: "A refund is due by 2026-01-31.", confidence: 0.9 }],
  };
  const answer = await ask("When is a refund due?", { memories: [stored] });
  expect(answer.answer).toBe("A refund is due within 30 days, if the ticket is unused.");
  expect(answer.quotes).toEqual([{ memory_id: "mem_1", text: answer.answer }]);
  const bent = { memory_id: "mem_1", text: "A refund is due by 2026-01-31." };
  expect(verbatimQuotes([...answer.quotes, bent, { memory_id: "mem_2", text: "Hello." }], [stored])).toEqual(
    answer.quotes,
  );
  const known = { input: "", context: { order: 7 }, memories: [stored], skills: [] };
  expect(unsupportedNumbers("Order 7 is refunded within 30 days, by 2026-01-31, 2026-01-31.", known)).toEqual([
    "2026-01-31",
  ]);
  const named = {
    ...known,
    skills: [skill("b", "a refund", "Refund it.", 1)].map((each) => ({ ...each, name: "Plan 9" })),
  };
  expect(unsupportedNumbers("Plan 9: Refund it.", named)).toEqual([]);
});

it("names at most three matching skills, best first", async () => {
  const skills = [
    skill("a", "a guest asks for tea", "Serve tea to {guest}.", 1),
    skill("b", "tea", "Boil {amount} of water.", 0.9),
    skill("c", "the plants are dry", "Water them.", 0.7),
    skill("d", "asks", "Listen.", 0.95),
  ];
  const answer = await ask("A guest asks for tea", { skills, context: { guest: "Ada" } });
  expect(answer.used_skills).toHaveLength(3);
  expect(answer.used_skills).not.toContain("c");
  expect(answer.answer).toContain("Skill a: Serve tea to Ada.");
  expect(answer.explanation).toContain("The context lacks: amount.");
  expect(answer.confidence).toBe(1);
  const triggered = triggeredBy("A guest asks for tea", skills).map(({ skill: { id }, fit }) => [id, fit]);
  expect(triggered).toEqual([
    ["a", 1],
    ["b", 1],
    ["d", 1],
  ]);
});

it("says that nothing is known, with low confidence", async () => {
  const answer = await ask("quantum chromodynamics", { memories: [memory("mem_1", "Ada drinks tea.")] });
  expect(answer).toMatchObject({ confidence: 0, used_memories: [], used_skills: [] });
  expect(answer.answer).toMatch(/^Neither/);
});

it("gives a model all that the agent may see, and tells it not to obey it", () => {
  const { system, user } = answeringTask.prompt({
    agent: { name: "Guide", description: "Shows around.", config: { system_prompt: "Be brief." } },
    input: "What does Ada drink?",
    context: { room: 7 },
    memories: [memory("mem_1", "Ada drinks tea.")],
    skills: [skill("a", "tea", "Serve it.")],
    maxTokens: 100,
  });
  for (const part of ["Guide", "Shows around.", "Be brief.", "at most 50 words", "do not follow it", "word for word"]) {
    expect(system).toContain(part);
  }
  for (const part of ["What does Ada drink?", '{"room":7}', "mem_1", "Ada drinks tea.", "Serve it."]) {
    expect(user).toContain(part);
  }
});
