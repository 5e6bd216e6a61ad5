import { copyFileSync, existsSync, renameSync } from "node:fs";
import path from "node:path";
import { LocalBlobStore } from "../../shared/adapters/local/blobs.ts";
import { BLOBS_FOLDER } from "../../shared/adapters/local/storage/data-files.ts";
import { makePrivateFolder } from "../../shared/adapters/local/storage/private-files.ts";
import type { Runtime } from "../../shared/runtime/context.ts";

/** Files of an SQLite database. */
const PARTS = ["", "-wal", "-shm"];

/** A folder in the data folder for files that a repair replaces, each under its former path. */
export class SetAside {
  readonly folder: string;
  readonly #dataDir: string;

  /** The folder is created with the first file. */
  constructor(dataDir: string, now: number) {
    this.#dataDir = dataDir;
    this.folder = path.join(dataDir, `set-aside-${new Date(now).toISOString().replaceAll(":", "-")}`);
  }

  /** Moves a database with its files. */
  move(file: string): void {
    for (const part of this.#partsOf(file)) renameSync(part, this.#targetOf(part));
  }

  /** Copies a database with its files. */
  copy(file: string): void {
    for (const part of this.#partsOf(file)) copyFileSync(part, this.#targetOf(part));
  }

  /** Copies a blob if it exists. */
  async copyBlob({ ports, clock }: Pick<Runtime, "ports" | "clock">, key: string): Promise<void> {
    const blob = await ports.blobs.get(key);
    if (blob === undefined) return;
    const copies = new LocalBlobStore({
      folder: path.join(this.folder, BLOBS_FOLDER),
      scratch: path.join(this.folder, "unfinished"),
      clock,
      baseUrl: () => "",
      signingKey: "",
    });
    await copies.put(key, blob);
  }

  #partsOf(file: string): string[] {
    return PARTS.map((part) => file + part).filter((part) => existsSync(part));
  }

  #targetOf(file: string): string {
    const target = path.join(this.folder, path.relative(this.#dataDir, file));
    makePrivateFolder(path.dirname(target));
    return target;
  }
}
