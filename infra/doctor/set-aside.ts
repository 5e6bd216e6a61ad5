import { copyFileSync, existsSync, renameSync } from "node:fs";
import path from "node:path";
import type { Home } from "../../shared/platform/context.ts";
import { LocalBlobStore } from "../../shared/platform/local/blobs.ts";
import { makePrivateFolder } from "../../shared/platform/local/private-files.ts";

/** What SQLite keeps beside a database. */
const PARTS = ["", "-wal", "-shm"];

/** A folder in the data folder that takes what a repair replaces, each under the path it had. */
export class SetAside {
  readonly folder: string;
  readonly #dataDir: string;

  /** The folder is made with the first file. */
  constructor(dataDir: string, now: number) {
    this.#dataDir = dataDir;
    this.folder = path.join(dataDir, `set-aside-${new Date(now).toISOString().replaceAll(":", "-")}`);
  }

  /** Moves a database and what belongs to it. */
  move(file: string): void {
    for (const part of this.#partsOf(file)) renameSync(part, this.#placeOf(part));
  }

  /** Copies a database and what belongs to it, and leaves it where it is. */
  copy(file: string): void {
    for (const part of this.#partsOf(file)) copyFileSync(part, this.#placeOf(part));
  }

  /** Copies a blob, where it is there. */
  async copyBlob({ ports, clock }: Pick<Home, "ports" | "clock">, key: string): Promise<void> {
    const blob = await ports.blobs.get(key);
    if (blob === undefined) return;
    const copies = new LocalBlobStore({
      folder: path.join(this.folder, "blobs"),
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

  #placeOf(file: string): string {
    const place = path.join(this.folder, path.relative(this.#dataDir, file));
    makePrivateFolder(path.dirname(place));
    return place;
  }
}
