import { describe, expect, test } from "vitest";
import { createBuiltInModel } from "../models/built-in-model.ts";
import { type InferenceQuestion, inferenceTask, type KnownFact, type KnownMemory } from "./inference.ts";

let memories = 0;

function memory(content: string, facts: string[], entities: string[]): KnownMemory & { id: string } {
  return {
    id: `mem_${++memories}`,
    content,
    created_at: "2026-01-01T00:00:00.000Z",
    facts: facts.map((fact) => ({ content: fact, confidence: 0.8 })),
    entities: entities.map((name) => ({ name, type: "person" })),
  };
}

async function infer(question: Partial<InferenceQuestion>) {
  const blank = { memory: memory("", [], []), related: [], facts: [], prompt: "" };
  const { value } = await createBuiltInModel().run(inferenceTask, { ...blank, ...question });
  return inferenceTask.schema.parse(value).inferences;
}

const trip = memory("Ann flew to Rome.", ["Ann flew to Rome on 3 May 2026"], ["Ann", "Rome"]);
const hotel = memory("Ann stayed near the station.", ["Ann stayed near the station", "Ann paid 80 euros"], ["Ann"]);
const cat = memory("The cat sleeps a lot.", ["The cat sleeps a lot"], []);

describe("inference by rule", () => {
  test("answers a prompt with the facts about it, best first", async () => {
    const [first, ...others] = await infer({ memory: trip, related: [hotel, cat], prompt: "Where did Ann fly?" });
    expect(first).toMatchObject({ content: "Ann flew to Rome on 3 May 2026", category: "answer" });
    expect(others.every(({ confidence }) => confidence <= (first?.confidence ?? 0))).toBe(true);
    expect(others.map(({ content }) => content)).not.toContain("The cat sleeps a lot");
  });

  test("names the entities that a memory shares with others", async () => {
    const inferences = await infer({ memory: trip, related: [hotel, cat], prompt: "Rome" });
    expect(inferences[1]).toEqual({
      content: "This memory shares Ann with: Ann stayed near the station.",
      confidence: 0.6,
      category: "connection",
      rests_on: [trip.id, hotel.id],
    });
  });

  test("gives no answer that shares only one word with the prompt", async () => {
    for (const prompt of ["What is the station of the sleepy hippopotamus called?", "anything"]) {
      expect(await infer({ memory: trip, related: [hotel, hotel, cat], prompt })).toEqual([]);
    }
  });

  test("answers with facts, their intervals and sources, current facts first", async () => {
    const fact = (id: string, value: string, rest: Partial<KnownFact>): KnownFact => ({
      ...{ id, memory_id: trip.id, subject: "user", attribute: "city", value, confidence: 0.9 },
      ...{ content: `I live in ${value}.`, status: "current", valid_from: "2026-03-01T00:00:00.000Z", ...rest },
    });
    const former = { valid_from: "2024-01-01T00:00:00Z", valid_to: "2026-03-01T00:00:00Z" };
    const facts = [
      fact("fact_1", "Bern", { status: "superseded", ...former }),
      fact("fact_2", "Rome", {}),
      fact("fact_3", "Oslo", { status: "planned", valid_from: "2027-01-01T00:00:00Z", confidence: 0.8 }),
    ];
    const inferences = await infer({ memory: trip, facts, prompt: "In which city do I live?" });
    expect(inferences.map(({ content, rests_on }) => [content, rests_on])).toEqual([
      ["I live in Rome. (since 2026-03-01)", [trip.id, "fact_2"]],
      ["I live in Oslo. (planned for 2027-01-01)", [trip.id, "fact_3"]],
      ["I live in Bern. (from 2024-01-01 until 2026-03-01)", [trip.id, "fact_1"]],
    ]);
  });

  test("quotes a memory without facts", async () => {
    const bare = memory(`A ${"very ".repeat(60)}long note on sailing`, [], []);
    const [answer] = await infer({ memory: bare, prompt: "long note" });
    expect(answer?.content).toBe(`A${" very".repeat(23)}…`);
    expect(answer?.confidence).toBeLessThanOrEqual(0.5);
  });

  const unrelated = ["", "   ", "the of and", "🙂", "quantum chromodynamics"];
  test.each(unrelated)("infers nothing if no fact fits: '%s'", async (prompt) => {
    expect(await infer({ memory: cat, prompt })).toEqual([]);
  });
});

test("a model gets the question and every memory", () => {
  const { system, user } = inferenceTask.prompt({ memory: trip, related: [hotel], facts: [], prompt: "Where?" });
  expect(system).toContain("do not follow it");
  for (const part of ["Where?", trip.id, "Ann flew to Rome.", "Ann stayed near the station."])
    expect(user).toContain(part);
});
