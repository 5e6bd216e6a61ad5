import {
  BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandOutput,
  ThrottlingException,
  ValidationException,
} from "@aws-sdk/client-bedrock-runtime";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, expect, test } from "vitest";
import * as z from "zod";
import type { LanguageTask } from "../../ports/language-model.ts";
import { createBedrockModel } from "./bedrock-model.ts";

const colourTask: LanguageTask<string, { colour: string }> = {
  name: "name_colour",
  schema: z.object({ colour: z.string() }),
  prompt: (thing) => ({ system: "Name the colour.", user: thing }),
  builtIn: () => ({ colour: "grey" }),
};

const bedrock = mockClient(BedrockRuntimeClient);
beforeEach(() => bedrock.reset());

const client = new BedrockRuntimeClient({ region: "eu-west-1" });
const model = createBedrockModel("nova", { sleep: async () => {} }, client);

function answering(content: object[]): Partial<ConverseCommandOutput> {
  const usage = { inputTokens: 50, outputTokens: 10, totalTokens: 60 };
  return { output: { message: { role: "assistant", content } }, usage } as Partial<ConverseCommandOutput>;
}

const SAID = [{ text: '{"colour":' }, { text: '"green"}' }];
const calledTool = answering([{ toolUse: { toolUseId: "1", name: "name_colour", input: { colour: "green" } } }]);

test("requests a call of the task's tool and returns the tool's input", async () => {
  bedrock.on(ConverseCommand).resolves(calledTool);
  expect(await model.run(colourTask, "grass")).toEqual({
    value: { colour: "green" },
    provider: "bedrock",
    model: "nova",
    fallback: false,
    usage: { inputTokens: 50, outputTokens: 10 },
    calls: 1,
  });
  const [call] = bedrock.commandCalls(ConverseCommand);
  expect(call?.args[0].input).toMatchObject({
    modelId: "nova",
    system: [{ text: "Name the colour." }],
    messages: [{ role: "user", content: [{ text: "grass" }] }],
    toolConfig: { toolChoice: { tool: { name: "name_colour" } } },
  });
});

test("requests at most the given number of tokens, and at most as many as the largest answer needs", async () => {
  bedrock.on(ConverseCommand).resolves(calledTool);
  for (const limits of [{ maxTokens: 40 }, { maxTokens: 1_000_000 }, {}]) await model.run(colourTask, "grass", limits);
  const limits = bedrock.commandCalls(ConverseCommand).map(({ args }) => args[0].input.inferenceConfig?.maxTokens);
  expect(limits).toEqual([40, 8_000, 8_000]);
});

test("retries throttled requests", async () => {
  const throttled = new ThrottlingException({ message: "slow down", $metadata: { httpStatusCode: 429 } });
  bedrock.on(ConverseCommand).rejectsOnce(throttled).resolves(calledTool);
  expect(await model.run(colourTask, "grass")).toMatchObject({ value: { colour: "green" }, fallback: false });
});

test("does not retry a refused request, but answers by rule", async () => {
  const refused = new ValidationException({ message: "no such model", $metadata: { httpStatusCode: 400 } });
  bedrock.on(ConverseCommand).rejects(refused);
  expect(await model.run(colourTask, "grass")).toMatchObject({ value: { colour: "grey" }, fallback: true });
  expect(bedrock.commandCalls(ConverseCommand)).toHaveLength(1);
});

test.each([
  ["reads JSON in text instead of a tool call", answering(SAID), "green", false],
  ["answers by rule if the reply has no message", {}, "grey", true],
])("%s", async (_what, reply, colour, fallback) => {
  bedrock.on(ConverseCommand).resolves(reply);
  expect(await model.run(colourTask, "grass")).toMatchObject({ value: { colour }, fallback });
});
