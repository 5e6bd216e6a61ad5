import { expect, it } from "vitest";
import * as z from "zod";
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { Context } from "../../shared/runtime/context.ts";
import cases from "../../test/fixtures/prompt-texts.json" with { type: "json" };
import { runTool } from "./run-tool.ts";
import type { Tool } from "./tools.ts";

const principal = {
  kind: "api_key",
  id: "ak_1",
  org: "org_1",
  operator: false,
  plan: "free",
  permissions: ["memory:read"],
};
const ctx = { principal } as unknown as Context;
const tool: Omit<Tool, "run"> = {
  description: "Returns a given answer.",
  permission: "memory:read",
  limit: "read_memory",
  input: z.strictObject({}),
  annotations: { readOnlyHint: true },
};

it.each(cases)("renders $name as data in whatever a tool answers", async ({ text, neutral }) => {
  const run = async () => ({
    text: "Done.",
    data: { facts: [{ value: text, places: [text], confidence: 0.5, ends: null }] },
  });
  const { structuredContent } = await runTool(ctx, { ...tool, run }, {}, {});
  const facts = [{ value: neutral, places: [neutral], confidence: 0.5, ends: null }];
  expect(structuredContent).toEqual({ facts });
});

it.each(cases)("renders $name as data in an error", async ({ text, neutral }) => {
  const run = async () => {
    throw new ServiceError("CONFLICT", `${text} is in the way.`, { facts: [{ value: text }] });
  };
  const { isError, content } = await runTool(ctx, { ...tool, run }, {}, {});
  const [answer] = content;
  const { message, details } = JSON.parse(answer?.type === "text" ? answer.text : "");
  expect({ isError, details }).toEqual({ isError: true, details: { facts: [{ value: neutral }] } });
  expect(message.startsWith(neutral)).toBe(true);
});
