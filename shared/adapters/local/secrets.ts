import { existsSync, readFileSync } from "node:fs";
import { isObject, parseJsonIfValid } from "../../kernel/objects.ts";
import { currentSecretName, type SecretName } from "../../ports/secret-names.ts";
import type { Secrets } from "../../ports/secrets.ts";
import { acquireLock } from "./lock.ts";
import { writePrivately } from "./storage/atomic-file.ts";
import { DataFileError } from "./storage/data-files.ts";

const LOCK_TIMEOUT_MS = 5_000;

/** `Secrets` in one JSON file that only its owner can read; several processes may share it. */
export class LocalSecrets implements Secrets {
  readonly #file: string;

  /** The file is created with the first secret; its folder must exist. */
  constructor(file: string) {
    this.#file = file;
  }

  async get(name: SecretName): Promise<string | undefined> {
    return this.#read().get(name);
  }

  async putIfAbsent(name: SecretName, value: string): Promise<string> {
    return this.#locked((secrets) => {
      const existing = secrets.get(name);
      if (existing !== undefined) return existing;
      this.#write(secrets.set(name, value));
      return value;
    });
  }

  /** Renames secrets of earlier releases. */
  upgrade(): void {
    if (!existsSync(this.#file)) return;
    this.#locked((secrets) => {
      const stored = Object.keys(JSON.parse(readFileSync(this.#file, "utf8")) as Record<string, string>);
      if (stored.some((name) => currentSecretName(name) !== name)) this.#write(secrets);
    });
  }

  async remove(name: SecretName): Promise<void> {
    this.#locked((secrets) => {
      if (secrets.delete(name)) this.#write(secrets);
    });
  }

  /** Calls `use` under the file's lock. It is synchronous, so no other use in this process can interleave. */
  #locked<Result>(use: (secrets: Map<SecretName, string>) => Result): Result {
    const release = acquireLock(`${this.#file}.lock`, LOCK_TIMEOUT_MS);
    if (release === undefined) throw new Error(`the secrets in ${this.#file} stayed locked by another process`);
    try {
      return use(this.#read());
    } finally {
      release();
    }
  }

  #write(secrets: Map<SecretName, string>): void {
    writePrivately(this.#file, JSON.stringify(Object.fromEntries(secrets), undefined, 2));
  }

  /** Converts names of earlier releases to the current ones, which the next write stores. */
  #read(): Map<SecretName, string> {
    if (!existsSync(this.#file)) return new Map();
    return new Map(Object.entries(readSecrets(this.#file)).map(([name, value]) => [currentSecretName(name), value]));
  }
}

/** The secrets in a file by their stored names. Throws DataFileError without any content if it is damaged. */
export function readSecrets(file: string): Record<string, string> {
  const stored = parseJsonIfValid(readFileSync(file, "utf8"));
  if (!isObject(stored) || Object.values(stored).some((value) => typeof value !== "string")) {
    throw new DataFileError(file, "is damaged: it is not a JSON object of texts");
  }
  return stored as Record<string, string>;
}
