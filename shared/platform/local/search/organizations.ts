import { readdirSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../../kernel/digest.ts";
import { IndexOutdated } from "../../errors.ts";
import type { Embedder } from "../../ports.ts";
import { makePrivateFolder } from "../private-files.ts";
import { Database } from "../sqlite.ts";
import { VectorPool } from "../vectors/pool.ts";
import { OrganizationIndex } from "./organization.ts";
import { SCHEMA } from "./schema.ts";

/** Databases kept open; the least recently used are closed. */
const MOST_OPEN = 64;
const PAGE_CACHE_KIB = 8 * 1024;
/** Bytes of vectors kept in memory for all organizations together. */
const VECTOR_CAPACITY = 512 * 1024 * 1024;
const ORGANIZATION = /^[A-Za-z0-9_-]{1,64}$/;
const DATABASE_FILE = /^(?<org>[A-Za-z0-9_-]{1,64})-[0-9a-f]{8}\.db$/;

/** The indexes of all organizations, one database file each, opened when they are asked for. */
export class Organizations {
  readonly #folder: string;
  readonly #embedder: Pick<Embedder, "id" | "dimensions">;
  readonly #pool: VectorPool;
  /** Least recently used first. */
  readonly #open = new Map<string, OrganizationIndex>();
  /** Organizations whose index another embedder built, and which one. */
  readonly #outdated = new Map<string, string>();

  constructor(folder: string, embedder: Pick<Embedder, "id" | "dimensions">) {
    makePrivateFolder(folder);
    this.#folder = folder;
    this.#embedder = embedder;
    this.#pool = new VectorPool(embedder.dimensions, VECTOR_CAPACITY);
  }

  /** Throws on an id that could not be a file's name, and IndexOutdated. */
  get(org: string): OrganizationIndex {
    const index = this.find(org);
    if (index === undefined) throw new IndexOutdated(org, this.#outdated.get(org) ?? "", this.#embedder.id);
    return index;
  }

  /** The same, but undefined where another embedder built it. */
  find(org: string): OrganizationIndex | undefined {
    const index = this.#open.get(org) ?? this.#openIndex(org);
    if (index === undefined) return undefined;
    this.#open.delete(org);
    this.#open.set(org, index);
    this.#closeOldest();
    return index;
  }

  /** Every organization that has an index, open or not. */
  names(): string[] {
    return readdirSync(this.#folder).flatMap((file) => DATABASE_FILE.exec(file)?.groups?.org ?? []);
  }

  close(): void {
    for (const index of this.#open.values()) index.close();
    this.#open.clear();
  }

  #openIndex(org: string): OrganizationIndex | undefined {
    if (this.#outdated.has(org)) return undefined;
    const database = new Database(join(this.#folder, fileOf(org)), SCHEMA, PAGE_CACHE_KIB);
    database.prepare("INSERT OR IGNORE INTO settings (name, value) VALUES ('embedder', ?)").run(this.#embedder.id);
    const built = database.prepare("SELECT value FROM settings WHERE name = 'embedder'").get();
    if (built?.value !== this.#embedder.id) {
      database.close();
      this.#outdated.set(org, String(built?.value));
      return undefined;
    }
    return new OrganizationIndex(database, this.#pool);
  }

  #closeOldest(): void {
    for (const [org, index] of this.#open) {
      if (this.#open.size <= MOST_OPEN) return;
      index.close();
      this.#open.delete(org);
    }
  }
}

/** The hash keeps ids apart that differ in case alone, where a file system does not. */
function fileOf(org: string): string {
  if (!ORGANIZATION.test(org)) throw new Error(`'${org}' cannot name an organization's index`);
  return `${org}-${sha256(org).slice(0, 8)}.db`;
}
