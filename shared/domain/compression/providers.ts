import { type FieldProblem, invalid } from "../../kernel/errors.ts";
import { mergePatch } from "../../kernel/objects.ts";
import type { LanguageModels, ModelChoice } from "../../ports/language-model.ts";
import type { ModeRecord, ModeUpdate } from "./settings.ts";

const ROLES = ["fast", "verify"] as const;

type Provider = ModeRecord["providers"]["fast"];

/**
 * PUT /compression/mode: omitted fields keep their value, but a changed provider gets its own model and a cost of 0
 * unless the request sets them. Throws VALIDATION_ERROR if a provider is not available or does not have the model.
 */
export function changeMode(models: LanguageModels, current: ModeRecord, update: ModeUpdate): ModeRecord {
  const providers: ModeUpdate["providers"] = { ...update.providers };
  for (const role of ROLES) providers[role] = withDefaults(models, current.providers[role], update.providers[role]);
  const changed = mergePatch(current, { ...update, providers });
  const problems = ROLES.flatMap((role) => problemsOf(models, role, changed.providers[role]));
  if (problems.length > 0) throw invalid(...problems);
  return changed;
}

function withDefaults(models: LanguageModels, current: Provider, update: Partial<Provider> = {}): Partial<Provider> {
  if (update.provider === undefined || update.provider === current.provider) return update;
  return { model: available(models, update.provider)?.model, cost_per_1k: 0, ...update };
}

function problemsOf(
  models: LanguageModels,
  role: (typeof ROLES)[number],
  { provider, model }: Provider,
): FieldProblem[] {
  const choice = available(models, provider);
  if (choice === undefined) {
    const names = models.providers.map((known) => known.provider).join(", ");
    return [{ field: `providers.${role}.provider`, problem: `'${provider}' is not available; use one of: ${names}` }];
  }
  if (provider !== "built-in" || model === choice.model) return [];
  return [{ field: `providers.${role}.model`, problem: `built-in has one model: '${choice.model}'` }];
}

function available(models: LanguageModels, provider: Provider["provider"]): ModelChoice | undefined {
  return models.providers.find((known) => known.provider === provider);
}

/** The mode with usable providers: a stored provider that is no longer available is replaced by the default one. */
export function replaceUnavailable(models: LanguageModels, mode: ModeRecord): ModeRecord {
  const fallback = { ...models.default, cost_per_1k: 0 };
  const usable = (chosen: Provider) => (available(models, chosen.provider) ? chosen : fallback);
  return { ...mode, providers: { fast: usable(mode.providers.fast), verify: usable(mode.providers.verify) } };
}
