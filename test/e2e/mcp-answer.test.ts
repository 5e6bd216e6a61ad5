import { expect, it, onTestFinished } from "vitest";
import { startChatCompletions } from "../fixtures/chat-completions-server.ts";
import { createOrganization, openService } from "../support/service.ts";
import { Caller, eventually } from "../support/target.ts";

const QUESTION = "When is a refund due?";

/** Opens a service that knows one statement, and returns a call of the tool `recall`. */
async function openKnowing(settings: Record<string, string>) {
  const service = await openService(settings);
  onTestFinished(service.close);
  const owner = new Caller(service, (await createOrganization(service)).key);
  const use = async (name: string, given: object) => {
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } };
    const { body } = await owner.post("/mcp", message, {
      headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" },
    });
    return body.result;
  };
  await use("remember", { content: "A refund is due within 30 days." });
  await eventually(async () => {
    expect((await use("recall", { query: QUESTION })).structuredContent.confident).toBe(true);
  });
  return (given: object) => use("recall", given);
}

it("answers in words with a language model, and names numbers that no memory has", async () => {
  const answer = { answer: "Within 30 days, so by 2026-12-23.", confidence: 0.9, explanation: "As stored." };
  const server = await startChatCompletions({ says: "{}" });
  onTestFinished(server.close);
  const model = { LANGUAGE_MODEL: "openai", OPENAI_BASE_URL: server.baseUrl, OPENAI_MODEL: "small" };
  const recall = await openKnowing(model);
  server.requests.length = 0;
  expect((await recall({ query: QUESTION })).structuredContent).not.toHaveProperty("answer");
  expect(server.requests).toEqual([]);
  server.say({ says: JSON.stringify(answer) });
  const { content, structuredContent } = await recall({ query: QUESTION, answer: true });
  expect(structuredContent).toMatchObject({ confident: true, answer: answer.answer, unsupported: ["2026-12-23"] });
  expect(content[0].text).toMatch(/answers from what is known: Within 30 days[\s\S]*A refund is due within 30 days\./);
  expect(server.requests[0]?.body.messages.at(-1)?.content).toContain("A refund is due within 30 days.");
  server.say({ status: 500 });
  const failed = await recall({ query: QUESTION, answer: true });
  expect(failed.structuredContent).not.toHaveProperty("answer");
  expect(failed.content[0].text).toContain("There is no answer in words.");
});

it("without a language model, says that there is no answer in words", async () => {
  const recall = await openKnowing({});
  const { content, structuredContent } = await recall({ query: QUESTION, answer: true });
  expect(structuredContent).not.toHaveProperty("answer");
  expect(content[0].text).toMatch(/^There is no answer in words\.[\s\S]*A refund is due within 30 days\./);
});
