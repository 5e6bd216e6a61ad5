import { afterAll, beforeAll, expect, it } from "vitest";
import { type LocalService, openService } from "../support/service.ts";

let service: LocalService;

beforeAll(async () => {
  service = await openService({ EMBEDDER: "onnx" });
});
afterAll(() => service.close());

const search = async (query: string) => {
  const { body } = await service.request("GET", `/search?q=${encodeURIComponent(query)}`);
  return body.data.results.map(({ content }: { content: string }) => content);
};
const pending = async () => (await service.request("GET", "/status")).body.data.index.pending;

it("returns whether a memory is already searchable by meaning", async () => {
  const stored = await service.request("POST", "/memories", { body: { content: "She keeps bees." } });
  const read = async () => (await service.request("GET", `/memories/${stored.body.data.id}`)).body.data.index;
  expect(await read()).toEqual({ pending: expect.any(Boolean) });
  await expect.poll(read, { timeout: 20_000 }).toEqual({ pending: false });
  await service.request("PUT", `/memories/${stored.body.data.id}`, { body: { metadata: { topic: "bees" } } });
  expect(await read()).toEqual({ pending: false });
});

it("finds a memory by its words immediately and by its meaning soon after", async () => {
  const advice = "The doctor told her to sleep more.";
  const others = ["The bicycle was expensive.", "We painted the kitchen yellow.", "Trains to Bergen leave at noon."];
  for (const content of [advice, ...others]) {
    expect((await service.request("POST", "/memories", { body: { content } })).status).toBe(201);
  }
  expect((await search("sleep doctor"))[0]).toBe(advice);
  await expect.poll(pending, { timeout: 20_000 }).toBe(0);
  expect((await search("What does her physician advise?"))[0]).toBe(advice);
});
