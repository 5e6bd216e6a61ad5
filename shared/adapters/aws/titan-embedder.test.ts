import { BedrockRuntimeClient, InvokeModelCommand } from "@aws-sdk/client-bedrock-runtime";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, expect, it } from "vitest";
import { TitanEmbedder } from "./titan-embedder.ts";
import { titanModel } from "./titan-model.ts";

const bedrock = mockClient(BedrockRuntimeClient);
const client = new BedrockRuntimeClient({ region: "us-east-1" });
const embedder = new TitanEmbedder(titanModel({ EMBEDDING_DIMENSIONS: "256" }), client);
const requests = () =>
  bedrock.commandCalls(InvokeModelCommand).map(({ args }) => JSON.parse(String(args[0].input.body)));

/** A unit vector along the axis that the text's first letter names: a is 0, b is 1 … */
function axis(letter: string, dimensions: number): number[] {
  return Array.from({ length: dimensions }, (_, index) => (index === letter.charCodeAt(0) - 97 ? 1 : 0));
}

beforeEach(() => {
  bedrock.reset();
  bedrock.on(InvokeModelCommand).callsFake(async ({ body }) => {
    const { inputText, dimensions } = JSON.parse(body);
    return { body: new TextEncoder().encode(JSON.stringify({ embedding: axis(inputText, dimensions) })) };
  });
});

it("names model and dimensions", () => {
  expect(embedder).toMatchObject({ id: "amazon.titan-embed-text-v2:0/256", dimensions: 256 });
  expect(() => titanModel({ EMBEDDING_DIMENSIONS: "300" })).toThrow("EMBEDDING_DIMENSIONS");
});

it("returns one vector per text, in order", async () => {
  const letters = [..."abcdefghijklmnop"];
  const vectors = await embedder.embed(letters, { purpose: "passage" });
  expect(vectors.map((vector) => vector.indexOf(1))).toEqual(letters.map((_, index) => index));
  expect(requests()[0]).toEqual({ inputText: "a", dimensions: 256, normalize: true });
});

it("embeds a long text as the weighted mean of its pieces, at unit length", async () => {
  const [vector] = await embedder.embed(["a".repeat(8_192) + "b".repeat(4_096)], { purpose: "passage" });
  expect(vector?.[0]).toBeCloseTo(2 / Math.sqrt(5), 5);
  expect(vector?.[1]).toBeCloseTo(1 / Math.sqrt(5), 5);
});

it("cuts pieces by bytes, never inside a character", async () => {
  await embedder.embed(["🎂".repeat(2_049)], { purpose: "passage" });
  expect(requests().map(({ inputText }) => inputText)).toEqual(["🎂".repeat(2_048), "🎂"]);
});

it("sends no request for blank texts and returns a unit vector for them", async () => {
  const vectors = await embedder.embed(["", " \n"], { purpose: "passage" });
  expect(vectors.map((vector) => Math.hypot(...vector))).toEqual([1, 1]);
  expect(requests()).toEqual([]);
});

it("rejects a vector of another length", async () => {
  const body = new TextEncoder().encode(JSON.stringify({ embedding: [1] }));
  bedrock.on(InvokeModelCommand).resolves({ body: body as never });
  await expect(embedder.embed(["a"], { purpose: "passage" })).rejects.toThrow("1 dimensions, not 256");
});

it("cancels its requests on the signal", async () => {
  const { signal } = new AbortController();
  await embedder.embed(["a"], { purpose: "passage", signal });
  expect(bedrock.commandCalls(InvokeModelCommand).map(({ args }) => (args as unknown[])[1])).toEqual([
    { abortSignal: signal },
  ]);
});
