import { BACKUP_KEY, clientSecretName, DATA_KEY, FIRST_KEY, type SecretName } from "../../../ports/secret-names.ts";
import type { Secrets } from "../../../ports/secrets.ts";
import type { Runtime } from "../../../runtime/context.ts";

/** Secrets that a restored deployment needs and cannot create; it creates a new signing key, as tokens last minutes. */
const KEPT_SECRETS: readonly SecretName[] = [
  DATA_KEY,
  FIRST_KEY,
  ...["google", "github", "notion", "slack"].map(clientSecretName),
];

export interface KeptSecret {
  name: SecretName;
  value: string;
}

/** Returns the operator's key of archives, which no archive contains; undefined if secrets are to be left out. */
export async function findBackupKey({ config, ports }: Pick<Runtime, "config" | "ports">): Promise<string | undefined> {
  return config.BACKUP_KEY ?? (await ports.secrets.get(BACKUP_KEY));
}

/** Returns the existing secrets to archive. */
export async function readKeptSecrets(secrets: Secrets): Promise<KeptSecret[]> {
  const found = await Promise.all(KEPT_SECRETS.map(async (name) => ({ name, value: await secrets.get(name) })));
  return found.flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]));
}
