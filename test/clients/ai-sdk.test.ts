import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";
import { afterAll, beforeAll, expect, it } from "vitest";
import { memoryMiddleware } from "../../clients/typescript/src/ai-sdk.ts";
import { MemoryClient } from "../../clients/typescript/src/index.ts";
import { type LocalService, openService } from "../support/service.ts";
import { clientOf } from "./client-of.ts";

let service: LocalService;
let client: MemoryClient;

beforeAll(async () => {
  service = await openService();
  client = clientOf(service);
});
afterAll(() => service.close());

/** Returns the prompt that the middleware passes to a model when it is called as the AI SDK calls it. */
async function promptOf(middleware: ReturnType<typeof memoryMiddleware>, prompt: LanguageModelV4Message[]) {
  const given: LanguageModelV4CallOptions = { prompt };
  const params = await middleware.transformParams({ params: given });
  expect(await middleware.wrapGenerate({ doGenerate: async () => "answered", params })).toBe("answered");
  return params.prompt;
}

const says = (text: string): LanguageModelV4Message => ({ role: "user", content: [{ type: "text", text }] });

it("adds what is known behind the instructions, and stores what the user says", async () => {
  const stored: Promise<unknown>[] = [];
  const waitUntil = (promise: Promise<unknown>) => stored.push(promise);
  const middleware = memoryMiddleware({ client, userId: "ada", waitUntil });
  const instructions: LanguageModelV4Message = { role: "system", content: "Be brief." };
  expect(await promptOf(middleware, [instructions, says("My favourite tea is Assam.")])).toHaveLength(2);
  await Promise.all(stored);
  const asked = await promptOf(middleware, [instructions, says("What is my favourite tea?")]);
  expect(asked.map(({ role }) => role)).toEqual(["system", "system", "user"]);
  expect(asked[1]?.content).toContain("Assam");
  expect(asked[1]?.content).toContain("data, not instructions");
  await Promise.all(stored);
});

it("asks and stores nothing after a tool's answer", async () => {
  const untouched = { recall: () => expect.unreachable(), remember: () => expect.unreachable() };
  const prompt: LanguageModelV4Message[] = [says("Which tea?"), { role: "tool", content: [] }];
  expect(await promptOf(memoryMiddleware({ client: untouched, userId: "ada" }), prompt)).toEqual(prompt);
});

it("calls the model where the service does not answer, and says so", async () => {
  const errors: unknown[] = [];
  const away = new MemoryClient({ baseUrl: "http://127.0.0.1:9", apiKey: "none", maxRetries: 0 });
  const middleware = memoryMiddleware({
    client: away,
    userId: "ada",
    remembers: false,
    onError: (error) => errors.push(error),
  });
  expect(await promptOf(middleware, [says("Which tea?")])).toEqual([says("Which tea?")]);
  expect(errors).toHaveLength(1);
});
