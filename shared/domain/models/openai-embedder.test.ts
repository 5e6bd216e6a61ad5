import { afterEach, expect, test } from "vitest";
import {
  axis,
  type EmbeddingsServer,
  type EmbeddingTurn,
  startEmbeddings,
} from "../../../test/fixtures/embeddings-server.ts";
import { createOpenAiEmbedder } from "./openai-embedder.ts";
import type { RemoteModelOptions } from "./remote-model.ts";

type OpenAiEmbedderOptions = Partial<RemoteModelOptions>;

const DIMENSIONS = 8;

let server: EmbeddingsServer;
afterEach(() => server.close());

async function open(turns: EmbeddingTurn[] = [], options: OpenAiEmbedderOptions = {}) {
  server = await startEmbeddings(DIMENSIONS, ...turns);
  const pauses: number[] = [];
  const sleep = async (milliseconds: number) => pauses.push(milliseconds);
  const settings = { baseUrl: `${server.baseUrl}/`, apiKey: "secret", model: "tiny", dimensions: DIMENSIONS };
  return { pauses, embedder: createOpenAiEmbedder(settings, { sleep, random: () => 0.5, ...options }) };
}

const PASSAGE = { purpose: "passage" } as const;
const inputs = () => server.requests.map(({ body }) => body.input.length);

test("returns unit vectors in the order of the texts", async () => {
  const { embedder } = await open();
  expect(embedder).toMatchObject({ id: "openai:tiny:8", dimensions: 8 });
  const vectors = await embedder.embed(["a", "bb", "ccc"], PASSAGE);
  expect(vectors.map((vector) => [...vector])).toEqual([axis(1, 8), axis(2, 8), axis(3, 8)]);
  expect(server.requests).toEqual([
    { authorization: "Bearer secret", body: { model: "tiny", input: ["a", "bb", "ccc"] } },
  ]);
});

test("sends texts in batches", async () => {
  const { embedder } = await open();
  const texts = Array.from({ length: 300 }, (_, i) => "x".repeat(1 + (i % 7)));
  const vectors = await embedder.embed(texts, PASSAGE);
  expect(inputs()).toEqual([128, 128, 44]);
  expect(vectors.map((vector) => vector.indexOf(1))).toEqual(vectors.map((_, i) => 1 + (i % 7)));
});

test("sends no request for blank texts", async () => {
  const { embedder } = await open();
  expect(await embedder.embed([], PASSAGE)).toEqual([]);
  const vectors = await embedder.embed(["", " \n", "bb"], PASSAGE);
  expect(vectors.map((vector) => [...vector])).toEqual([axis(0, 8), axis(0, 8), axis(2, 8)]);
  expect(server.requests.map(({ body }) => body.input)).toEqual([["bb"]]);
});

test("embeds a long text as the mean of its pieces, which contain all of it", async () => {
  const { embedder } = await open();
  const text = `${"x".repeat(5_999)}🎂${"y".repeat(94_000)}`;
  const [vector] = await embedder.embed([text], PASSAGE);
  const pieces = server.requests.flatMap(({ body }) => body.input);
  expect(pieces.join("")).toBe(text);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(6_000);
  expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
  expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1);
});

test("waits as long as a throttling response requests", async () => {
  const { embedder, pauses } = await open([{ status: 429, retryAfter: "2" }, "vectors"]);
  expect(await embedder.embed(["a"], PASSAGE)).toHaveLength(1);
  expect(pauses).toEqual([2000]);
});

test.each<[string, EmbeddingTurn, OpenAiEmbedderOptions, string, number[]]>([
  ["retries with growing pauses, then gives up", { status: 503 }, {}, "status 503", [125, 250, 500]],
  ["does not retry refused requests", { status: 400 }, {}, "status 400", []],
  ["gives up on a silent provider", "silence", { timeoutMs: 100 }, "no reply in time", []],
])("%s", async (_what, turn, options, message, waited) => {
  const { embedder, pauses } = await open([turn], options);
  await expect(embedder.embed(["a"], PASSAGE)).rejects.toThrow(message);
  expect(pauses).toEqual(waited);
  expect(server.requests).toHaveLength(waited.length + 1);
});

test("reports why it ran out of time", async () => {
  let now = 0;
  const sleep = async () => {
    now += 60_000;
  };
  const { embedder } = await open([{ status: 503 }], { clock: () => now, sleep });
  await expect(embedder.embed(["a"], PASSAGE)).rejects.toMatchObject({
    message: "out of time",
    cause: { message: "status 503", transient: true },
  });
});

test.each([
  ["not JSON", "<html>", "no embeddings"],
  ["no data", "{}", "no embeddings"],
  ["too few vectors", '{"data":[]}', "no vector for text 0, where 8"],
  ["too short a vector", '{"data":[{"index":0,"embedding":[1,0]}]}', "a vector of 2 dimensions for text 0, where 8"],
])("refuses a reply with %s", async (_name, raw, message) => {
  const { embedder } = await open([{ raw }]);
  await expect(embedder.embed(["a"], PASSAGE)).rejects.toThrow(message);
});

test("stops on the signal, without another request", async () => {
  const { embedder, pauses } = await open(["silence"]);
  const controller = new AbortController();
  const hanging = embedder.embed(["a"], { ...PASSAGE, signal: controller.signal });
  await expect.poll(inputs).toEqual([1]);
  controller.abort();
  await expect(hanging).rejects.toThrow();
  expect([inputs(), pauses]).toEqual([[1], []]);
});
