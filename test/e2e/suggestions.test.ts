import { expect, it, onTestFinished } from "vitest";
import { LABELLED, TO_LABEL } from "../fixtures/labelled-memories.ts";
import { createOrganization, openService } from "../support/service.ts";

const PLAIN = { extract_facts: false, extract_entities: false, compress: false };

async function open() {
  const service = await openService();
  onTestFinished(service.close);
  const organization = async () => {
    const { key } = await createOrganization(service);
    const ask = async (method: string, path: string, body?: unknown) => {
      const answer = await service.request(method, path, { key, body });
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
      return answer.body.data;
    };
    const store = async (content: string, more: object = {}): Promise<string> =>
      (await ask("POST", "/memories", { content, ...more })).id;
    const suggested = async (id: string) => (await ask("GET", `/memories/${id}?suggest=true`)).suggested;
    const storeLabelled = async () => {
      for (const [content, category] of LABELLED) await store(content, { category, options: PLAIN });
    };
    return { ask, store, suggested, storeLabelled };
  };
  return { service, organization };
}

it("the service suggests existing categories, and none if it is unsure, for texts that set no threshold", async () => {
  const { service, organization } = await open();
  const { store, suggested, storeLabelled } = await organization();
  await storeLabelled();
  await service.runtime.drainChangeFeed();
  const keptApart = TO_LABEL.slice(TO_LABEL.length / 2);
  const outcomes: { wanted: string | undefined; value: string | undefined }[] = [];
  for (const [content, wanted] of keptApart) {
    const { category } = await suggested(await store(content, { options: PLAIN }));
    outcomes.push({ wanted, value: category?.value });
  }
  const made = outcomes.filter(({ value }) => value !== undefined);
  const right = made.filter(({ wanted, value }) => wanted === value);
  const wanted = outcomes.filter((outcome) => outcome.wanted !== undefined);
  expect(right.length / made.length).toBeGreaterThanOrEqual(0.8);
  expect(right.length / wanted.length).toBeGreaterThanOrEqual(0.7);
});

it("suggestions appear neither in the memory nor in filters, lists and counts", async () => {
  const { service, organization } = await open();
  const { ask, store, suggested, storeLabelled } = await organization();
  await storeLabelled();
  const id = await store("Ben's salary is paid by bank transfer.");
  await service.runtime.drainChangeFeed();
  const before = await ask("GET", `/memories/${id}`);
  expect((await suggested(id)).category).toEqual({ value: "finance", confidence: expect.any(Number) });
  expect(await ask("GET", `/memories/${id}`)).toEqual(before);
  expect(before).not.toHaveProperty("suggested");
  expect(before).not.toHaveProperty("category");
  const { memories } = await ask("GET", "/memories?category=finance&limit=100");
  expect(memories.map((memory: { id: string }) => memory.id)).not.toContain(id);
  expect((await ask("GET", "/memories/stats")).by_category.finance).toBe(5);
});

it("suggestions cover only the missing fields, from memories of the same organization", async () => {
  const { service, organization } = await open();
  const [full, empty] = [await organization(), await organization()];
  await full.storeLabelled();
  const content = "Ben's salary is paid by bank transfer.";
  const labelled = await full.store(content, { category: "own", type: "own" });
  const alone = await empty.store(content, { options: PLAIN });
  await service.runtime.drainChangeFeed();
  expect(await full.suggested(labelled)).toEqual({});
  expect(await empty.suggested(alone)).toEqual({});
});

it("the type is suggested from a memory's facts if no neighbour has one", async () => {
  const { organization } = await open();
  const { store, suggested } = await organization();
  const id = await store("Ada prefers tea to coffee.");
  expect(await suggested(id)).toEqual({ type: { value: "preference", confidence: expect.any(Number) } });
});
