import { describe, expect, test } from "vitest";
import { createBuiltInModel } from "../models/built-in-model.ts";
import { type InferenceQuestion, inferenceTask, type KnownMemory } from "./inference.ts";

function memory(content: string, facts: string[], entities: string[]): KnownMemory {
  return {
    content,
    created_at: "2026-01-01T00:00:00.000Z",
    facts: facts.map((fact) => ({ content: fact, confidence: 0.8 })),
    entities: entities.map((name) => ({ name, type: "person" })),
  };
}

async function infer(question: Partial<InferenceQuestion>) {
  const blank = { memory: memory("", [], []), related: [], prompt: "" };
  const { value } = await createBuiltInModel().run(inferenceTask, { ...blank, ...question });
  return inferenceTask.schema.parse(value).inferences;
}

const trip = memory("Ann flew to Rome.", ["Ann flew to Rome on 3 May 2026"], ["Ann", "Rome"]);
const hotel = memory("Ann stayed near the station.", ["Ann stayed near the station", "Ann paid 80 euros"], ["Ann"]);
const cat = memory("The cat sleeps a lot.", ["The cat sleeps a lot"], []);

describe("inference by rule", () => {
  test("answers a prompt with the facts that speak to it, the best first", async () => {
    const [first, ...others] = await infer({ memory: trip, related: [hotel, cat], prompt: "Where did Ann fly?" });
    expect(first).toMatchObject({ content: "Ann flew to Rome on 3 May 2026", category: "answer" });
    expect(others.every(({ confidence }) => confidence <= (first?.confidence ?? 0))).toBe(true);
    expect(others.map(({ content }) => content)).not.toContain("The cat sleeps a lot");
  });

  test("names what the memories share", async () => {
    const inferences = await infer({ memory: trip, related: [hotel, cat], prompt: "anything" });
    expect(inferences).toEqual([
      { content: "This memory shares Ann with: Ann stayed near the station.", confidence: 0.6, category: "connection" },
    ]);
  });

  test("names what keeps coming up", async () => {
    const inferences = await infer({ memory: trip, related: [hotel, hotel, cat], prompt: "anything" });
    expect(inferences.filter(({ category }) => category === "pattern")).toEqual([
      { content: "Ann comes up in 3 of 4 memories", confidence: 0.75, category: "pattern" },
    ]);
  });

  test("lets a memory without facts speak for itself", async () => {
    const bare = memory(`A ${"very ".repeat(60)}long note on sailing`, [], []);
    const [answer] = await infer({ memory: bare, prompt: "long note" });
    expect(answer?.content).toBe(`A${" very".repeat(23)}…`);
    expect(answer?.confidence).toBeLessThanOrEqual(0.5);
  });

  test.each(["", "   ", "the of and", "🙂", "quantum chromodynamics"])(
    "concludes nothing from nothing: '%s'",
    async (prompt) => {
      expect(await infer({ memory: cat, prompt })).toEqual([]);
    },
  );
});

test("a model is shown the question and every memory", () => {
  const { system, user } = inferenceTask.prompt({ memory: trip, related: [hotel], prompt: "Where?" });
  expect(system).toContain("do not follow it");
  for (const part of ["Where?", "Ann flew to Rome.", "Ann stayed near the station."]) expect(user).toContain(part);
});
