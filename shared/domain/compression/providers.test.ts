import { describe, expect, it } from "vitest";
import { loadConfig } from "../../entry/config.ts";
import { ServiceError } from "../../kernel/errors.ts";
import { silentLogger } from "../../kernel/logger.ts";
import { createLanguageModels } from "../models/configured.ts";
import { changeMode, replaceUnavailable } from "./providers.ts";
import { DEFAULT_MODE, ModeUpdate } from "./settings.ts";

const models = createLanguageModels(
  loadConfig({ OPENAI_BASE_URL: "http://localhost:11434/v1", OPENAI_MODEL: "small" }),
  silentLogger,
);
const BUILT_IN = { provider: "built-in", model: "rules", cost_per_1k: 0 };

const change = (update: object, current = DEFAULT_MODE) => changeMode(models, current, ModeUpdate.parse(update));

describe("a change of the mode", () => {
  it("keeps providers that it does not name", () => {
    expect(change({ mode: "aggressive" })).toEqual({ ...DEFAULT_MODE, mode: "aggressive" });
  });

  it("uses a provider with its configured model, at no known cost", () => {
    const { providers } = change({ mode: "balanced", providers: { verify: { provider: "openai" } } });
    expect(providers).toEqual({ fast: BUILT_IN, verify: { provider: "openai", model: "small", cost_per_1k: 0 } });
  });

  it("accepts a provider's settings, and later changes of single ones", () => {
    const large = { provider: "openai", model: "large", cost_per_1k: 2 };
    const first = change({ mode: "balanced", providers: { fast: large } });
    expect(first.providers.fast).toEqual(large);
    const cheaper = change({ mode: "balanced", providers: { fast: { cost_per_1k: 1 } } }, first);
    expect(cheaper.providers.fast).toEqual({ ...large, cost_per_1k: 1 });
    const back = change({ mode: "balanced", providers: { fast: { provider: "built-in" } } }, first);
    expect(back.providers.fast).toEqual(BUILT_IN);
  });

  it.each([
    [{ fast: { provider: "bedrock", model: "nova", cost_per_1k: 1 } }, "providers.fast.provider", "'bedrock'"],
    [{ verify: { provider: "built-in", model: "large" } }, "providers.verify.model", "'rules'"],
    [{ verify: { model: "large" } }, "providers.verify.model", "'rules'"],
  ])("refuses %j", (providers, field, named) => {
    const refusal = expect.objectContaining({
      code: "VALIDATION_ERROR",
      details: { fields: [{ field, problem: expect.stringContaining(named) }] },
    });
    expect(() => change({ mode: "balanced", providers })).toThrow(ServiceError);
    expect(() => change({ mode: "balanced", providers })).toThrow(refusal);
  });
});

it("a stored provider that is no longer available is replaced by the default one", () => {
  const lost = { provider: "bedrock", model: "nova", cost_per_1k: 1 } as const;
  const stored = { ...DEFAULT_MODE, providers: { fast: lost, verify: { ...lost, provider: "openai" as const } } };
  expect(replaceUnavailable(models, stored).providers).toEqual({ fast: BUILT_IN, verify: stored.providers.verify });
});
