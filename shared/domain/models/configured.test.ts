import { expect, test } from "vitest";
import { loadConfig } from "../../entry/config.ts";
import { silentLogger } from "../../kernel/logger.ts";
import type { LanguageModel } from "../../ports/language-model.ts";
import { createLanguageModels } from "./configured.ts";

const open = (environment: Record<string, string>, bedrock?: (model: string) => Promise<LanguageModel>) =>
  createLanguageModels(loadConfig(environment), silentLogger, bedrock);

test.each([
  [{}, { provider: "built-in", model: "rules" }],
  [
    { LANGUAGE_MODEL: "openai", OPENAI_MODEL: "small" },
    { provider: "openai", model: "small" },
  ],
  [
    { PLATFORM: "aws", BEDROCK_MODEL: "nova" },
    { provider: "bedrock", model: "nova" },
  ],
  [
    { PLATFORM: "aws", LANGUAGE_MODEL: "built-in" },
    { provider: "built-in", model: "rules" },
  ],
])("%j selects the default model", (environment, defaults) => {
  const models = open(environment);
  expect(models.default).toEqual(defaults);
  expect(models.providers).toContainEqual(defaults);
});

test.each([
  [{}, ["built-in"]],
  [{ OPENAI_API_KEY: "secret" }, ["built-in", "openai"]],
  [{ OPENAI_BASE_URL: "http://localhost:11434/v1" }, ["built-in", "openai"]],
  [{ LANGUAGE_MODEL: "openai" }, ["openai", "built-in"]],
  [{ PLATFORM: "aws" }, ["bedrock", "built-in"]],
])("%j reaches %j", (environment, providers) => {
  expect(open(environment).providers.map(({ provider }) => provider)).toEqual(providers);
});

test("opens each model once, the default one without a choice, and no unavailable one", async () => {
  const opened: string[] = [];
  const models = open({ PLATFORM: "aws" }, async (model) => {
    opened.push(model);
    return open({}).open();
  });
  const [defaults, again, other] = await Promise.all([
    models.open(),
    models.open(models.default),
    models.open({ provider: "bedrock", model: "other" }),
  ]);
  expect(again).toBe(defaults);
  expect(other).not.toBe(defaults);
  expect(opened).toEqual([models.default.model, "other"]);
  await expect(models.open({ provider: "openai", model: "small" })).rejects.toThrow("'openai' is not available");
});
