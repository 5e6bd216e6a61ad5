import { afterEach, expect, test, vi } from "vitest";
import * as z from "zod";
import {
  type ChatCompletionsServer,
  startChatCompletions,
  type Turn,
} from "../../../test/fixtures/chat-completions-server.ts";
import type { LanguageTask } from "../../ports/language-model.ts";
import { createOpenAiModel } from "./openai-model.ts";
import type { RemoteModelOptions } from "./remote-model.ts";

type OpenAiOptions = Partial<RemoteModelOptions>;

const colourTask: LanguageTask<string, { colour: string }> = {
  name: "name_colour",
  schema: z.object({ colour: z.string().min(1) }),
  prompt: (thing) => ({ system: "Name the colour.", user: thing }),
  builtIn: () => ({ colour: "grey" }),
};

const GREEN = { says: '{"colour":"green"}' };
const TOO_LONG = { says: `{"colour":"${"green".repeat(2_000_000)}"}` };
const BY_MODEL = { value: { colour: "green" }, fallback: false };
const BY_RULE = { value: { colour: "grey" }, fallback: true };

let server: ChatCompletionsServer;
afterEach(() => server.close());

/** Starts a provider that gives these answers, and returns a model that asks it. */
async function open(...turns: Turn[]) {
  server = await startChatCompletions(...turns);
  return createOpenAiModel({ baseUrl: server.baseUrl, model: "small" });
}

async function ask(turns: Turn[], options: OpenAiOptions = {}) {
  server = await startChatCompletions(...turns);
  const pauses: number[] = [];
  const sleep = async (milliseconds: number) => pauses.push(milliseconds);
  const settings = { baseUrl: server.baseUrl, apiKey: "secret", model: "small" };
  const answer = await createOpenAiModel(settings, { sleep, random: () => 0.5, ...options }).run(colourTask, "grass");
  return { answer, pauses };
}

test("requests the task's schema and returns the model's answer", async () => {
  const { answer, pauses } = await ask([GREEN]);
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
  const model = await open(GREEN);
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
])("extracts JSON from %s without a second call", async (_what, says) => {
  const { answer } = await ask([{ says }]);
  expect(answer).toMatchObject({ value: { colour: "green" }, fallback: false, calls: 1 });
});

test("omits a temperature that the model refuses, also later", async () => {
  const refusal = '{"error":{"param":"temperature","code":"unsupported_value"}}';
  const model = await open({ status: 400, raw: refusal }, GREEN);
  for (const _run of [1, 2]) expect(await model.run(colourTask, "grass")).toMatchObject(BY_MODEL);
  expect(server.requests.map(({ body }) => body.temperature)).toEqual([0, undefined, undefined]);
});

test("sends the task's temperature", async () => {
  const model = await open(GREEN);
  await model.run(colourTask, "grass", { temperature: 0.7 });
  expect(server.requests.map(({ body }) => body.temperature)).toEqual([0.7]);
});

test.each(['{"colour":', '{"colour":5}', "Green, I think."])(
  "shows the model its mistakes once: %s",
  async (broken) => {
    const { answer } = await ask([{ says: broken }, GREEN]);
    expect(answer).toMatchObject({ ...BY_MODEL, usage: { inputTokens: 200, outputTokens: 40 } });
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

test.each<[string, Turn[], OpenAiOptions, object]>([
  ["retries after the connection breaks", ["hangs-up", GREEN], {}, BY_MODEL],
  ["waits for a slow answer within its time", [{ ...GREEN, afterMs: 150 }], { timeoutMs: 5000 }, BY_MODEL],
  ["gives up on a silent provider", ["silence"], { timeoutMs: 100 }, { ...BY_RULE, usage: { inputTokens: 0 } }],
  ["stops reading a reply that is too long", [TOO_LONG], {}, { ...BY_RULE, failure: "a reply that is too long" }],
  ["answers by rule if the reply is no completion: ''", [{ raw: "" }], {}, BY_RULE],
  ["answers by rule if the reply is no completion: '<html>'", [{ raw: "<html>" }], {}, BY_RULE],
  ["answers by rule if the reply has no choices", [{ raw: '{"choices":[]}' }], {}, BY_RULE],
])("%s", async (_what, turns, options, expected) => {
  expect((await ask(turns, options)).answer).toMatchObject(expected);
});

const NEW_YEAR = Date.parse("2026-01-01T00:00:00Z");
const TWO_SECONDS_LATER = "Thu, 01 Jan 2026 00:00:02 GMT";

test.each<[string, Turn[], object, number[], number]>([
  ["waits as long as a throttling provider requests", [{ status: 429, retryAfter: "3" }, GREEN], BY_MODEL, [3000], 2],
  ["reads a Retry-After that is a date", [{ status: 503, retryAfter: TWO_SECONDS_LATER }, GREEN], BY_MODEL, [2000], 2],
  ["pauses longer each time while the provider fails", [{ status: 500 }], BY_RULE, [125, 250, 500], 4],
  ["does not wait longer than its time limit", [{ status: 429, retryAfter: "60" }], BY_RULE, [], 1],
  ["does not retry refused requests", [{ status: 401 }], BY_RULE, [], 1],
])("%s", async (_what, turns, expected, waited, requests) => {
  const { answer, pauses } = await ask(turns, { clock: () => NEW_YEAR });
  expect(answer).toMatchObject(expected);
  expect(pauses).toEqual(waited);
  expect(server.requests).toHaveLength(requests);
});

test("gives up earlier if a task has less time", async () => {
  const model = await open("silence");
  const startedAt = performance.now();
  expect(await model.run(colourTask, "grass", { timeoutMs: 99.5 })).toMatchObject({ fallback: true });
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test("answers by rule if there is no server", async () => {
  const { baseUrl, close } = await startChatCompletions("silence");
  await close();
  const model = createOpenAiModel({ baseUrl, model: "small" }, { sleep: async () => {} });
  expect(await model.run(colourTask, "grass")).toMatchObject(BY_RULE);
  server = await startChatCompletions("silence");
});

test("does not hide a mistake of the task's own", async () => {
  const model = await open({ says: "{}" });
  const prompt = () => {
    throw new TypeError("bug");
  };
  await expect(model.run({ ...colourTask, prompt }, "grass")).rejects.toThrow("bug");
});
