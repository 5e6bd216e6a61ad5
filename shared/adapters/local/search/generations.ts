import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writePrivately } from "../storage/atomic-file.ts";
import type { Organizations } from "./organizations.ts";

/** Names the generation in use; without it the folder itself is in use. */
const POINTER = "in-use";
const FOLDER = /^built-(?<name>[a-z0-9]+)$/;
const DATABASE = /\.db(?:-wal|-shm|-journal)?$/;

/** A set of all organizations' indexes in its own folder. */
interface Generation {
  name: string | undefined;
  organizations: Organizations;
}

/** The indexes in use and those being built, in one folder. After a crash, a complete one is in use. */
export class Generations {
  readonly #folder: string;
  readonly #openIndexes: (folder: string) => Organizations;
  #current: Generation;
  #next: Generation | undefined;

  constructor(folder: string, openIndexes: (folder: string) => Organizations) {
    this.#folder = folder;
    this.#openIndexes = openIndexes;
    const pointer = join(folder, POINTER);
    this.#current = this.#open(existsSync(pointer) ? readFileSync(pointer, "utf8") : undefined);
    // A crash may have happened before the indexes of the folder itself were deleted.
    if (this.#current.name !== undefined) this.#drop(undefined);
  }

  get current(): Organizations {
    return this.#current.organizations;
  }

  /** All generations that receive writes. */
  get all(): Organizations[] {
    return this.#next === undefined ? [this.current] : [this.current, this.#next.organizations];
  }

  /** The generation of that name: the one in use, the one being built, or a new one that replaces it. */
  get(name: string): Organizations {
    if (this.#current.name === name) return this.current;
    if (this.#next?.name !== name) {
      this.#next?.organizations.close();
      const built = readdirSync(this.#folder).flatMap((entry) => FOLDER.exec(entry)?.groups?.name ?? []);
      for (const other of built) if (other !== name && other !== this.#current.name) this.#drop(other);
      this.#next = this.#open(name);
    }
    return this.#next.organizations;
  }

  activate(name: string): void {
    if (this.#current.name === name) return;
    this.get(name);
    const [former, next] = [this.#current, this.#next];
    if (next === undefined) return;
    writePrivately(join(this.#folder, POINTER), name);
    this.#current = next;
    this.#next = undefined;
    former.organizations.close();
    this.#drop(former.name);
  }

  close(): void {
    for (const organizations of this.all) organizations.close();
  }

  #open(name: string | undefined): Generation {
    return { name, organizations: this.#openIndexes(this.#folderOf(name)) };
  }

  #folderOf(name: string | undefined): string {
    return name === undefined ? this.#folder : join(this.#folder, `built-${name}`);
  }

  #drop(name: string | undefined): void {
    const files = name === undefined ? readdirSync(this.#folder).filter((file) => DATABASE.test(file)) : [""];
    for (const file of files) rmSync(join(this.#folderOf(name), file), { recursive: true, force: true });
  }
}
