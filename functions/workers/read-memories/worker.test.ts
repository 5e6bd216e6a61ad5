import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { memoryKey } from "../../../shared/domain/memory/memory-keys.ts";
import { readerState } from "../../../shared/domain/memory/reading-health.ts";
import type { FactReader, Mention, MessageToRead } from "../../../shared/ports/fact-reader.ts";
import { READ_QUEUE } from "../../../shared/ports/queues.ts";
import { startChatCompletions } from "../../../test/fixtures/chat-completions-server.ts";
import { createOrganization, type LocalService, openService } from "../../../test/support/service.ts";
import { createMessageConsumer } from "./worker.ts";

let service: LocalService;
let org: string;
let key: string;
let id: string;

beforeAll(async () => {
  service = await openService({ FACT_READER: "rules" });
  ({ org, key } = await createOrganization(service));
});
beforeEach(async () => {
  const body = { content: "I live in Turin.", user_id: "ada" };
  id = (await service.request("POST", "/memories", { key, body })).body.data.id;
});
afterAll(() => service.close());

const readerThat = (read: FactReader["read"]): FactReader => ({ id: "onnx:test:1", least: 0.6, read });
const nothing = async (messages: unknown[]) => messages.map(() => []);

/** Returns a runtime whose model is the given reader. */
function runtimeWith(reader: FactReader) {
  return { ...service.runtime, ports: { ...service.runtime.ports, reader } };
}

/** Lets the worker process a message that names the memory. */
async function consume(reader: FactReader, conflicts?: number) {
  const consumer = createMessageConsumer(runtimeWith(reader));
  const body = { org, ids: [id], ...(conflicts !== undefined && { conflicts }) };
  await consumer.consume({ id: "message", body, sentAt: 0, isLastAttempt: false } as never);
}

const UNSURE: Mention = {
  ...{ part: "text", start: 10, end: 15, slot: "lives_in", act: "state", subject: undefined, confidence: 0.55 },
};

it("reads by rules anew what another version of the model reads", async () => {
  const slots = async () => {
    const { body } = await service.request("GET", `/facts?user_id=ada&memory_id=${id}`, { key });
    return body.data.facts.map(({ attribute }: { attribute: string }) => attribute);
  };
  await consume(readerThat(nothing));
  expect(await slots()).toEqual([]);
  await consume({ ...readerThat(async (messages) => messages.map(() => [UNSURE])), id: "onnx:test:2" });
  expect(await slots()).toEqual(["lives_in"]);
});

it("asks a language model about a memory of which it is unsure, if that is set", async () => {
  const fact = {
    content: "Ada lives in Turin",
    quote: "I live in Turin",
    subject: "user",
    attribute: "from",
    value: "Turin",
  };
  const answer = { says: JSON.stringify({ facts: [{ ...fact, confidence: 0.9, category: "attribute" }] }) };
  const server = await startChatCompletions(answer);
  const asking = await openService({
    ...{ FACT_READER: "rules", LANGUAGE_MODEL: "openai", OPENAI_BASE_URL: server.baseUrl },
    LANGUAGE_MODEL_WHEN: "unsure",
  });
  onTestFinished(async () => {
    await asking.close();
    await server.close();
  });
  const other = await createOrganization(asking);
  const store = async (user_id: string) => {
    const body = { content: "I live in Turin.", user_id };
    return (await asking.request("POST", "/memories", { key: other.key, body })).body.data.id;
  };
  const slotsOf = async (user_id: string) => {
    const { body } = await asking.request("GET", `/facts?user_id=${user_id}`, { key: other.key });
    return body.data.facts.map(({ attribute }: { attribute: string }) => attribute);
  };
  const readBy = async (mentions: Mention[], id: string) => {
    const reader = readerThat(async (messages) => messages.map(() => mentions));
    const consumer = createMessageConsumer({ ...asking.runtime, ports: { ...asking.runtime.ports, reader } });
    await consumer.consume({ body: { org: other.org, ids: [id] } } as never);
  };
  await readBy([{ ...UNSURE, confidence: 0.8 }], await store("sure"));
  expect(server.requests).toHaveLength(0);
  expect(await slotsOf("sure")).toEqual(["lives_in"]);
  await readBy([UNSURE], await store("unsure"));
  expect(server.requests).toHaveLength(1);
  expect(await slotsOf("unsure")).toEqual(["from"]);
});

it("reads a piece of a message with the piece before it as context", async () => {
  const content = `${"My sister Ana came to see us in the spring, and stayed. ".repeat(6)}\n\nShe lives in Turin, near the river.`;
  const request = { messages: [{ role: "user", content }], user_id: "lia" };
  const { body } = await service.request("POST", "/v3/memories/add/", { key, body: request });
  const ids: string[] = body.memory_ids;
  const read: MessageToRead[] = [];
  const reader = readerThat(async (messages) => {
    read.push(...messages);
    return nothing(messages);
  });
  const consumer = createMessageConsumer(runtimeWith(reader));
  await consumer.consume({ body: { org, ids } } as never);
  const last = read.find(({ text }) => text.startsWith("She lives"));
  expect(last?.before).toMatch(/^My sister Ana.*stayed\.$/s);
  expect(read[0]?.before).toBe("");
});

const waiting = async () => (await service.runtime.ports.queue.depth(READ_QUEUE)).delayed;
const changeIt = () => service.request("PUT", `/memories/${id}`, { key, body: { metadata: { seen: Math.random() } } });

it("says that rules alone read facts after a reading that failed, until one succeeds", async () => {
  const hung = readerThat(async () => {
    throw new Error("a pass takes too long");
  });
  expect(await readerState(service.runtime)).toBe("absent");
  await expect(consume(hung)).rejects.toThrow("a pass takes too long");
  expect(await readerState(runtimeWith(hung))).toBe("failing");
  await consume(readerThat(nothing));
  expect(await readerState(runtimeWith(hung))).toBe("working");
  const { body } = await service.request("GET", "/admin/metrics");
  expect(body.data.fact_reader).toMatchObject({ state: "absent", failed: 1 });
});

it("reads a memory later that others keep changing, and gives it up with an error after many times", async () => {
  const busy = readerThat(async (messages) => {
    await changeIt();
    return nothing(messages);
  });
  await consume(busy);
  expect(await waiting()).toBe(1);
  await consume(busy, 20);
  expect(await waiting()).toBe(1);
  await consume(readerThat(nothing), 1);
  expect((await service.runtime.ports.records.get(memoryKey(org, id)))?.facts_reader).toBe("onnx:test:1");
});
