import { afterAll, beforeAll, expect, it } from "vitest";
import { memoryKey } from "../../shared/domain/memory/memory-keys.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";

let service: LocalService;
let org: string;
let key: string;

beforeAll(async () => {
  service = await openService({ FACT_READER: "onnx" });
  ({ org, key } = await createOrganization(service));
});
afterAll(() => service.close());

async function store(content: string, rest: object = {}): Promise<string> {
  const body = { content, user_id: "ada", ...rest };
  return (await service.request("POST", "/memories", { key, body })).body.data.id;
}

/** Returns the facts of a memory once the model has read it. */
async function factsOf(id: string) {
  await expect.poll(() => readerOf(id), { timeout: 30_000 }).toMatch(/^onnx:/);
  const { body } = await service.request("GET", "/facts?user_id=ada&limit=100", { key });
  return body.data.facts.filter((fact: { memory_id: string }) => fact.memory_id === id);
}

async function readerOf(id: string): Promise<unknown> {
  return (await service.runtime.ports.records.get(memoryKey(org, id)))?.facts_reader;
}

const linesOf = (facts: { attribute: string; value: string }[]) =>
  facts.map(({ attribute, value }) => `${attribute}: ${value}`);

it("reads what the rules do not, in any language, within its message", async () => {
  const english = await store("never been keen on olives, me");
  const japanese = await store("私はピーナッツアレルギーです。");
  expect(linesOf(await factsOf(english))).toContain("dislikes: olives");
  expect(linesOf(await factsOf(japanese))).toContain("allergic_to: ピーナッツ");
}, 60_000);

it("is waited for if a request asks for it, and says that it works", async () => {
  const body = { content: "私はピーナッツアレルギーです。", user_id: "mia" };
  const { status, body: answer } = await service.request("POST", "/memories?wait=true", { key, body });
  expect(status).toBe(201);
  expect(await readerOf(answer.data.id)).toMatch(/^onnx:/);
  const facts = (await service.request("GET", "/facts?user_id=mia", { key })).body.data.facts;
  expect(linesOf(facts)).toContain("allergic_to: ピーナッツ");
  expect((await service.request("GET", "/ready", { key: null })).body.data.fact_reader).toBe("working");
  await expect.poll(async () => (await service.request("GET", "/status", { key })).body.data.index.pending).toBe(0);
}, 60_000);

it("keeps decisions of people when it reads again", async () => {
  const id = await store("My sister works at the harbour office in Bremen.");
  const [fact] = await factsOf(id);
  await service.request("POST", `/facts/${fact.id}/retract`, { key });
  await service.request("PUT", `/memories/${id}`, { key, body: { metadata: { seen: true } } });
  const again = await factsOf(id);
  expect(again.find((each: { id: string }) => each.id === fact.id)).toMatchObject({ status: "retracted" });
}, 60_000);

it("promotes no words of others, and reads nothing where no facts are wanted", async () => {
  const quoted = await store('Tom wrote: "I live in Minsk and I am allergic to penicillin." What do I answer?');
  const unwanted = await store("I live in Porto.", { options: { extract_facts: false } });
  expect((await factsOf(quoted)).filter(({ subject }: { subject: string }) => subject === "user")).toEqual([]);
  expect(await readerOf(unwanted)).toBe("none");
}, 60_000);
