import { existsSync, readFileSync } from "node:fs";
import type { Secrets } from "../ports.ts";
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

  async get(name: string): Promise<string | undefined> {
    return this.#read().get(name);
  }

  /** Nothing here waits for anything but the lock, so no other use of it in this process can come in between. */
  async putIfAbsent(name: string, value: string): Promise<string> {
    const release = acquireLock(`${this.#file}.lock`, LOCK_PATIENCE_MS);
    if (release === undefined) throw new Error(`the secrets in ${this.#file} stayed locked by another process`);
    try {
      const secrets = this.#read();
      const held = secrets.get(name);
      if (held !== undefined) return held;
      secrets.set(name, value);
      writePrivately(this.#file, JSON.stringify(Object.fromEntries(secrets), undefined, 2));
      return value;
    } finally {
      release();
    }
  }

  #read(): Map<string, string> {
    if (!existsSync(this.#file)) return new Map();
    return new Map(Object.entries(JSON.parse(readFileSync(this.#file, "utf8")) as Record<string, string>));
  }
}
