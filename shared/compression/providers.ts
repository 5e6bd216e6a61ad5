import { type FieldProblem, invalid } from "../kernel/errors.ts";
import type { LanguageModels, ModelChoice } from "../platform/ports.ts";
import { applyModeUpdate, type ModeRecord, type ModeUpdate } from "./settings.ts";

const ROLES = ["fast", "verify"] as const;

type Provider = ModeRecord["providers"]["fast"];

/**
 * PUT /compression/mode: what is left out stays as it is, but a provider that changes brings its own model and, as far
 * as anybody said, costs nothing. Throws VALIDATION_ERROR that names a provider out of reach, or a model it has not.
 */
export function changeMode(models: LanguageModels, current: ModeRecord, update: ModeUpdate): ModeRecord {
  const providers: ModeUpdate["providers"] = { ...update.providers };
  for (const role of ROLES) providers[role] = completed(models, current.providers[role], update.providers[role]);
  const changed = applyModeUpdate(current, { ...update, providers });
  const problems = ROLES.flatMap((role) => problemsOf(models, role, changed.providers[role]));
  if (problems.length > 0) throw invalid(...problems);
  return changed;
}

function completed(models: LanguageModels, current: Provider, given: Partial<Provider> = {}): Partial<Provider> {
  if (given.provider === undefined || given.provider === current.provider) return given;
  return { model: within(models, given.provider)?.model, cost_per_1k: 0, ...given };
}

function problemsOf(
  models: LanguageModels,
  role: (typeof ROLES)[number],
  { provider, model }: Provider,
): FieldProblem[] {
  const reached = within(models, provider);
  if (reached === undefined) {
    const names = models.providers.map((known) => known.provider).join(", ");
    return [
      { field: `providers.${role}.provider`, problem: `'${provider}' is out of reach here; use one of: ${names}` },
    ];
  }
  if (provider !== "built-in" || model === reached.model) return [];
  return [{ field: `providers.${role}.model`, problem: `built-in has one model: '${reached.model}'` }];
}

function within(models: LanguageModels, provider: Provider["provider"]): ModelChoice | undefined {
  return models.providers.find((known) => known.provider === provider);
}

/** The mode as it can be carried out: a provider that was stored and has since gone out of reach is the usual one again. */
export function withinReach(models: LanguageModels, mode: ModeRecord): ModeRecord {
  const usual = { ...models.usual, cost_per_1k: 0 };
  const reached = (chosen: Provider) => (within(models, chosen.provider) ? chosen : usual);
  return { ...mode, providers: { fast: reached(mode.providers.fast), verify: reached(mode.providers.verify) } };
}
