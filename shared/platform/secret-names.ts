import type { Secrets } from "./ports.ts";

/**
 * What secrets are kept for, and what functions do with those of each purpose. A name begins with its purpose, and a
 * function is granted purposes, so one that fetches addresses of users reads no key that signs or administers.
 */
export const SECRET_PURPOSES = {
  /** The operator's first API key. */
  bootstrap: ["get", "putIfAbsent"],
  /** Private halves of the keys that sign access tokens. */
  signing: ["get", "putIfAbsent", "remove"],
  /** The key that encrypts secrets within records. */
  sealing: ["get", "putIfAbsent"],
  /** Secrets of the deployment's own clients at providers; the operator puts them there. */
  providers: ["get"],
  /** The key of archives; the operator puts it there. */
  backups: ["get"],
  /** The key that signs links to blobs on one machine; S3 signs its own. */
  blobs: ["get", "putIfAbsent"],
} as const satisfies Record<string, readonly (keyof Secrets)[]>;

export type SecretPurpose = keyof typeof SECRET_PURPOSES;

/** The name of a secret, which no purpose is missing in. */
export type SecretName = `${SecretPurpose}/${string}`;

export const PURPOSES = Object.keys(SECRET_PURPOSES) as SecretPurpose[];

export const FIRST_KEY = "bootstrap/first-admin-key" satisfies SecretName;
/** Losing it loses everything that it sealed. */
export const DATA_KEY = "sealing/data-key" satisfies SecretName;
export const BACKUP_KEY = "backups/backup-key" satisfies SecretName;
export const BLOB_LINKS_KEY = "blobs/link-key" satisfies SecretName;

export const signingKeyName = (number: number) => `signing/signing-key-${number}` satisfies SecretName;

/** Where the secret of the deployment's client at a provider is. */
export const clientSecretName = (provider: string) => `providers/${provider}-client-secret` satisfies SecretName;

export function purposeOf(name: SecretName): SecretPurpose {
  return name.slice(0, name.indexOf("/")) as SecretPurpose;
}

/** What names without a purpose, of archives and data folders that earlier versions made, are called now. */
const FORMER_NAMES: [RegExp, (match: RegExpExecArray) => SecretName][] = [
  [/^first-admin-key$/, () => FIRST_KEY],
  [/^data-key$/, () => DATA_KEY],
  [/^backup-key$/, () => BACKUP_KEY],
  [/^blob-links$/, () => BLOB_LINKS_KEY],
  [/^signing-key-(\d+)$/, ([, number]) => signingKeyName(Number(number))],
  [/^(\w+)-client-secret$/, ([, provider = ""]) => clientSecretName(provider)],
];

/** The name that a stored secret has now. Throws an Error for one that no version made. */
export function currentSecretName(stored: string): SecretName {
  if (PURPOSES.some((purpose) => stored.startsWith(`${purpose}/`))) return stored as SecretName;
  for (const [pattern, rename] of FORMER_NAMES) {
    const match = pattern.exec(stored);
    if (match) return rename(match);
  }
  throw new Error(`the secret '${stored}' has a name without a purpose; its purposes are ${PURPOSES.join(", ")}`);
}

/** The same secrets, but those of other purposes and uses that no purpose names throw: what tests see is what IAM grants. */
export function restrictSecrets(secrets: Secrets, purposes: readonly SecretPurpose[], who: string): Secrets {
  const admit = (verb: keyof Secrets, name: SecretName) => {
    const purpose = purposeOf(name);
    const verbs: readonly string[] = purposes.includes(purpose) ? SECRET_PURPOSES[purpose] : [];
    if (!verbs.includes(verb)) throw new Error(`'${who}' may not ${verb} the secret '${name}': it does not declare it`);
  };
  return {
    get: async (name) => {
      admit("get", name);
      return secrets.get(name);
    },
    putIfAbsent: async (name, value) => {
      admit("putIfAbsent", name);
      return secrets.putIfAbsent(name, value);
    },
    remove: async (name) => {
      admit("remove", name);
      return secrets.remove(name);
    },
  };
}
