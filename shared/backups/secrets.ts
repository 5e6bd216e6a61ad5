import type { Home } from "../platform/context.ts";
import type { Secrets } from "../platform/ports.ts";
import { BACKUP_KEY, clientSecretName, DATA_KEY, FIRST_KEY, type SecretName } from "../platform/secret-names.ts";

/**
 * Secrets that a restored home needs and cannot make itself. Signing keys are not among them: a home that finds none
 * makes another one, and access tokens last minutes.
 */
const KEPT_SECRETS: readonly SecretName[] = [
  DATA_KEY,
  FIRST_KEY,
  ...["google", "github", "notion", "slack"].map(clientSecretName),
];

export interface KeptSecret {
  name: SecretName;
  value: string;
}

/** The operator's key of archives, which no archive holds; undefined where secrets are to be left out. */
export async function findBackupKey({ config, ports }: Pick<Home, "config" | "ports">): Promise<string | undefined> {
  return config.BACKUP_KEY ?? (await ports.secrets.get(BACKUP_KEY));
}

/** The secrets to archive that there are. */
export async function readKeptSecrets(secrets: Secrets): Promise<KeptSecret[]> {
  const found = await Promise.all(KEPT_SECRETS.map(async (name) => ({ name, value: await secrets.get(name) })));
  return found.flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]));
}
