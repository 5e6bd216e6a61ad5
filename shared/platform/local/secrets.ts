import { existsSync, readFileSync } from "node:fs";
import type { Secrets } from "../ports.ts";
import { currentSecretName, type SecretName } from "../secret-names.ts";
import { writePrivately } from "./atomic-file.ts";
import { acquireLock } from "./lock.ts";

const LOCK_PATIENCE_MS = 5_000;

/** `Secrets` in one JSON file that its owner alone may read; several processes may share it. */
export class LocalSecrets implements Secrets {
  readonly #file: string;

  /** The file is made at the first secret; its folder must exist. */
  constructor(file: string) {
    this.#file = file;
  }

  async get(name: SecretName): Promise<string | undefined> {
    return this.#read().get(name);
  }

  async putIfAbsent(name: SecretName, value: string): Promise<string> {
    return this.#locked((secrets) => {
      const held = secrets.get(name);
      if (held !== undefined) return held;
      this.#write(secrets.set(name, value));
      return value;
    });
  }

  /** Writes names that earlier releases gave as today's. */
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

  /** Nothing here waits for anything but the lock, so no other use of it in this process can come in between. */
  #locked<Result>(use: (secrets: Map<SecretName, string>) => Result): Result {
    const release = acquireLock(`${this.#file}.lock`, LOCK_PATIENCE_MS);
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

  /** Names that earlier versions gave are read as today's, and written as such with the next secret. */
  #read(): Map<SecretName, string> {
    if (!existsSync(this.#file)) return new Map();
    const stored = Object.entries(JSON.parse(readFileSync(this.#file, "utf8")) as Record<string, string>);
    return new Map(stored.map(([name, value]) => [currentSecretName(name), value]));
  }
}
