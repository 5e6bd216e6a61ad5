import type { Secrets } from "./secrets.ts";

/**
 * The purposes of secrets, and the operations that functions use for each purpose. A name starts with its purpose, and
 * functions are granted purposes, so that a function that fetches users' URLs cannot read signing or admin keys.
 */
export const SECRET_PURPOSES = {
  /** The operator's first API key. */
  bootstrap: ["get", "putIfAbsent"],
  /** Private halves of the keys that sign access tokens. */
  signing: ["get", "putIfAbsent", "remove"],
  /** The key that encrypts secrets within records. */
  sealing: ["get", "putIfAbsent"],
  /** Secrets of the deployment's OAuth clients at providers; stored by the operator. */
  providers: ["get"],
  /** The key of archives; stored by the operator. */
  backups: ["get"],
  /** The key that signs blob links on a local server; S3 signs its own. */
  blobs: ["get", "putIfAbsent"],
} as const satisfies Record<string, readonly (keyof Secrets)[]>;

export type SecretPurpose = keyof typeof SECRET_PURPOSES;

/** The name of a secret, including its purpose. */
export type SecretName = `${SecretPurpose}/${string}`;

export const PURPOSES = Object.keys(SECRET_PURPOSES) as SecretPurpose[];

export const FIRST_KEY = "bootstrap/first-admin-key" satisfies SecretName;
/** Without it, everything that it encrypts is lost. */
export const DATA_KEY = "sealing/data-key" satisfies SecretName;
export const BACKUP_KEY = "backups/backup-key" satisfies SecretName;
export const BLOB_LINKS_KEY = "blobs/link-key" satisfies SecretName;

export const signingKeyName = (number: number) => `signing/signing-key-${number}` satisfies SecretName;

/** The name of the client secret of the deployment at a provider. */
export const clientSecretName = (provider: string) => `providers/${provider}-client-secret` satisfies SecretName;

/** The part of a name before `/`: the purpose that a group or a worker declares to read it. */
export function purposeOf(name: SecretName): SecretPurpose {
  return name.slice(0, name.indexOf("/")) as SecretPurpose;
}

/** Current names of secrets that earlier versions stored without a purpose in archives and data folders. */
const FORMER_NAMES: [RegExp, (match: RegExpExecArray) => SecretName][] = [
  [/^first-admin-key$/, () => FIRST_KEY],
  [/^data-key$/, () => DATA_KEY],
  [/^backup-key$/, () => BACKUP_KEY],
  [/^blob-links$/, () => BLOB_LINKS_KEY],
  [/^signing-key-(\d+)$/, ([, number]) => signingKeyName(Number(number))],
  [/^(\w+)-client-secret$/, ([, provider = ""]) => clientSecretName(provider)],
];

/** Returns the current name of a stored secret. Throws an Error if no version used the name. */
export function currentSecretName(stored: string): SecretName {
  if (PURPOSES.some((purpose) => stored.startsWith(`${purpose}/`))) return stored as SecretName;
  for (const [pattern, rename] of FORMER_NAMES) {
    const match = pattern.exec(stored);
    if (match) return rename(match);
  }
  throw new Error(`the secret '${stored}' has a name without a purpose; its purposes are ${PURPOSES.join(", ")}`);
}

/**
 * Returns the secrets restricted to these purposes and their operations; other uses throw, so that tests fail as IAM
 * would.
 */
export function restrictSecrets(secrets: Secrets, purposes: readonly SecretPurpose[], who: string): Secrets {
  const requireGranted = (verb: keyof Secrets, name: SecretName) => {
    const purpose = purposeOf(name);
    const verbs: readonly string[] = purposes.includes(purpose) ? SECRET_PURPOSES[purpose] : [];
    if (!verbs.includes(verb)) throw new Error(`'${who}' may not ${verb} the secret '${name}' without declaring it`);
  };
  return {
    get: async (name) => {
      requireGranted("get", name);
      return secrets.get(name);
    },
    putIfAbsent: async (name, value) => {
      requireGranted("putIfAbsent", name);
      return secrets.putIfAbsent(name, value);
    },
    remove: async (name) => {
      requireGranted("remove", name);
      return secrets.remove(name);
    },
  };
}
