import { IdentityConfig } from "../domain/identity/config.ts";
import { IntegrationConfig } from "../domain/integration/config.ts";
import { ConnectionsConfig } from "../domain/knowledge/connections/config.ts";
import { SourcesConfig } from "../domain/knowledge/sources/config.ts";
import { MemoryConfig } from "../domain/memory/config.ts";
import { ModelsConfig } from "../domain/models/config.ts";
import { BackupsConfig } from "../domain/operations/backups/config.ts";
import { type Config, InvalidConfigError } from "../kernel/config.ts";
import { RuntimeConfig } from "../runtime/config.ts";

/** Every setting with its default and meaning; the table of docs/settings.md is generated from it. */
const ConfigSchema = RuntimeConfig.extend(IdentityConfig.shape)
  .extend(MemoryConfig.shape)
  .extend(IntegrationConfig.shape)
  .extend(ConnectionsConfig.shape)
  .extend(SourcesConfig.shape)
  .extend(ModelsConfig.shape)
  .extend(BackupsConfig.shape);

/** Reads the environment once per process. Empty strings count as unset. Throws InvalidConfigError. */
export function loadConfig(environment: Record<string, string | undefined>): Config {
  const variables = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = ConfigSchema.safeParse(variables);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new InvalidConfigError(problems);
}

export interface ConfigRow {
  name: string;
  default: string;
  meaning: string;
}

/** Returns the settings as rows of the documentation's table. */
export function configRows(): ConfigRow[] {
  const defaults = ConfigSchema.parse({}) as Record<string, unknown>;
  return Object.entries(ConfigSchema.shape).map(([name, schema]) => ({
    name,
    default: defaults[name] === undefined ? "" : String(defaults[name]),
    meaning: schema.description ?? "",
  }));
}
