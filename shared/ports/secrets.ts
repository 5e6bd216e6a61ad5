import type { SecretName } from "./secret-names.ts";

/** Names start with a purpose, see `secret-names.ts`. */
export interface Secrets {
  get(name: SecretName): Promise<string | undefined>;
  /** Stores the value unless the name has one; returns the stored value, so that concurrent callers agree. */
  putIfAbsent(name: SecretName, value: string): Promise<string>;
  /** Permanent: a removed name is never reused. Missing names are ignored. */
  remove(name: SecretName): Promise<void>;
}
