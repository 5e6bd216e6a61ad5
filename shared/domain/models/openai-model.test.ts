import { afterEach, expect, test, vi } from "vitest";
import * as z from "zod";
import {
  type ChatCompletionsServer,
  startChatCompletions,
  type Turn,
} from "../../../test/fixtures/chat-completions-server.ts";
import type { LanguageTask } from "../../ports/ports.ts";
import { createOpenAiModel, type OpenAiOptions } from "./openai-model.ts";

const colourTask: LanguageTask<string, { colour: string }> = {
  name: "name_colour",
  schema: z.object({ colour: z.string().min(1) }),
  prompt: (thing) => ({ system: "Name the colour.", user: thing }),
  builtIn: () => ({ colour: "grey" }),
};

let server: ChatCompletionsServer;
afterEach(() => server.close());

async function ask(turns: Turn[], options: OpenAiOptions = {}) {
  server = await startChatCompletions(...turns);
  const pauses: number[] = [];
  const sleep = async (milliseconds: number) => pauses.push(milliseconds);
  const settings = { baseUrl: server.baseUrl, apiKey: "secret", model: "small" };
  const answer = await createOpenAiModel(settings, { sleep, random: () => 0.5, ...options }).run(colourTask, "grass");
  return { answer, pauses };
}

test("asks for the task's schema and answers what the model says", async () => {
  const { answer, pauses } = await ask([{ says: '{"colour":"green"}' }]);
  expect(answer).toEqual({
    value: { colour: "green" },
    provider: "openai",
    model: "small",
    fallback: false,
    usage: { inputTokens: 100, outputTokens: 20 },
    calls: 1,
  });
  expect(pauses).toEqual([]);
  const [request] = server.requests;
  expect(request?.authorization).toBe("Bearer secret");
  expect(request?.body).toMatchObject({
    model: "small",
    temperature: 0,
    messages: [
      { role: "system", content: "Name the colour." },
      { role: "user", content: "grass" },
    ],
    response_format: { type: "json_schema", json_schema: { name: "name_colour", schema: { type: "object" } } },
  });
});

test("requests at most the given number of tokens", async () => {
  server = await startChatCompletions({ says: '{"colour":"green"}' });
  const model = createOpenAiModel({ baseUrl: server.baseUrl, model: "small" });
  await model.run(colourTask, "grass", { maxTokens: 40 });
  await model.run(colourTask, "grass");
  expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([40, undefined]);
});

test.each([
  ["a code fence", '```json\n{"colour":"green"}\n```'],
  ["prose", 'Sure! Here it is: {"colour":"green"} I hope {that} helps.'],
  ["reasoning", '<think>Grass {is} green: {"colour":"blue"}?</think>\n{"colour":"green"}'],
  ["a trailing comma", '{"colour":"green",}'],
  ["a tail that is cut off", '{"colour":"green","why":"Because chloro'],
])("takes JSON out of %s without a second call", async (_what, says) => {
  const { answer } = await ask([{ says }]);
  expect(answer).toMatchObject({ value: { colour: "green" }, fallback: false, calls: 1 });
});

test("leaves out a temperature that the model refuses, from then on", async () => {
  const refusal = '{"error":{"param":"temperature","code":"unsupported_value"}}';
  server = await startChatCompletions({ status: 400, raw: refusal }, { says: '{"colour":"green"}' });
  const model = createOpenAiModel({ baseUrl: server.baseUrl, model: "small" });
  for (const _run of [1, 2]) {
    expect(await model.run(colourTask, "grass")).toMatchObject({ value: { colour: "green" }, fallback: false });
  }
  expect(server.requests.map(({ body }) => body.temperature)).toEqual([0, undefined, undefined]);
});

test("asks with the temperature that a task is given", async () => {
  server = await startChatCompletions({ says: '{"colour":"green"}' });
  const model = createOpenAiModel({ baseUrl: server.baseUrl, model: "small" });
  await model.run(colourTask, "grass", { temperature: 0.7 });
  expect(server.requests.map(({ body }) => body.temperature)).toEqual([0.7]);
});

test("reads no more of a reply than the longest answer", async () => {
  const { answer } = await ask([{ says: `{"colour":"${"green".repeat(2_000_000)}"}` }]);
  expect(answer).toMatchObject({ value: { colour: "grey" }, fallback: true, failure: "a reply that is too long" });
});

test.each(['{"colour":', '{"colour":5}', "Green, I think."])(
  "shows the model its mistakes once: %s",
  async (broken) => {
    const { answer } = await ask([{ says: broken }, { says: '{"colour":"green"}' }]);
    expect(answer).toMatchObject({
      value: { colour: "green" },
      fallback: false,
      usage: { inputTokens: 200, outputTokens: 40 },
    });
    const messages = server.requests[1]?.body.messages ?? [];
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(messages[2]?.content).toBe(broken);
    expect(messages[3]?.content).toMatch(broken.startsWith("{") ? /colour: / : /no JSON/);
  },
);

