import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import reader from "../../../../models/reader/manifest.json" with { type: "json" };
import { createOnnxEmbedder } from "../../models/onnx/onnx-embedder.ts";
import head from "./asked.json" with { type: "json" };
import { askedBy, askedOf } from "./asked.ts";

const embedder = createOnnxEmbedder({
  folder: fileURLToPath(new URL("../../../../models/multilingual-e5-small", import.meta.url)),
});
afterAll(() => embedder.close());

async function ask(question: string) {
  const [vector] = await embedder.embed([question], { purpose: "query" });
  return askedOf(embedder.id, vector);
}

describe("what a question asks for", () => {
  it.each([
    ["Where does Lena live?", "lives_in", false],
    ["Who is my boss?", "manager", true],
    ["Bei welcher Firma arbeite ich?", "works_at", true],
    ["¿Cuántos años tiene Mateo?", "age", false],
  ])("is read from its vector: %s", async (question, slot, isOfUser) => {
    const { slots, none = 1, ofUser = 0 } = (await ask(question)) ?? {};
    const [likeliest] = [...(slots ?? [])].sort(([, one], [, other]) => other - one);
    expect(likeliest?.[0]).toBe(slot);
    expect(likeliest?.[1]).toBeGreaterThan(none);
    expect(ofUser > 0.5).toBe(isOfUser);
  });

  it("is none for a task", async () => {
    expect((await ask("Write a poem about the sea."))?.none).toBeGreaterThan(0.5);
  });

  it("has the slots of the reader, and weights for the vectors of the default model", () => {
    expect(head.slots).toEqual(reader.labels.slots.toSorted());
    expect(head.embedder).toBe(embedder.id);
    expect(Buffer.from(head.weights, "base64")).toHaveLength((head.slots.length + 2) * embedder.dimensions);
  });

  it("is unknown with another embedder, and without a vector", () => {
    expect(askedOf("lexical", new Float32Array(384))).toBeUndefined();
    expect(askedOf(embedder.id, undefined)).toBeUndefined();
  });

  it("adds up to one", () => {
    const weights = Buffer.from(Int8Array.of(0, 0, 100, 0, 0, 100, 50, 0)).toString("base64");
    const small = {
      embedder: "",
      slots: ["age", "pet"],
      biases: [0, 0, 0, -1],
      scales: [1, 0.01, 0.01, 0.02],
      weights,
    };
    const { slots, none, ofUser } = askedBy(small, Float32Array.of(1, 0));
    expect(none + (slots.get("age") ?? 0) + (slots.get("pet") ?? 0)).toBeCloseTo(1);
    expect(slots.get("age")).toBeCloseTo(Math.E / (Math.E + 2));
    expect(ofUser).toBeCloseTo(0.5);
  });
});