test("answers by rule after two answers of the wrong shape, and counts both", async () => {
  const warn = vi.fn();
  const logger = { debug() {}, info() {}, warn, error() {} };
  const { answer } = await ask([{ says: '{"color":"green"}' }], { logger });
  expect(answer).toEqual({
    value: { colour: "grey" },
    provider: "openai",
    model: "small",
    fallback: true,
    isLate: false,
    failure: "two answers of the wrong shape",
    usage: { inputTokens: 200, outputTokens: 40 },
    calls: 2,
  });
  expect(server.requests).toHaveLength(2);
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    "LANGUAGE_MODEL_FELL_BACK",
    expect.objectContaining({
      task: "name_colour",
      reason: expect.stringContaining("wrong shape"),
      mistakes: expect.stringContaining("colour: "),
    }),
  );
});

test("waits as long as a throttling provider says, then asks again", async () => {
  const { answer, pauses } = await ask([{ status: 429, retryAfter: "3" }, { says: '{"colour":"green"}' }]);
  expect(answer).toMatchObject({ value: { colour: "green" }, fallback: false });
  expect(pauses).toEqual([3000]);
});

test("reads a Retry-After that is a date", async () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  const turns: Turn[] = [{ status: 503, retryAfter: "Thu, 01 Jan 2026 00:00:02 GMT" }, { says: '{"colour":"green"}' }];
  const { pauses } = await ask(turns, { clock: () => now });
  expect(pauses).toEqual([2000]);
});

test("pauses longer each time while the provider fails, then answers by rule", async () => {
  const { answer, pauses } = await ask([{ status: 500 }]);
  expect(answer).toMatchObject({ value: { colour: "grey" }, fallback: true });
  expect(pauses).toEqual([125, 250, 500]);
  expect(server.requests).toHaveLength(4);
});

test("does not wait for longer than it has time", async () => {
  const { answer, pauses } = await ask([{ status: 429, retryAfter: "60" }]);
  expect(answer).toMatchObject({ fallback: true });
  expect(pauses).toEqual([]);
});

test("does not repeat what the provider refuses", async () => {
  const { answer } = await ask([{ status: 401 }]);
  expect(answer).toMatchObject({ fallback: true });
  expect(server.requests).toHaveLength(1);
});

test("asks again when the connection breaks", async () => {
  const { answer } = await ask(["hangs-up", { says: '{"colour":"green"}' }]);
  expect(answer).toMatchObject({ value: { colour: "green" }, fallback: false });
});

test.each(["", "<html>", '{"choices":[]}'])("answers by rule when the reply is no completion: '%s'", async (raw) => {
  const { answer } = await ask([{ raw }]);
  expect(answer).toMatchObject({ value: { colour: "grey" }, fallback: true });
});

test("waits for a slow answer within its time", async () => {
  const { answer } = await ask([{ says: '{"colour":"green"}', afterMs: 150 }], { timeoutMs: 5000 });
  expect(answer).toMatchObject({ value: { colour: "green" }, fallback: false });
});

test("gives up on a provider that says nothing", async () => {
  const { answer } = await ask(["silence"], { timeoutMs: 100 });
  expect(answer).toMatchObject({ value: { colour: "grey" }, fallback: true, usage: { inputTokens: 0 } });
});

test("gives up sooner where a task has less time", async () => {
  server = await startChatCompletions("silence");
  const model = createOpenAiModel({ baseUrl: server.baseUrl, model: "small" });
  const startedAt = performance.now();
  expect(await model.run(colourTask, "grass", { timeoutMs: 99.5 })).toMatchObject({ fallback: true });
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test("answers by rule when nobody listens", async () => {
  const { baseUrl, close } = await startChatCompletions("silence");
  await close();
  const model = createOpenAiModel({ baseUrl, model: "small" }, { sleep: async () => undefined });
  expect(await model.run(colourTask, "grass")).toMatchObject({ value: { colour: "grey" }, fallback: true });
  server = await startChatCompletions("silence");
});

test("does not hide a mistake of the task's own", async () => {
  server = await startChatCompletions({ says: "{}" });
  const broken = {
    ...colourTask,
    prompt() {
      throw new TypeError("bug");
    },
  };
  await expect(createOpenAiModel({ baseUrl: server.baseUrl, model: "small" }).run(broken, "grass")).rejects.toThrow(
    "bug",
  );
});
